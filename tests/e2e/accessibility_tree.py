"""Reads the running window as a screen reader does, over AT-SPI's bus."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

from jeepney import DBusAddress, MessageType, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_ROOT = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_ALWAYS_READ = ("desktop frame", "application")
_FOCUSABLE, _SHOWING = 1 << 11, 1 << 25
"""Of `AtspiStateType`."""


class _GoneError(Exception):
    """The window has changed meanwhile."""


@dataclass
class Accessible:
    role: str
    name: str
    text: str
    states: int
    children: list[Self] = field(default_factory=list)

    @property
    def is_focusable(self) -> bool:
        return bool(self.states & _FOCUSABLE)

    @property
    def is_showing(self) -> bool:
        return bool(self.states & _SHOWING)

    def walk(self) -> Iterator[Self]:
        yield self
        for child in self.children:
            yield from child.walk()


def read_tree(session_address: str) -> Accessible:
    """Return the desktop: the programs that the registry knows, with what they show."""
    with open_dbus_connection(session_address) as session:
        bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        (address,) = _asked(session, new_method_call(bus, "GetAddress"))
    with open_dbus_connection(address) as line:
        return _read(line, *_ROOT)


def _read(line: DBusConnection, name: str, path: str) -> Accessible:
    whom = DBusAddress(path, name, _ACCESSIBLE)
    (role,) = _asked(line, new_method_call(whom, "GetRoleName"))
    ((_, named),) = _asked(line, Properties(whom).get("Name"))
    ((low, high),) = _asked(line, new_method_call(whom, "GetState"))
    (interfaces,) = _asked(line, new_method_call(whom, "GetInterfaces"))
    text = ""
    if "org.a11y.atspi.Text" in interfaces:
        words = DBusAddress(path, name, "org.a11y.atspi.Text")
        (text,) = _asked(line, new_method_call(words, "GetText", "ii", (0, -1)))
    found = Accessible(role, named, text, low | high << 32)
    is_hidden = not found.is_showing and role not in _ALWAYS_READ
    for child in [] if is_hidden else _children(line, name, path):
        with suppress(_GoneError):
            found.children.append(_read(line, *child))
    return found


def _children(line: DBusConnection, name: str, path: str) -> list[tuple[str, str]]:
    whom = DBusAddress(path, name, _ACCESSIBLE)
    (children,) = _asked(line, new_method_call(whom, "GetChildren"))
    return list(children)


def _asked(line: DBusConnection, message: Any) -> Any:
    reply = line.send_and_get_reply(message, timeout=20)
    if reply.header.message_type is not MessageType.method_return:
        raise _GoneError(reply.body)
    return reply.body
