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
        self._idle = QTimer(self, singleShot=True)
        self._idle.timeout.connect(self.wanted)
        app.installEventFilter(self)
        if sys.platform == "linux":
            self._hear_system()

    def apply(self, minutes: int) -> None:
        """Lock after so many minutes without a key or the pointer; 0 means never."""
        self._idle.stop()
        if minutes:
            self._idle.start(minutes * _MS_A_MINUTE)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _TYPED and self._idle.isActive():
            self._idle.start()
        return super().eventFilter(watched, event)

    def _hear_system(self) -> None:
        from PySide6.QtDBus import QDBusConnection  # noqa: PLC0415 - only Linux has it

        system, session = QDBusConnection.systemBus(), QDBusConnection.sessionBus()
        system.connect("", "", f"{_LOGIN}.Manager", "PrepareForSleep", self, _SWITCHED)
        system.connect("", "", f"{_LOGIN}.Session", "Lock", self, _LOCKED)
        for saver in _SAVERS:
            session.connect("", "", saver, "ActiveChanged", self, _SWITCHED)

    @Slot(bool)
    def switched(self, is_on: bool) -> None:  # noqa: FBT001 (comes from D-Bus)
        if is_on:
            self.wanted.emit()

    @Slot()
    def locked(self) -> None:
        self.wanted.emit()
