"""The memory through the window: learned, shown, sent, forgotten; and a session kept nowhere."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.settings.paths import Paths
from desktop.ui.memory.window import MemoryWindow
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.actions import ActionId
from tests.e2e.person import Person
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step

_HOME = "Ankara'da yaşıyorum, Çankaya'da"
_FACT = "Ankara'da, Çankaya'da yaşıyor."
_TOLD = "Zümrüdüanka'nın kanadı kırıldı"
_DESCRIPTION = {
    "title": "Tanışma",
    "summary": "Kendini anlattı.",
    "topics": ["Ankara", "tanışma", "ev"],
    "facts": [
        {
            "topic": "Kişisel",
            "fact": _FACT,
            "importance": 8,
            "quote": _HOME,
            "about": "home city",
            "replaces": 0,
        }
    ],
}


def _answer(request: Request) -> Step:
    is_description = request.newest.startswith("user: ")
    return SaysJson(_DESCRIPTION) if is_description else Says("Oldu.")


def _memory(person: Person) -> MemoryWindow:
    person.chooses(ActionId.MEMORY)
    person.waits_until(lambda: person.program.window.memory.window is not None)
    window = person.program.window.memory.window
    assert window is not None
    person.waits_until(lambda: window.is_loaded)
    return window


def _held(person: Person) -> list[str]:
    return [fact.content for fact in person.archive.facts.facts()]


def test_what_a_session_taught_is_told_shown_sent_and_forgotten(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    server.default = _answer
    person = start(connected)
    person.says(f"{_HOME}. Bana ona göre yaz.")
    person.says("Bir de kısa yaz.")
    person.chooses(ActionId.END_SESSION)
    person.waits_until(lambda: f"Hatırlanacak: {_FACT}" in person.strips.values())

    memory = _memory(person)
    person.waits_until(lambda: memory.model.found == 1)
    memory.search.setText("çankaya")
    assert memory.model.found == 1
    memory.close()

    person.says("Bugün hava nasıl?")
    assert _FACT in server.asked[-1].newest
    person.waits_until(lambda: bool(person.messages[-1].facts.remembered))
    assert "Bellekten 1 bilgi" in person.buttons

    memory = _memory(person)
    memory.list.enter()
    QTest.keyClick(memory.list, Qt.Key.Key_Delete)
    person.waits_until(lambda: _held(person) == [])
    memory.close()
    person.says("Peki yarın?")
    assert _FACT not in server.asked[-1].newest


def test_any_message_is_remembered_at_a_press(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    server.default = Says("Kan şekerini **mg/dL** olarak yazacağım.")
    person = start(connected)
    person.says("Kan şekerini nasıl yazacaksın?")
    person.presses_on(2, "Bunu hatırla")
    person.waits_until(lambda: _held(person) == ["Kan şekerini mg/dL olarak yazacağım."])
    person.presses("Geri al")
    person.waits_until(lambda: _held(person) == [])


def test_a_temporary_session_leaves_no_word_on_the_disk(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(connected)
    person.says("Roma neden çöktü?")
    server.default = lambda request: (
        SaysJson(_DESCRIPTION)
        if request.newest.startswith("user: ")
        else Says("Geçmiş olsun, kanarya.")
    )
    person.chooses(ActionId.TEMPORARY)
    person.waits_until(lambda: person.program.window.sessions.is_temporary)
    person.says(_TOLD)
    assert person.words == [_TOLD, "Geçmiş olsun, kanarya."]
    person.types("Gizlitaslak")
    person.program.window.background._keep_draft()
    person.chooses(ActionId.END_SESSION)
    person.waits_until(lambda: bool(person.program.window.findChildren(MessageBox)))
    person.presses("Bitir")
    person.waits_until(lambda: person.program.window.sessions.active is None)
    person.closes()
    kept = _bytes_under(connected.profile("default").folder)
    assert b"Roma" in kept
    for words in ("Zümrüdüanka", "kanarya", "Gizlitaslak"):
        assert words.encode() not in kept


def _bytes_under(folder: Path) -> bytes:
    return b"".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())
