from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, current_thread, main_thread

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject
from pytestqt.qtbot import QtBot

from desktop.domain.errors import DiskFullError
from desktop.domain.events import Outcome, TextArrived, TurnEnded, TurnEvent
from desktop.domain.ids import MessageId, TurnId
from desktop.ui.turn_bridge import TurnBridge
from tests.guards import LogWatch

WORD = MessageId(1)


class ScriptedTurn:
    """Streams its words; waits for `go` before each, if told to."""

    def __init__(self, *words: str, paused: bool = False, breaks: bool = False) -> None:
        self.id = TurnId("t")
        self.cancelled = Event()
        self.go = Event()
        self.over = Event()
        self._words, self._breaks = words, breaks
        if not paused:
            self.go.set()

    def run(self, emit: Callable[[TurnEvent], None]) -> None:
        for word in self._words:
            self.go.wait()
            if self.cancelled.is_set():
                break
            emit(TextArrived(self.id, WORD, word))
        if self._breaks:
            raise ZeroDivisionError
        outcome = Outcome.STOPPED if self.cancelled.is_set() else Outcome.COMPLETE
        self.over.set()
        emit(TurnEnded(self.id, outcome))


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[TurnBridge]:
    with ThreadPoolExecutor(2) as pool:
        yield TurnBridge(pool)


def test_turns_that_wait_leave_room_for_other_work(qtbot: QtBot) -> None:
    with ThreadPoolExecutor(1) as pool, ThreadPoolExecutor(9) as turns:
        bridge = TurnBridge(pool, turns=turns)
        waiting = [ScriptedTurn("a", paused=True) for _ in range(9)]
        for number, turn in enumerate(waiting):
            turn.id = TurnId(f"t{number}")
            bridge.branch(bridge).start(turn)
        done: list[int] = []
        bridge.run(lambda: 7, done.append)
        qtbot.waitUntil(lambda: done == [7])
        for turn in waiting:
            turn.go.set()


def test_events_arrive_in_order_on_the_gui_thread(qtbot: QtBot, bridge: TurnBridge) -> None:
    seen: list[TurnEvent] = []
    threads = set()
    bridge.arrived.connect(seen.append)
    bridge.arrived.connect(lambda _: threads.add(current_thread()))
    bridge.start(ScriptedTurn("a", "b"))
    qtbot.waitUntil(lambda: len(seen) == 3)
    assert seen == [
        TextArrived(TurnId("t"), WORD, "a"),
        TextArrived(TurnId("t"), WORD, "b"),
        TurnEnded(TurnId("t"), Outcome.COMPLETE),
    ]
    assert threads == {main_thread()}


def test_cancel_frees_the_window_at_once_and_drops_late_text(
    qtbot: QtBot, bridge: TurnBridge
) -> None:
    turn = ScriptedTurn(*"abcdef", paused=True)
    seen: list[TurnEvent] = []
    late: list[TurnEvent] = []
    bridge.arrived.connect(seen.append)
    bridge.settled.connect(late.append)
    bridge.start(turn)
    bridge.cancel(turn.id)
    assert seen == [TurnEnded(turn.id, Outcome.STOPPED)]
    assert bridge.is_late(turn.id)
    assert turn.cancelled.is_set()
    turn.go.set()
    qtbot.waitUntil(lambda: bool(late) and not bridge.is_late(turn.id))
    assert turn.over.is_set()
    assert len(seen) == 1


def test_a_bug_in_a_turn_ends_it_as_failed_and_is_named(
    qtbot: QtBot, bridge: TurnBridge, log_watch: LogWatch
) -> None:
    seen: list[TurnEvent] = []
    bridge.arrived.connect(seen.append)
    bridge.start(ScriptedTurn(breaks=True))
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [TurnEnded(TurnId("t"), Outcome.FAILED, bug="ZeroDivisionError")]
    log_watch.expect("desktop.ui.turn_bridge", "broke")


def test_work_runs_on_a_worker_and_reports_on_the_gui_thread(
    qtbot: QtBot, bridge: TurnBridge
) -> None:
    told: list[object] = []
    bridge.run(current_thread, told.append, settled=lambda: told.append(current_thread()))
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told[0] is not main_thread()
    assert told[1] is main_thread()


class Listener(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []

    def hear(self, result: object) -> None:
        self.told.append(result)

    def both(self) -> tuple[Callable[[object], None], Callable[[], None]]:
        return self.hear, lambda: self.hear("settled")


def test_a_late_result_does_not_reach_what_was_deleted(qtbot: QtBot, bridge: TurnBridge) -> None:
    go, over = Event(), list[object]()
    here, gone = Listener(), Listener()
    for one in (here, gone):
        done, settled = one.both()
        bridge.run(lambda: go.wait(5), done, settled=settled)
    shiboken6.delete(gone)
    go.set()
    bridge.run(lambda: None, over.append)
    qtbot.waitUntil(lambda: bool(over))
    qtbot.waitUntil(lambda: bool(here.told))
    assert (here.told, gone.told) == ([True, "settled"], [])


class Deliveries(QObject):
    """Records each delivery by Qt of a worker's signal."""

    def __init__(self, told: list[str]) -> None:
        super().__init__()
        self._told = told

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.MetaCall:
            self._told.append("delivery")
        return False


def test_no_event_comes_between_the_failure_of_work_and_its_end(
    qtbot: QtBot, bridge: TurnBridge
) -> None:
    def work() -> None:
        raise DiskFullError

    told: list[str] = []
    deliveries = Deliveries(told)
    bridge.installEventFilter(deliveries)
    bridge.run(
        work,
        failed=lambda error: told.append(type(error).__name__),
        settled=lambda: told.append("settled"),
    )
    qtbot.waitUntil(lambda: "settled" in told)
    assert told[:3] == ["delivery", "DiskFullError", "settled"]


def test_a_bug_in_other_work_is_reported_and_the_work_settled(
    qtbot: QtBot, bridge: TurnBridge, log_watch: LogWatch
) -> None:
    settled: list[bool] = []
    with qtbot.waitSignal(bridge.broke) as signal:
        bridge.run(lambda: 1 // 0, settled=lambda: settled.append(True))
    assert signal.args == ["ZeroDivisionError"]
    qtbot.waitUntil(lambda: bool(settled))
    log_watch.expect("desktop.ui.turn_bridge", "broke")


def test_each_result_of_yielding_work_is_delivered(qtbot: QtBot, bridge: TurnBridge) -> None:
    told: list[int] = []
    bridge.run_each(lambda: iter(range(3)), told.append)
    qtbot.waitUntil(lambda: len(told) == 3)
    assert told == [0, 1, 2]


def test_after_closing_nothing_is_started_or_reported(qtbot: QtBot, bridge: TurnBridge) -> None:
    turn = ScriptedTurn("a", paused=True)
    seen: list[object] = []
    bridge.arrived.connect(seen.append)
    bridge.settled.connect(seen.append)
    bridge.start(turn)
    bridge.close()
    turn.go.set()
    qtbot.waitUntil(turn.over.is_set)
    bridge.run(lambda: seen.append("work"))
    refused = ScriptedTurn("b")
    bridge.start(refused)
    assert turn.cancelled.is_set()
    assert seen == []
    assert not refused.over.is_set()
