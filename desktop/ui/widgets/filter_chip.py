"""A filter that is in force, with a cross that takes it off."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE

_CROSS = 0.75
_REMOVING = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


class FilterChip(QPushButton):
    """Clicked, or with Delete, it asks to be taken off."""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("kind", "filter")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # The cross stands behind the words.
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        theme.theme_changed.connect(self._colour)
        self._colour()

    def say(self, words: str, told: str) -> None:
        """`told`: the whole of what it stands for."""
        self.setText(words.replace("&", "&&"))
        self.setToolTip(told)
        self.setAccessibleName(self.tr("Remove filter: {filter}").format(filter=told or words))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _REMOVING | {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
            event.accept()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._colour()
        super().changeEvent(event)

    def _colour(self) -> None:
        side = round(ICON_SIZE * _CROSS * self._theme.scale.zoom)
        self.setIconSize(QSize(side, side))
        self.setIcon(self._theme.icon(Glyph.CLOSE, self._theme.tokens.accent))
