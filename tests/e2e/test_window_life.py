"""How a session ends and comes back, through the window and the real SDK."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from threading import Event
from time import monotonic

import pytest
from PySide6.QtCore import QTimer

from desktop.domain.sessions import EndReason, Session, SessionStatus
from desktop.settings.paths import Paths
from desktop.storage.archive import Archive
from tests.e2e.person import Person
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step, Waits

_TIDES = "Gelgit neden olur?"
_WHY = (
    "Gelgit, Ay'ın çekiminin okyanus sularını kabartmasıyla ve Dünya'nın kendi çevresinde "
    "dönmesiyle oluşur; kıyıda deniz düzeyi günde iki kez yükselir ve alçalır."
)
_SPRING = "Peki büyük gelgit nedir?"
_WHEN = "Büyük gelgit, Güneş ile Ay'ın aynı doğrultuda çektiği yeni ay ve dolunay günlerinde olur."
_NEAP = "Küçük gelgit nedir?"
_HALF = (
    "Küçük gelgit, Ay ilk ya da son dördündeyken, iki gök cisminin çekimi dik açı yaptığında "
    "görülür; o günlerde yükselme ile alçalma arasındaki fark en azdır."
)
_BREAD = "Ekşi mayalı ekmek hamuru kaç saat mayalandırılır?"
_HOURS = "Oda sıcaklığında sekiz ile on iki saat."
_ANSWERS = {_TIDES: _WHY, _SPRING: _WHEN, _NEAP: _HALF, _BREAD: _HOURS}
_DESCRIPTION = {
    "title": "Gelgitin nedenleri",
    "summary": "Gelgit, Ay'ın ve Güneş'in çekimiyle oluşur.",
    "topics": ["gelgit", "Ay", "Güneş"],
    "facts": [],
}
_UNDO = "Geri al"
_STALL_S = 0.3
"""Far above what a busy machine adds, and below what waiting for the worker takes."""


def _describes(request: Request) -> bool:
    return request.newest.startswith("user: ")


def _answer(request: Request) -> Step:
    if _describes(request):
        return SaysJson(_DESCRIPTION)
    said = [block["text"] for block in request.messages[-1]["content"]]
    return Says(next((_ANSWERS[one] for one in reversed(said) if one in _ANSWERS), "Tamam."))


@pytest.fixture
def person(server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]) -> Person:
    """At a window whose model explains tides and bread."""
    server.default = _answer
    return start(connected)


def _asked(server: ScriptedServer) -> Request:
    """The last question that the model was asked."""
    return [request for request in server.asked if not _describes(request)][-1]


def _of(person: Person, session: Session) -> Session:
    return person.archive.sessions.session(session.id)


def _active(person: Person) -> Session:
    found = person.program.window.sessions.active
    assert found is not None
    return found


def test_thanks_end_the_session_and_undo_makes_it_active_again(
    server: ScriptedServer, person: Person
) -> None:
    person.says(_TIDES)
    session = _active(person)
    person.says("tamam anladım, teşekkürler")
    assert _of(person, session).end_reason is EndReason.THANKS
    assert person.program.window.sessions.active is None
    assert "teşekkürler" in person.notices[-1]
    person.waits_until(lambda: "“Gelgitin nedenleri” adıyla saklandı." in person.notices[-1])
    person.waits_until(lambda: person.rows[0].title == "Gelgitin nedenleri")

    person.presses(_UNDO)
    person.waits_until(lambda: person.program.window.sessions.active is not None)
    assert _of(person, session).status is SessionStatus.ACTIVE
    assert _of(person, session).end_reason is None
    person.waits_until(lambda: person.notices == ["Son mesajın henüz yanıtlanmadı."])
    assert person.searches("gelgit") == []
    person.parts.sidebar.search.clear()

    person.says(_SPRING)
    assert _active(person).id == session.id
    assert person.words[-2:] == [_SPRING, _WHEN]
    assert _asked(server).said[0] == ("user", _TIDES)


def test_an_idle_session_ends_but_never_while_somebody_is_at_it(
    server: ScriptedServer, person: Person
) -> None:
    person.says(_TIDES)
    session = _active(person)
    chores = person.program.window.background

    def time_passes(minutes: int) -> None:
        at = chores._now() + timedelta(minutes=minutes)
        chores._now = lambda: at

    def the_clock_is_looked_at() -> None:
        with person.qtbot.waitSignal(chores.clock_seen):
            chores._minute.timeout.emit()

    go_on = Waits(Event())
    server.then(Says(chunks=["Büyük gelgit ", go_on, "dolunayda olur."]))
    person.sends(_SPRING)
    person.waits_until(go_on.reached.is_set)
    time_passes(45)
    the_clock_is_looked_at()
    assert person.core.assistant.idle_end(chores._now()) is None
    with person.until_answered():
        go_on.until.set()
    assert _active(person).id == session.id

    person.types("Peki ya kü")
    time_passes(29)
    the_clock_is_looked_at()
    assert _active(person).id == session.id

    person.parts.composer.clear()
    time_passes(31)
    the_clock_is_looked_at()
    person.waits_until(lambda: person.program.window.sessions.active is None)
    assert _of(person, session).end_reason is EndReason.IDLE
    assert "Bir süredir yazmadığın için oturum bitti." in person.notices[-1]
    person.presses(_UNDO)
    person.waits_until(lambda: _active(person).id == session.id)


def test_a_change_of_subject_begins_a_session_and_undo_asks_in_the_old_one(
    server: ScriptedServer, person: Person
) -> None:
    for question in (_TIDES, _SPRING, _NEAP):
        person.says(question)
    tides = _active(person)
    person.says("ikisinin farkı ne?")
    assert _active(person).id == tides.id

    person.says(_BREAD)
    bread = _active(person)
    assert bread.id != tides.id
    assert _of(person, tides).end_reason is EndReason.SUBJECT_CHANGE
    assert person.words == [_BREAD, _HOURS]
    assert any("yeni bir oturum başladı" in notice for notice in person.notices)

    with person.until_answered():
        person.presses(_UNDO)
    person.waits_until(lambda: person.words[-2:] == [_BREAD, _HOURS] and len(person.words) == 10)
    assert _active(person).id == tides.id
    assert [one.id for one in person.sessions] == [tides.id]
    assert [row.session_id for row in person.rows] == [tides.id]
    assert _asked(server).said[0] == ("user", _TIDES)
    assert [one.content for one in person.shown][-2:] == [_BREAD, _HOURS]


def test_continuing_a_past_session_ends_the_active_one_as_replaced(person: Person) -> None:
    person.says(_TIDES)
    tides = _active(person)
    person.says("teşekkürler")
    person.waits_until(lambda: _of(person, tides).title is not None)
    person.says(_BREAD)
    bread = _active(person)

    (row,) = [row for row in person.rows if row.session_id == tides.id]
    person.opens(row)
    assert not person.parts.composer.isVisible()
    person.presses("Bu oturumu sürdür")
    person.waits_until(person.parts.composer.isVisible)
    assert _active(person).id == tides.id
    assert _of(person, tides).title == _DESCRIPTION["title"]
    replaced = _of(person, bread)
    assert (replaced.status, replaced.end_reason) == (SessionStatus.COMPLETE, EndReason.REPLACED)
    assert person.rows[0].session_id == tides.id

    person.presses(_UNDO)
    person.waits_until(lambda: _active(person).id == bread.id)
    person.waits_until(lambda: person.words == [_BREAD, _HOURS])
    assert _of(person, bread).status is SessionStatus.ACTIVE


def test_a_worker_that_hangs_holds_neither_the_window_nor_its_thread_when_it_closes(
    connected: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(connected)
    let_go, turns = Event(), [monotonic()]
    person.program._pool.submit(let_go.wait, 20)
    timer = QTimer(interval=1)
    timer.timeout.connect(lambda: turns.append(monotonic()))
    timer.start()
    with person.qtbot.waitSignal(person.program.finished) as ended:
        person.program.window.close()
    turns.append(monotonic())
    timer.stop()
    let_go.set()
    assert ended.args == [False]
    assert max(later - earlier for earlier, later in pairwise(turns)) < _STALL_S


def test_closing_ends_the_session_and_the_next_start_describes_it(
    server: ScriptedServer,
    connected: Paths,
    start: Callable[[Paths], Person],
    stored: Callable[[], Archive],
) -> None:
    never = Waits(Event())

    def hangs_describing(request: Request) -> Step:
        return Says(chunks=[never]) if _describes(request) else _answer(request)

    server.default = hangs_describing
    person = start(connected)
    person.says(_TIDES)
    person.says("teşekkürler")
    person.waits_until(never.reached.is_set)
    person.says(_BREAD)
    person.types("yarım kalan bir cümle")
    began = monotonic()
    person.closes()
    assert monotonic() - began < 3
    bread, tides = stored().sessions.sessions()
    assert (bread.status, bread.end_reason) == (SessionStatus.COMPLETE, EndReason.CLOSED)
    assert bread.title is None
    assert tides.title != _DESCRIPTION["title"]

    server.default = _answer
    later = start(connected)
    assert "unfinished" not in later.strips
    later.waits_until(lambda: later.parts.composer.text == "yarım kalan bir cümle")
    later.waits_until(lambda: [one.title for one in later.sessions] == ["Gelgitin nedenleri"] * 2)
    later.waits_until(lambda: {one.title for one in later.rows} == {"Gelgitin nedenleri"})
    assert [row.session_id for row in later.searches("mayalandir")] == [bread.id]
