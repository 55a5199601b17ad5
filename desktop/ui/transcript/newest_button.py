"""Floats beside the end of the text while it is out of sight, and leads there.

It stands in the column's margin: over the column it would lie on what can be read and clicked.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.icon_button import IconButton


class NewestButton(IconButton):
    def __init__(self, theme: ThemeController, viewport: QWidget) -> None:
        # Beside the viewport it would lie over it, and every step of scrolling would paint all.
        super().__init__(theme, Glyph.ARROW_DOWN, viewport)
        self.setProperty("kind", "floating")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def place(self, column_end: int) -> None:
        """`column_end`: where the words of the column end at the right."""
        viewport = self.parentWidget()
        if viewport is None:
            return
        size, area = self.sizeHint(), viewport.rect()
        x = min(column_end + Space.MEDIUM, area.right() + 1 - size.width())
        y = area.bottom() - size.height() - Space.MEDIUM
        self.setGeometry(x, y, size.width(), size.height())
        self.raise_()
