"""A button that shows only an icon: it follows the theme, and its name stands in a tool tip."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import ToolButton


class IconButton(ToolButton):
    def __init__(
        self, theme: ThemeController, glyph: Glyph, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._glyph = theme, glyph
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.theme_changed.connect(self._colour)
        self._colour()

    def say(self, name: str, keys: str = "") -> None:
        """What it does, and the keys that do the same."""
        self.setToolTip(f"{name} ({keys})" if keys else name)
        self.setAccessibleName(name)

    def _colour(self) -> None:
        self.setIconSize(self._theme.icon_size)
        self.setIcon(self._theme.icon(self._glyph))
