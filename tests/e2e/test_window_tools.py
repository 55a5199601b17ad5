"""A model calls tools while the window watches: reported in one line, asked about if necessary."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from desktop.domain.endpoints import Capabilities
from desktop.domain.facts import FactFilter
from desktop.domain.projects import EVERYTHING
from desktop.settings.paths import Paths
from desktop.settings.settings import ToolSwitch
from desktop.settings.store import SettingsStore
from tests.e2e.person import Person
from tests.fakes import CallsTool, Says, ScriptedServer

SAVES = CallsTool(
    "memory_save",
    {"content": "Kullanıcı Bursa'da yaşıyor.", "topic": "Yaşam", "quote": "Bursa'da yaşıyorum"},
)
SAYS = "Ben Bursa'da yaşıyorum. Hafta sonu nereye gidebilirim?"


def let_call(data: Paths, tools: dict[str, ToolSwitch]) -> None:
    store = SettingsStore(data)
    settings = store.load()
    able = tuple(replace(one, capabilities=Capabilities(tools=True)) for one in settings.endpoints)
    store.save(replace(settings, endpoints=able, tools=tools))


def test_the_status_bar_shows_the_action_of_a_tool_until_the_next_question(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    let_call(connected, {})
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


@pytest.mark.parametrize(("button", "kept"), [("İzin ver", 1), ("İzin verme", 0)])
def test_a_tool_that_asks_first_waits_for_the_reader(
    server: ScriptedServer,
    connected: Paths,
    start: Callable[[Paths], Person],
    button: str,
    kept: int,
) -> None:
    let_call(connected, {"memory_save": ToolSwitch(asks_first=True)})
    person = start(connected)
    server.then(SAVES, Says("Tamam."))
    with person.until_answered():
        person.sends(SAYS)
        person.waits_until(lambda: "tool" in person.strips)
        assert "Kullanıcı Bursa'da yaşıyor." in person.strips["tool"]
        person.presses(button)
    assert person.words[-1] == "Tamam."
    assert len(person.archive.facts.facts(FactFilter(EVERYTHING))) == kept
    assert "tool" not in person.strips
