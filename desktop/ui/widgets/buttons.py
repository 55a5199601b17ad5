"""Buttons that Enter presses while they have the focus; icon buttons and filter chips."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE

_PRESSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PushButton(QPushButton):
    """Enter presses it. Qt's own needs autoDefault for that, and then looks like the default."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _press(self, event):
            super().keyPressEvent(event)


class ToolButton(QToolButton):
    """Enter presses it. With Qt's own that depends on the desktop."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _press(self, event):
            super().keyPressEvent(event)


class Button(PushButton):
    """A dialog's button: Enter presses it only while it has the focus."""

    def __init__(self, kind: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoDefault(False)
        if kind:
            self.setProperty("kind", kind)


def _press(button: QAbstractButton, event: QKeyEvent) -> bool:
    if event.key() not in _PRESSES:
        return False
    if not event.isAutoRepeat():
        button.click()
    event.accept()
    return True


class IconButton(ToolButton):
    """Shows only an icon, in the colour of the theme; its name is in a tool tip."""

    def __init__(
        self, theme: ThemeController, glyph: Glyph, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._glyph = theme, glyph
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.theme_changed.connect(self._colour)
        self._colour()

    def set_name(self, name: str, keys: str = "") -> None:
        """What it does, and its keys."""
        self.setToolTip(f"{name} ({keys})" if keys else name)
        self.setAccessibleName(name)

    def _colour(self) -> None:
        self.setIconSize(self._theme.icon_size)
        self.setIcon(self._theme.icon(self._glyph))


_CROSS = 0.75
_REMOVING = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


class FilterChip(QPushButton):
    """A filter in force. A click or Delete asks to remove it."""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("kind", "filter")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # Puts the cross behind the words.
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        theme.theme_changed.connect(self._colour)
        self._colour()

    def set_text(self, words: str, told: str) -> None:
        """`told`: the full text of the filter."""
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
