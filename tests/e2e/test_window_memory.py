"""The memory through the window: learned, shown, sent, forgotten."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.domain.facts import FactFilter
from desktop.domain.projects import EVERYTHING
from desktop.settings.paths import Paths
from desktop.ui.memory.memory_page import FactsPage
from tests.e2e.person import Person, describes, description
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step

_HOME = "Ankara'da yaşıyorum, Çankaya'da"
_FACT = "Ankara'da, Çankaya'da yaşıyor."
_LEARNED = {
    "topic": "Kişisel",
    "fact": _FACT,
    "importance": 8,
    "quote": _HOME,
    "about": "home city",
    "replaces": 0,
}


def _answer(request: Request) -> Step:
    told = description("Tanışma", "Ankara", "tanışma", "ev", facts=[_LEARNED])
    return SaysJson(told) if describes(request) else Says("Oldu.")


def _memory(person: Person) -> FactsPage:
    person.chooses("memory")
    person.waits_until(lambda: person.program.window.memory.page is not None)
    window = person.program.window.memory.page
    assert window is not None
    person.waits_until(lambda: window.is_loaded)
    return window


def _held(person: Person) -> list[str]:
    return [fact.content for fact in person.archive.facts.facts(FactFilter(EVERYTHING))]


def test_facts_of_a_session_are_announced_shown_sent_and_forgotten(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    server.default = _answer
    person = start(connected)
    person.says(f"{_HOME}. Bana ona göre yaz.")
    person.says("Peki orası kalabalık mı?")
    person.chooses("end_session")
    person.waits_until(lambda: f"Hatırlanacak: {_FACT}" in person.strips.values())

    memory = _memory(person)
    person.waits_until(lambda: memory.model.match_count == 1)
    memory.search.setText("çankaya")
    assert memory.model.match_count == 1
    memory.close()

    person.says("Bugün hava nasıl?")
    assert _FACT in server.asked[-1].newest
    person.waits_until(lambda: bool(person.messages[-1].facts.remembered))
    assert "1 bilgi gönderildi" in person.buttons

    memory = _memory(person)
    memory.list.enter()
    QTest.keyClick(memory.list, Qt.Key.Key_Delete)
    person.waits_until(lambda: _held(person) == [])
    memory.close()
    person.says("Peki yarın?")
    assert _FACT not in server.asked[-1].newest
