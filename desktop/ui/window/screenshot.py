"""Takes a screenshot: the portal asks the user what of it, X11 and other systems give it whole.

Windows and macOS are untested. On Wayland only the portal can.
"""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from desktop.ui.window.session_bus import Results, SessionBus

_HIDDEN_MS = 400
"""Until the desktop has painted what was behind the window."""


class Screenshot(QObject):
    taken = Signal(object)  # QImage, or the path of a file for this alone
    failed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._bus: SessionBus | None = None

    def take(self) -> None:
        self._window.hide()
        QTimer.singleShot(_HIDDEN_MS, self, self._take)

    def _take(self) -> None:
        self._bus = self._bus or SessionBus.found(self)
        if self._bus:
            options = {"interactive": ("b", True)}
            self._bus.ask_portal("Screenshot", "Screenshot", "sa{sv}", ("", options), self._read)
        else:
            self._grab()

    def _read(self, results: Results | None) -> None:
        if results is None:
            self._grab()
            return
        _, address = results.get("uri", ("s", ""))
        path = QUrl(address).toLocalFile()
        self._end(Path(path) if path else None)

    def _grab(self) -> None:
        image = self._window.screen().grabWindow(0).toImage()
        self._end(None if image.isNull() else image)

    def _end(self, taken: QImage | Path | None) -> None:
        self._window.show()
        if taken is None:
            self.failed.emit()
        else:
            self.taken.emit(taken)
