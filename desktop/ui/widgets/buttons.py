"""Buttons that say which Enter presses them: their own, in the window as in a dialog."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton, QWidget

_PRESSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PushButton(QPushButton):
    """Qt's own does so only where it may become the default, and then is drawn as if it were."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _press(self, event):
            super().keyPressEvent(event)


class ToolButton(QToolButton):
    """Qt's own does so only on desktops that say so."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _press(self, event):
            super().keyPressEvent(event)


class Button(PushButton):
    """A button that Enter presses where it has the focus, and not from elsewhere in a dialog."""

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
