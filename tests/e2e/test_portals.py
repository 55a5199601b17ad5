"""Requests to the desktop's portal: a global key, a screenshot."""

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    MessageType,
    message_bus,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import open_dbus_connection
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Settings
from desktop.ui.composer.attachments import Screenshot
from desktop.ui.quick_access.global_key import GlobalKey
from tests.e2e.desktop_session import session_bus

pytestmark = pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="there is no D-Bus here")
_NAME, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_SESSION = f"{_PATH}/session/1_1/bellek"


class ScriptedPortal:
    """The user agrees to everything that `results` answers, and presses each key."""

    def __init__(self, address: str) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.results: dict[str, dict[str, Any]] = {
            "CreateSession": {"session_handle": ("s", _SESSION)},
            "BindShortcuts": {},
        }
        self._line = open_dbus_connection(address)
        self._line.send_and_get_reply(message_bus.RequestName(_NAME))
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        self._line.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(30)
        self._line.close()

    def _serve(self) -> None:
        while True:
            try:
                message = self._line.receive()
            except OSError:
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(message)

    def _answer(self, message: Any) -> None:
        member = message.header.fields[HeaderFields.member]
        self.calls.append((member, message.body))
        if member == "Register":
            self._line.send(new_method_return(message))
            return
        sender = message.header.fields[HeaderFields.sender].removeprefix(":").replace(".", "_")
        token = message.body[-1]["handle_token"][1]
        request = f"{_PATH}/request/{sender}/{token}"
        self._line.send(new_method_return(message, "o", (request,)))
        code = 0 if member in self.results else 1
        self._emit(request, "Request", "Response", "ua{sv}", (code, self.results.get(member, {})))
        if member == "BindShortcuts":
            pressed: tuple[Any, ...] = (message.body[0], message.body[1][0][0], 1, {})
            self._emit(_PATH, "GlobalShortcuts", "Activated", "osta{sv}", pressed)

    def _emit(self, path: str, interface: str, name: str, kinds: str, body: object) -> None:
        address = DBusAddress(path, interface=f"org.freedesktop.portal.{interface}")
        self._line.send(new_signal(address, name, kinds, body))


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "wayland")
    with session_bus() as running:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", running)
        yield running


@pytest.fixture
def portal(address: str) -> Iterator[ScriptedPortal]:
    running = ScriptedPortal(address)
    yield running
    running.close()


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    return window


def test_a_key_bound_at_the_portal_is_heard(
    qtbot: QtBot, portal: ScriptedPortal, window: QWidget
) -> None:
    key = GlobalKey(window)
    with qtbot.waitSignal(key.pressed):
        key.apply(Settings(quick_key="Ctrl+Alt+Space"))
    (register, _), (create, _), (bind, (session, shortcuts, *_)) = portal.calls
    assert (register, create, bind) == ("Register", "CreateSession", "BindShortcuts")
    assert session == _SESSION
    assert shortcuts[0][1]["preferred_trigger"] == ("s", "CTRL+ALT+space")


def test_a_missing_portal_for_keys_is_reported(
    qtbot: QtBot, address: str, window: QWidget
) -> None:
    key = GlobalKey(window)
    with qtbot.waitSignal(key.refused):
        key.apply(Settings(quick_key="Meta+B"))


def test_the_portal_gives_the_screenshot_and_none_if_the_user_refuses(
    qtbot: QtBot, portal: ScriptedPortal, window: QWidget
) -> None:
    screenshot = Screenshot(window)
    with qtbot.waitSignal(screenshot.failed):
        screenshot.take()
    portal.results["Screenshot"] = {"uri": ("s", "file:///home/a%20b.png")}
    with qtbot.waitSignal(screenshot.taken) as taken:
        screenshot.take()
    assert taken.args == [Path("/home/a b.png")]
