"""Floats over the end of the text while it is out of sight, and leads there."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import ToolButton


class NewestButton(ToolButton):
    def __init__(self, theme: ThemeController, viewport: QWidget) -> None:
        # Beside the viewport it would lie over it, and every step of scrolling would paint all.
        super().__init__(viewport)
        self._theme = theme
        self._viewport = viewport
        self.setProperty("kind", "floating")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setIconSize(theme.icon_size)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.hide()

    def say(self, words: str, told: str) -> None:
        """`told`: to whoever cannot see where it stands."""
        self.setText(words)
        self.setIcon(self._theme.icon(Glyph.ARROW_DOWN))
        self.setAccessibleName(told)
        self.adjustSize()
        self.place()

    def place(self) -> None:
        size = self.sizeHint()
        area = self._viewport.rect()
        x = area.center().x() - size.width() // 2
        y = area.bottom() - size.height() - Space.MEDIUM
        self.setGeometry(x, y, size.width(), size.height())
        self.raise_()
