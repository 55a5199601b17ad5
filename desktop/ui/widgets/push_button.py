"""A button that Enter presses, in the window as in a dialog."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton

_PRESSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PushButton(QPushButton):
    """Qt's own does so only where it may become the default, and then is drawn as if it were."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PRESSES:
            if not event.isAutoRepeat():
                self.click()
            event.accept()
        else:
            super().keyPressEvent(event)
