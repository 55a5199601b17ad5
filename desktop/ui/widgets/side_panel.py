"""The pages and panels at the side of the window."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.layouts import VerticalScrollArea
from desktop.ui.widgets.plain_text import Label


class SidePage(TranslatedWidget, QFrame):
    """One of several pages under tabs; `named` gives the name for the tab."""

    named = Signal(str)

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._inside = QVBoxLayout(self)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(0)
        self.setProperty("role", "panel")

    def retranslate(self) -> None:
        """Set all texts again, in the current language."""

    def _set_name(self, words: str) -> None:
        self.setAccessibleName(words)
        self.named.emit(words)

    def _add_scrolled(self, column: QVBoxLayout) -> None:
        """Add a column of widgets that scrolls where it is too long."""
        column.setContentsMargins(*(Space.LARGE,) * 4)
        column.setSpacing(Space.SMALL)
        inside = QWidget(self)
        around = QVBoxLayout(inside)
        around.setContentsMargins(0, 0, 0, 0)
        around.addLayout(column)
        around.addStretch(1)
        area = VerticalScrollArea(self)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        self._inside.addWidget(area, 1)


class SidePanel(SidePage):
    """A title bar with a close button, and the content below."""

    closed = Signal()

    def __init__(
        self, theme: ThemeController, title: Label, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._close = IconButton(theme, Glyph.CLOSE, self)
        self._told = QVBoxLayout()
        self._head = QHBoxLayout()
        title.setProperty("role", "heading")
        bar = QFrame(self)
        bar.setProperty("role", "bar")
        bar.setLayout(self._head)
        self._told.setSpacing(0)
        self._told.addWidget(title)
        self._head.setContentsMargins(Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        self._head.setSpacing(Space.TIGHT)
        self._head.addLayout(self._told, 1)
        self._head.addWidget(self._close)
        self._inside.addWidget(bar)
        self._close.clicked.connect(self.closed)

    def retranslate(self) -> None:
        self._close.set_name(self.tr("Close"))
