"""A model calls tools while the window watches: reported in one line, asked about if necessary."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.endpoints import Capabilities
from desktop.domain.facts import FactFilter
from desktop.domain.outside_tools import ToolServer
from desktop.domain.projects import EVERYTHING
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from desktop.ui.dialogs.information_dialogs import ArgumentsDialog
from desktop.ui.widgets.fields import TextArea
from tests import outside_server
from tests.e2e.person import Person
from tests.fakes import CallsTool, Says, ScriptedServer

SAVES = CallsTool(
    "memory_save",
    {"content": "Kullanıcı Bursa'da yaşıyor.", "topic": "Yaşam", "quote": "Bursa'da yaşıyorum"},
)
SAYS = "Ben Bursa'da yaşıyorum. Hafta sonu nereye gidebilirim?"


def let_call(data: Paths) -> None:
    store = SettingsStore(data)
    settings = store.load()
    able = tuple(replace(one, capabilities=Capabilities(tools=True)) for one in settings.endpoints)
    store.save(replace(settings, endpoints=able))


def tool_questions(person: Person) -> list[str]:
    """The notices that ask whether a tool may run, one for each turn."""
    return [words for key, words in person.strips.items() if key.startswith("tool ")]


def test_the_status_bar_shows_the_action_of_a_tool_until_the_next_question(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    let_call(connected)
    person = start(connected)
    server.then(SAVES, CallsTool("memory_recall", {"words": "şehir"}), Says("Aklımda."))
    person.says(SAYS)
    assert person.words == [SAYS, "Aklımda."]
    assert (
        "Hatırlanacak bir bilgi eklendi · Hatırlananlarda arandı"
        in person.parts.status._doing.text()
    )
    assert [fact.content for fact in person.archive.facts.facts(FactFilter(EVERYTHING))] == [
        "Kullanıcı Bursa'da yaşıyor."
    ]
    person.says("Peki orada ne yenir acaba?")
    assert "Bellek" not in person.parts.status._doing.text()


def add_server(person: Person, behaviour: str, called: Path) -> None:
    """Add a server of tools from elsewhere, and end it, as the next start of Bellek would."""
    command = (sys.executable, outside_server.__file__, behaviour, str(called))
    servers = person.services.tool_servers
    servers.add(servers.check(ToolServer(name="port", command=command)), {})
    person.services.outside_tools.end("port")


@pytest.mark.parametrize(("button", "is_called"), [("İzin ver", True), ("İzin verme", False)])
def test_a_tool_from_elsewhere_waits_with_all_its_arguments(
    server: ScriptedServer,
    connected: Paths,
    start: Callable[[Paths], Person],
    tmp_path: Path,
    button: str,
    is_called: bool,  # noqa: FBT001 - pytest's way
) -> None:
    let_call(connected)
    person = start(connected)
    add_server(person, "friendly", tmp_path / "called")
    arguments = {"harbour": "Foça", "note": "x" * 400}
    server.then(CallsTool("port__tide", arguments), Says("Öğlen."))
    with person.until_answered():
        person.sends("Foça limanında su ne zaman yükselir?")
        person.waits_until(lambda: bool(tool_questions(person)))
        assert "“port” araç sunucusunun “tide” aracını" in tool_questions(person)[0]
        assert '"harbour": "Foça"' in tool_questions(person)[0]
        person.presses("Tümünü göster…")
        person.waits_until(lambda: any(map(is_arguments, QApplication.topLevelWidgets())))
        (dialog,) = filter(is_arguments, QApplication.topLevelWidgets())
        (area,) = dialog.findChildren(TextArea)
        assert json.loads(area.text()) == arguments
        dialog.close()
        person.presses(button)
    assert person.words[-1] == "Öğlen."
    assert tool_questions(person) == []
    assert (tmp_path / "called").exists() is is_called


def is_arguments(widget: QWidget) -> bool:
    return isinstance(widget, ArgumentsDialog) and widget.isVisible()


def test_the_window_says_which_tools_have_changed_and_leads_to_them(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person], tmp_path: Path
) -> None:
    let_call(connected)
    person = start(connected)
    add_server(person, "changes_description", tmp_path / "called")
    server.then(Says("Öğlen."))
    person.says("Foça limanında su ne zaman yükselir?")
    assert "port araçları yeni ya da değişti" in person.strips["tools_changed"]
    person.presses("Bak…")
    person.waits_until(lambda: "Bu araçları sun" in person.buttons)
    person.presses("Bu araçları sun")
    person.waits_until(lambda: person.services.tool_servers.unseen() == [])
    assert not (tmp_path / "called").exists()
