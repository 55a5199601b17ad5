"""Takes a screenshot: the portal asks the user what of it, X11 and other systems give it whole.

Windows and macOS are untested. On Wayland only the portal can.
"""

import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

_HIDDEN_MS = 400
"""Until the desktop has painted what was behind the window."""
_SERVICE, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_ANSWERED = "org.freedesktop.portal.Request"
_CALLED = "bellek"
_SLOT: Any = "1answered(uint,QVariantMap)"  # the stubs want bytes, Qt a str


class Screenshot(QObject):
    taken = Signal(object)  # QImage, or the path of a file for this alone
    failed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def take(self) -> None:
        self._window.hide()
        QTimer.singleShot(_HIDDEN_MS, self, self._take)

    def _take(self) -> None:
        if not (sys.platform == "linux" and self._ask_portal()):
            self._grab()

    def _grab(self) -> None:
        screen = self._window.screen()
        image = screen.grabWindow(0).toImage()
        self._end(None if image.isNull() else image)

    def _end(self, taken: QImage | Path | None) -> None:
        self._window.show()
        if taken is None:
            self.failed.emit()
        else:
            self.taken.emit(taken)

    def _ask_portal(self) -> bool:
        """Whether the portal has been asked; its answer comes later."""
        from PySide6.QtDBus import (  # noqa: PLC0415 - only Linux has it
            QDBusConnection,
            QDBusMessage,
            QDBusPendingCallWatcher,
        )

        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return False
        # The path of the answer is known before it is asked for, or the answer could be missed.
        sender = bus.baseService().removeprefix(":").replace(".", "_")
        request = f"{_PATH}/request/{sender}/{_CALLED}"
        bus.connect(_SERVICE, request, _ANSWERED, "Response", self, _SLOT)
        call = QDBusMessage.createMethodCall(
            _SERVICE, _PATH, "org.freedesktop.portal.Screenshot", "Screenshot"
        )
        call.setArguments(["", {"interactive": True, "handle_token": _CALLED}])
        asked = QDBusPendingCallWatcher(bus.asyncCall(call), self)
        asked.finished.connect(lambda: self._grab() if asked.isError() else None)
        return True

    @Slot("uint", "QVariantMap")
    def answered(self, code: int, results: dict[str, object]) -> None:
        path = QUrl(str(results.get("uri", ""))).toLocalFile()
        self._end(Path(path) if code == 0 and path else None)
