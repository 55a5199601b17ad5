"""Tools from elsewhere in the settings: entered, shown whole, run, decided on, removed."""

import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.outside_tools import ToolConsent
from desktop.domain.times import utc_now
from desktop.research.tools.outside_tools import OutsideTools
from desktop.sessions.tool_servers import ToolServers
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.programs import (
    OUTSIDE_CALLS,
    CallOutcome,
    ProgramCall,
    ProgramCalls,
)
from desktop.settings.store import SettingsStore
from desktop.ui.settings.outside_tools_page import OutsideToolsSection, ServerForm
from desktop.ui.settings_controller import SettingsController
from desktop.ui.turn_bridge import TurnBridge
from tests import outside_server
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import button, choose, shown, texts


class Owner:
    """A profile whose settings the section shows."""

    def __init__(self, folder: Path, bridge: TurnBridge) -> None:
        self.called = folder / "called"
        self.store = SettingsStore(Paths.under(folder))
        self.store.load()
        self.keys = MemoryKeys()
        self.calls = ProgramCalls(folder, OUTSIDE_CALLS)
        self.tools = OutsideTools(lambda _: self.store.current, lambda *_: "", self.calls, utc_now)
        self.servers = ToolServers(self.store, self.keys, self.tools, self.calls)
        self.changes = SettingsController(self.store.current, self.store.change, bridge)
        self.bridge = bridge

    def command(self, behaviour: str = "friendly") -> str:
        words = [sys.executable, outside_server.__file__, behaviour, str(self.called)]
        return shlex.join(words)

    def section(self, qtbot: QtBot) -> OutsideToolsSection:
        section = OutsideToolsSection(self.servers, self.changes, self.bridge)
        section.show_servers(self.changes.settings)
        self.changes.changed.connect(section.show_servers)
        section.load()
        return shown(qtbot, section)


@pytest.fixture
def owner(tmp_path: Path, bridge: TurnBridge) -> Iterator[Owner]:
    owner = Owner(tmp_path, bridge)
    yield owner
    owner.tools.close()


def press(widget: QWidget, text: str) -> None:
    """Press a button, and let what it adds be shown."""
    button(widget, text).click()
    QCoreApplication.sendPostedEvents()


def enter(section: QWidget, command: str, name: str = "", secrets: str = "") -> ServerForm:
    press(section, "Add a server…")
    form = present(section.findChild(ServerForm))
    form.text.setText(command)
    form.name.setText(name)
    form.secrets.setText(secrets)
    press(form, "Show what will run")
    return form


def add(section: QWidget, command: str, name: str = "port") -> None:
    press(enter(section, command, name), "Run it and add its tools")


def choices(widget: QWidget) -> list[QComboBox]:
    return [each for each in widget.findChildren(QComboBox) if each.isVisible()]


def visible_buttons(widget: QWidget) -> list[str]:
    buttons = widget.findChildren(QPushButton)
    return [each.text().replace("&", "") for each in buttons if each.isVisible()]


def test_nothing_runs_before_the_whole_command_was_shown(qtbot: QtBot, owner: Owner) -> None:
    section = owner.section(qtbot)
    form = enter(section, owner.command())
    assert "Run it and add its tools" in visible_buttons(form)
    (whole,) = [text for text in texts(form) if "without a shell" in text]
    assert whole.splitlines()[1:] == shlex.split(owner.command())
    assert owner.tools.known("python") == ()
    assert owner.servers.servers() == ()
    form.text.setText(owner.command("deaf"))
    assert "Run it and add its tools" not in visible_buttons(form)


def test_a_server_is_added_its_tool_decided_on_and_removed(qtbot: QtBot, owner: Owner) -> None:
    section = owner.section(qtbot)
    add(section, owner.command())
    assert any("Tells when the tide is high" in text for text in texts(section))
    (choice,) = choices(section)
    assert choice.currentText() == "Ask each time"
    choose(choice, "Allowed")
    QCoreApplication.sendPostedEvents()
    assert owner.servers.server("port").tools["tide"].consent is ToolConsent.ALLOWED
    assert [each.currentText() for each in choices(section)] == ["Allowed"]
    press(section, "Remove")
    assert owner.servers.servers() == owner.changes.settings.tool_servers == ()
    assert choices(section) == []


def test_pasted_json_fills_the_form_and_its_values_go_to_the_keyring(
    qtbot: QtBot, owner: Owner
) -> None:
    first, *rest = shlex.split(owner.command())
    entry = {"command": first, "args": rest, "env": {"API_KEY": "123"}}
    section = owner.section(qtbot)
    form = enter(section, json.dumps({"mcpServers": {"My Port": entry}}))
    assert form.name.text() == "my-port"
    assert any("API_KEY=…" in text and "123" not in text for text in texts(form))
    press(form, "Run it and add its tools")
    server = owner.servers.server("my-port")
    assert owner.keys.get(server.secret_id("API_KEY")) == "123"


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("no-such-program --x", "There is no program “no-such-program”"),
        ("'half", "There is no program “'half”"),
        ("http://example.org/mcp", "cannot be used"),
        ('{"mcpServers": 5}', "There is no program"),
        ("", "There is no such program"),
    ],
)
def test_what_cannot_be_run_is_said(
    qtbot: QtBot, owner: Owner, command: str, problem: str
) -> None:
    form = enter(owner.section(qtbot), command, "port")
    assert any(problem in text for text in texts(form))
    assert "Run it and add its tools" not in visible_buttons(form)


def test_a_server_that_fails_is_said_and_not_kept(qtbot: QtBot, owner: Owner) -> None:
    section = owner.section(qtbot)
    add(section, owner.command("gone"))
    assert any("“port” ended by itself" in text for text in texts(section))
    assert owner.servers.servers() == ()


def test_a_changed_tool_is_shown_and_offered_once_the_user_agrees(
    qtbot: QtBot, owner: Owner
) -> None:
    section = owner.section(qtbot)
    add(section, owner.command("changes_description"))
    press(section, "Look at its tools")
    assert any("wants your memory" in text for text in texts(section))
    assert choices(section) == []
    press(section, "Offer these tools")
    assert [each.currentText() for each in choices(section)] == ["Ask each time"]
    assert owner.tools.unseen(owner.servers.servers()) == []


def test_a_command_that_was_changed_by_hand_is_run_only_on_a_click(
    qtbot: QtBot, owner: Owner
) -> None:
    add(owner.section(qtbot), owner.command())
    (server,) = owner.servers.servers()
    changed = replace(server, command=(*server.command, "more"))
    owner.store.change(tool_servers=(changed,))
    owner.tools.end("port")
    owner.changes.refresh()
    section = owner.section(qtbot)
    assert any("It is not run before" in text for text in texts(section))
    assert owner.tools.known("port") == ()
    press(section, "Run it and look at its tools")
    assert owner.tools.known("port")


def test_calls_are_listed_and_the_list_is_cleared(qtbot: QtBot, owner: Owner) -> None:
    owner.calls.add(ProgramCall(utc_now(), "port", "tide", CallOutcome.DONE))
    section = owner.section(qtbot)
    assert any("port · tide · done" in text for text in texts(section))
    press(section, "Clear the list")
    assert owner.calls.calls() == []
    assert "No tool from elsewhere was called yet." in texts(section)
    assert "Clear the list" not in visible_buttons(section)
