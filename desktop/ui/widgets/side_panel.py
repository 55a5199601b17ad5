"""The pages and panels at the side of the window."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    column,
    frame_with,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import Label


class SidePage(TranslatedWidget, QFrame):
    """One of several pages under tabs; `named` gives the name for the tab."""

    named = Signal(str)

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._inside = column(spacing=0)
        self.setLayout(self._inside)
        self.setProperty("role", "panel")

    def retranslate(self) -> None:
        """Set all texts again, in the current language."""

    def _set_name(self, words: str) -> None:
        self.setAccessibleName(words)
        self.named.emit(words)

    def _add_scrolled(self, content: QVBoxLayout) -> None:
        """Add a column of widgets that scrolls where it is too long."""
        area = VerticalScrollArea(self)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(widget_with(column(content, STRETCH, margin=Space.LARGE)))
        self._inside.addWidget(area, 1)


class SidePanel(SidePage):
    """A title bar with a close button, and the content below."""

    closed = Signal()

    def __init__(
        self, theme: ThemeController, title: Label, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._close = IconButton(theme, Glyph.CLOSE, self)
        title.setProperty("role", "heading")
        self._told = column(title, spacing=0)
        margin = (Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        self._head = row(growing(self._told), self._close, spacing=Space.TIGHT, margin=margin)
        self._inside.addWidget(frame_with("bar", self._head))
        self._close.clicked.connect(self.closed)

    def retranslate(self) -> None:
        self._close.set_name(self.tr("Close"))
