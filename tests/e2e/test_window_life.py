"""How a window closes, and what the next one finds, through the real SDK."""

from collections.abc import Callable
from itertools import pairwise
from threading import Event
from time import monotonic

import pytest

from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import EndReason, SessionStatus
from desktop.settings.paths import Paths
from desktop.storage.archive import Archive
from desktop.ui.timers import make_timer
from tests.e2e.person import Person, describes, description
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step, Waits

_TIDES, _BREAD = "Gelgit neden olur?", "Ekşi mayalı ekmek hamuru kaç saat mayalandırılır?"
_TITLE = "Gelgitin nedenleri"
_STALL_S = 0.3
"""Far above what a busy machine adds, and below what waiting for the worker takes."""


def test_a_worker_that_hangs_holds_neither_the_window_nor_its_thread_when_it_closes(
    connected: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(connected)
    let_go, turns = Event(), [monotonic()]
    person.program._pool.submit(let_go.wait, 20)
    timer = make_timer(person.program, 1)
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
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop.ui.window.background_scheduler._FIRST_DESCRIBING_MS", 500)
    never = Waits(Event())

    def answer(request: Request) -> Step:
        return SaysJson(description(_TITLE)) if describes(request) else Says("Tamam.")

    def hangs_describing(request: Request) -> Step:
        return Says(chunks=[never]) if describes(request) else answer(request)

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
    bread, tides = stored().sessions.sessions(EVERYTHING)
    assert (bread.status, bread.end_reason) == (SessionStatus.COMPLETE, EndReason.CLOSED)
    assert bread.title is None
    assert tides.title != _TITLE

    server.default = answer
    later = start(connected)
    assert "unfinished" not in later.strips
    later.waits_until(lambda: later.parts.composer.text == "yarım kalan bir cümle")
    later.waits_until(lambda: [one.title for one in later.sessions] == [_TITLE] * 2)
    later.waits_until(lambda: {one.title for one in later.rows} == {_TITLE})
    assert [row.session_id for row in later.searches("mayalandir")] == [bread.id]
