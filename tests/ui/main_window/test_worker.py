"""What a window asks for again and again is shown as it was asked for last."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from PySide6.QtWidgets import QApplication

from desktop.domain.errors import SessionUnknownError
from desktop.ui.services import WindowServices, Worker
from desktop.ui.turn_bridge import TurnBridge
from tests.ui.main_window.stage import Stage


def test_an_answer_that_was_asked_for_earlier_is_not_told_after_a_later_one(
    stage: Stage, qapp: QApplication
) -> None:
    go, told = Event(), list[str]()

    def slowly(_: WindowServices) -> str:
        go.wait()
        return "earlier"

    with ThreadPoolExecutor(2) as pool:
        worker = Worker(TurnBridge(pool))
        worker.attach(stage.services)
        worker.do_latest("list", slowly, told.append)
        worker.do_latest("another", lambda _: "other", told.append)
        stage.until(lambda: told == ["other"])
        worker.do_latest("list", lambda _: "later", told.append)
        stage.until(lambda: "later" in told)
        go.set()
    qapp.processEvents()
    assert told == ["other", "later"]


def test_what_is_done_in_turn_waits_for_what_was_asked_before_also_where_that_fails(
    stage: Stage,
) -> None:
    go, done, told = Event(), list[str](), list[str]()

    def slowly(_: WindowServices) -> str:
        go.wait()
        done.append("first")
        raise SessionUnknownError(session="first")

    def quickly(_: WindowServices) -> str:
        done.append("second")
        return "second"

    with ThreadPoolExecutor(3) as pool:
        worker = Worker(TurnBridge(pool))
        worker.attach(stage.services)
        worker.failed.connect(lambda _: told.append("failed"))
        worker.do_in_turn(slowly, told.append)
        worker.do_in_turn(quickly, told.append)
        worker.do(lambda _: "beside", told.append)
        stage.until(lambda: told == ["beside"])
        assert done == []
        go.set()
        stage.until(lambda: told == ["beside", "failed", "second"])
    assert done == ["first", "second"]


def test_of_two_names_the_one_that_was_given_last_stays(library: Stage) -> None:
    one = library.archive.sessions.sessions()[0]
    names = [f"Ad {number}" for number in range(12)]
    for name in names:
        library.window.archive.rename(one.id, name)
        library.window.archive.pin(one.id, True)
    with library.qtbot.waitSignals([library.window.archive.changed] * (2 * len(names))):
        pass
    assert names[-1] in library.rows()
    kept = library.archive.sessions.session(one.id)
    assert (kept.title, kept.is_pinned) == (names[-1], True)
