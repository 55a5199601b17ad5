"""A desktop's session bus with its services, in a process of its own.

A screen reader prints what it reads; a tray and a notification daemon print what they show.
`python -m tests.e2e.desktop_session` is the process.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from PySide6.QtCore import ClassInfo, Property, QCoreApplication, QObject, QTimer, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage

from tests.commands import ROOT, own_environment
from tests.e2e.accessibility_tree import Accessible, read_tree

_HEARD: Any = "1heard(QDBusMessage)"  # the stubs want bytes, Qt a str
_REGISTRY = "org.a11y.atspi.Registry"
_UINT: Any = "uint"  # Qt's name of a type; the stubs want types
_Named: Any = ClassInfo  # the stubs do not declare it as callable
_ALL = (
    QDBusConnection.RegisterOption.ExportAllSlots
    | QDBusConnection.RegisterOption.ExportAllSignals
    | QDBusConnection.RegisterOption.ExportAllProperties
)


def _say(*what: str) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


class ScreenReader(QObject):
    def __init__(self) -> None:
        super().__init__()
        session = QDBusConnection.sessionBus()
        asked = ("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        (address,) = session.call(QDBusMessage.createMethodCall(*asked)).arguments()
        self._bus = QDBusConnection.connectToBus(address, "accessibility")
        register = QDBusMessage.createMethodCall(
            _REGISTRY, "/org/a11y/atspi/registry", _REGISTRY, "RegisterEvent"
        )
        register.setArguments(["object:announcement"])
        self._bus.call(register)
        self._bus.connect("", "", "org.a11y.atspi.Event.Object", "Announcement", self, _HEARD)

    @Slot(QDBusMessage)
    def heard(self, message: QDBusMessage) -> None:
        words = message.arguments()[3]
        _say("announced", str(words.variant() if hasattr(words, "variant") else words))


@_Named({"D-Bus Interface": "org.freedesktop.Notifications"})
class Notifications(QObject):
    ActionInvoked = Signal(_UINT, str)
    NotificationClosed = Signal(_UINT, _UINT)

    @Slot(str, _UINT, str, str, str, "QStringList", "QVariantMap", int, result=_UINT)
    def Notify(self, *given: Any) -> int:  # noqa: N802 - as the bus calls it
        """The user clicks each notification at once."""
        _say("notified", given[4])
        QTimer.singleShot(0, self, partial(self.ActionInvoked.emit, 7, given[5][0]))
        return 7

    @Slot(result="QStringList")
    def GetCapabilities(self) -> list[str]:  # noqa: N802
        return ["actions", "body"]

    @Slot(_UINT)
    def CloseNotification(self, number: int) -> None:  # noqa: N802
        _say("closed", str(number))


@_Named({"D-Bus Interface": "org.kde.StatusNotifierWatcher"})
class Watcher(QObject):
    StatusNotifierItemRegistered = Signal(str)
    StatusNotifierHostRegistered = Signal()

    @Slot(str)
    def RegisterStatusNotifierItem(self, service: str) -> None:  # noqa: N802
        _say("tray", service)

    def _has_host(self) -> bool:
        return True

    IsStatusNotifierHostRegistered = Property(bool, _has_host)


class DesktopSession:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment
        command = (sys.executable, "-m", "tests.e2e.desktop_session")
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            cwd=ROOT,
            env={**environment, "QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert "ready" in self._process.stdout.readline()
        self.told: list[list[str]] = []
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def heard(self, kind: str) -> list[str]:
        return [words[-1] for first, *words in self.told if first == kind]

    def shown(self) -> list[Accessible]:
        """Return what accessible programs show."""
        everything = read_tree(self.environment["DBUS_SESSION_BUS_ADDRESS"])
        return [one for one in everything.walk() if one.is_showing]

    def close(self) -> None:
        self._process.kill()
        self._listener.join(30)
        with self._process:
            pass

    def _listen(self) -> None:
        assert self._process.stdout is not None
        self.told.extend(json.loads(line) for line in self._process.stdout)


@contextmanager
def session_bus() -> Iterator[str]:
    """Start a session bus; yield its address.

    The accessibility bus is in the folder, so that parallel sessions do not share one.
    """
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(
            ("dbus-daemon", "--session", "--nofork", "--print-address"),  # noqa: S607
            env={**os.environ, "XDG_RUNTIME_DIR": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as bus,
    ):
        assert bus.stdout is not None
        try:
            yield bus.stdout.readline().strip()
        finally:
            bus.terminate()


@contextmanager
def desktop_session() -> Iterator[DesktopSession]:
    """A session bus, in whose environment the programs of the test start."""
    with session_bus() as address:
        always = {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        session = DesktopSession(own_environment(DBUS_SESSION_BUS_ADDRESS=address, **always))
        try:
            yield session
        finally:
            session.close()


def main() -> None:
    app = QCoreApplication(sys.argv)
    reader, notifications, watcher = ScreenReader(), Notifications(), Watcher()
    session = QDBusConnection.sessionBus()
    for name, path, service in (
        ("org.freedesktop.Notifications", "/org/freedesktop/Notifications", notifications),
        ("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher", watcher),
    ):
        assert session.registerObject(path, service, _ALL), name
        assert session.registerService(name), name
    _say("ready", repr(reader))
    app.exec()


if __name__ == "__main__":
    main()
