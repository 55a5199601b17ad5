"""Floats beside the end of the text while it is out of sight, and leads there.

It stands in the column's margin: over the column it would lie on what can be read and clicked.
Where the margin is narrower than the button, the button is as narrow, and as high as ever.
"""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton

_SMALLEST_ICON = 8


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
        area, room = viewport.rect(), viewport.width() - column_end
        self.setIconSize(self._theme.icon_size)
        whole = self.sizeHint()
        frame = whole.width() - self._theme.icon_size.width()
        width = min(whole.width(), room)
        side = max(width - frame, _SMALLEST_ICON)
        if width < whole.width():
            self.setIconSize(QSize(side, side))
        x = min(column_end + Space.MEDIUM, area.right() + 1 - width)
        y = area.bottom() - whole.height() - Space.MEDIUM
        self.setGeometry(x, y, width, whole.height())
        self.raise_()
