"""The message bus of a Linux desktop; no call here blocks.

QtDBus cannot send unsigned numbers from Python, so this uses jeepney, which keyring installs.
"""

import sys
from collections.abc import Callable
from typing import Any, NamedTuple, Self

from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtGui import QGuiApplication


class BusObject(NamedTuple):
    name: str
    path: str
    interface: str


_PORTAL, _PORTAL_PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
Results = dict[str, tuple[str, Any]]
_Answered = Callable[[Results | None], object]


def portal(interface: str) -> BusObject:
    return BusObject(_PORTAL, _PORTAL_PATH, f"org.freedesktop.{interface}")


class SessionBus(QObject):
    signalled = Signal(str, tuple)  # the member of the followed interface, and its arguments

    def __init__(self, parent: QObject) -> None:
        """Raises OSError or ValueError if there is no bus."""
        from jeepney import HeaderFields, message_bus  # noqa: PLC0415 - only Linux has it
        from jeepney.io.blocking import open_dbus_connection  # noqa: PLC0415

        super().__init__(parent)
        self._fields, self._daemon = HeaderFields, message_bus
        self._line = open_dbus_connection()
        self._answers: dict[int, Callable[[tuple[Any, ...] | None], object]] = {}
        self._requests: dict[str, _Answered] = {}  # by their paths
        self._notifier = QSocketNotifier(self._line.sock.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)
        self.destroyed.connect(self._line.close)

    @classmethod
    def open(cls, parent: QObject) -> Self | None:
        """Return a connection of its own to the bus; None if there is no bus."""
        try:
            return cls(parent) if sys.platform == "linux" else None
        # No address, an address of a kind that jeepney does not know, or no answer.
        except (ImportError, KeyError, RuntimeError, ValueError, OSError):
            return None

    def call(
        self,
        whom: BusObject,
        method: str,
        signature: str,
        arguments: tuple[Any, ...],
        answered: Callable[[tuple[Any, ...] | None], object],
    ) -> None:
        """`answered` gets the result, or None after an error."""
        from jeepney import DBusAddress, new_method_call  # noqa: PLC0415 - only Linux has it

        address = DBusAddress(whom.path, whom.name, whom.interface)
        serial = next(self._line.outgoing_serial)
        self._answers[serial] = answered
        self._send(new_method_call(address, method, signature, arguments), serial)

    def follow(self, whom: BusObject) -> None:
        """Emit `signalled` for its signals from now on."""
        sender, path, interface = whom
        rule = f"type='signal',sender='{sender}',path='{path}',interface='{interface}'"
        self._send(self._daemon.AddMatch(rule))

    def ask_portal(
        self,
        interface: str,
        method: str,
        signature: str,
        arguments: tuple[Any, ...],
        answered: _Answered,
    ) -> None:
        """Ask for what the user may have to allow; the last of `arguments` are the options.

        `answered` gets the results; an empty result means a refusal, None a missing portal.
        """
        if not self._requests:
            # Otherwise the portal may not know the program's name, and refuse it.
            name: tuple[str, Results] = (QGuiApplication.desktopFileName(), {})
            self.call(portal("host.portal.Registry"), "Register", "sa{sv}", name, lambda _: None)
        sender = self._line.unique_name.removeprefix(":").replace(".", "_")
        token = f"bellek{len(self._requests)}"
        path = f"{_PORTAL_PATH}/request/{sender}/{token}"
        # The path of the answer is known before the call, so that no answer is missed.
        self._requests[path] = answered
        self.follow(BusObject(_PORTAL, path, "org.freedesktop.portal.Request"))
        *others, options = arguments
        self.call(
            portal(f"portal.{interface}"),
            method,
            signature,
            (*others, {**options, "handle_token": ("s", token)}),
            lambda handle: answered(None) if handle is None else None,
        )

    def _send(self, message: Any, serial: int | None = None) -> None:  # jeepney has no types
        try:
            self._line.send(message, serial=serial)
        except OSError:
            self._end()

    def _read(self) -> None:
        try:
            while True:
                self._dispatch(self._line.receive(timeout=0))
        except TimeoutError:
            return
        except OSError:
            self._end()

    def _dispatch(self, message: Any) -> None:
        header = message.header
        if answered := self._answers.pop(header.fields.get(self._fields.reply_serial), None):
            answered(None if self._fields.error_name in header.fields else message.body)
        elif request := self._requests.get(header.fields.get(self._fields.path)):
            code, results = message.body
            request({} if code else results)
        elif member := header.fields.get(self._fields.member):
            self.signalled.emit(member, message.body)

    def _end(self) -> None:
        self._notifier.setEnabled(False)
        answers, self._answers = self._answers, {}
        for answered in answers.values():
            answered(None)
