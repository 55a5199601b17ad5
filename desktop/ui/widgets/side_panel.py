"""What stands at the window's side: a page among others, or a panel with a bar of its own."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.icon_button import IconButton
from desktop.ui.widgets.scroll_area import ScrollArea


class SidePage(QFrame):
    """Others stand in the same place; its name is on a tab above them."""

    named = Signal(str)

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._inside = QVBoxLayout(self)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(0)
        self.setProperty("role", "panel")

    def retranslate(self) -> None:
        """Say all words anew."""

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _say_name(self, words: str) -> None:
        self.setAccessibleName(words)
        self.named.emit(words)

    def _put_scrolled(self, column: QVBoxLayout) -> None:
        """A column of widgets, with room around it, that scrolls where it is too long."""
        column.setContentsMargins(*(Space.LARGE,) * 4)
        column.setSpacing(Space.SMALL)
        inside = QWidget(self)
        around = QVBoxLayout(inside)
        around.setContentsMargins(0, 0, 0, 0)
        around.addLayout(column)
        around.addStretch(1)
        area = ScrollArea(self)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        self._inside.addWidget(area, 1)


class SidePanel(SidePage):
    """A bar with its title and a close, and below it what it shows."""

    closed = Signal()

    def __init__(
        self, theme: ThemeController, title: QLabel, parent: QWidget | None = None
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
        self._close.say(self.tr("Close"))
