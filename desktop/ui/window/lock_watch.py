"""Says when an encrypted profile should be locked: nobody works here, or the system locks.

The system is heard over D-Bus: it sleeps, its session is locked, its screen saver starts. Windows
and macOS are not heard; there the idle minutes lock.
"""

import sys
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication

_MS_A_MINUTE = 60_000
_TYPED = (
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.InputMethod,
)
_LOGIN = "org.freedesktop.login1"
_SAVERS = ("org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver")
_SWITCHED: Any = "1switched(bool)"  # the stubs want bytes, Qt a str
_LOCKED: Any = "1locked()"


class LockWatch(QObject):
    wanted = Signal()  # the profile should be locked

    def __init__(self, app: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._app = app
        self._minutes = self._left = 0
        self._tick = QTimer(self, interval=_MS_A_MINUTE)
        self._tick.timeout.connect(self.count_minute)
        if sys.platform == "linux":
            from PySide6.QtDBus import QDBusConnection  # noqa: PLC0415 - only Linux has it

            system, session = QDBusConnection.systemBus(), QDBusConnection.sessionBus()
            system.connect("", "", f"{_LOGIN}.Manager", "PrepareForSleep", self, _SWITCHED)
            system.connect("", "", f"{_LOGIN}.Session", "Lock", self, _LOCKED)
            for saver in _SAVERS:
                session.connect("", "", saver, "ActiveChanged", self, _SWITCHED)

    def apply(self, minutes: int) -> None:
        """Lock after so many minutes without a key or the pointer; 0 means never."""
        self._minutes = self._left = minutes
        if minutes:
            self._tick.start()
        else:
            self._tick.stop()

    def count_minute(self) -> None:
        self._left -= 1
        if self._left < 0:
            self._tick.stop()
            self.wanted.emit()
        # Only until the next input: a filter in Python sees every event of the program.
        self._app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _TYPED:
            self._app.removeEventFilter(self)
            self._left = self._minutes
        return super().eventFilter(watched, event)

    @Slot(bool)
    def switched(self, is_on: bool) -> None:  # noqa: FBT001 (comes from D-Bus)
        if is_on:
            self.wanted.emit()

    @Slot()
    def locked(self) -> None:
        self.wanted.emit()
