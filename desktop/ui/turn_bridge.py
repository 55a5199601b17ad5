"""Carries turns and other background work to the pool and their results back to the window.

Workers emit on this one QObject and, besides the progress of a conversion in `app.window`, on
nothing else; it is made on the GUI thread, so every slot and every callback runs there.
"""

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from functools import partial
from inspect import getclosurevars
from threading import Event
from types import FunctionType
from typing import Protocol, TypeVar

from PySide6.QtCore import QObject, Signal, Slot
from shiboken6 import isValid

from desktop.domain.errors import AppError
from desktop.domain.events import Outcome, TurnEnded, TurnEvent
from desktop.domain.ids import TurnId

log = logging.getLogger(__name__)

T = TypeVar("T")


class RunningTurn(Protocol):
    """A user message and its answer; `run` is called on a worker."""

    @property
    def id(self) -> TurnId: ...

    @property
    def cancelled(self) -> Event: ...

    def run(self, emit: Callable[[TurnEvent], None]) -> None: ...


def ignore(_: object) -> None:
    """Do nothing: the default callback."""


def has_receiver(callback: Callable[..., object]) -> bool:
    """Whether the Qt object whose method, or closure over `self`, this is still exists."""
    while isinstance(callback, partial):
        callback = callback.func
    owner = getattr(callback, "__self__", None)
    if isinstance(callback, FunctionType):
        owner = getclosurevars(callback).nonlocals.get("self")
    return not isinstance(owner, QObject) or isValid(owner)


class TurnBridge(QObject):
    """The only object a worker may emit on. Create it on the GUI thread."""

    arrived = Signal(object)  # TurnEvent
    settled = Signal(object)  # TurnEnded of a cancelled turn, once its worker has finished
    broke = Signal(str)  # name of an exception that is our own fault; the log has the rest

    _from_worker = Signal(object)
    _from_job = Signal(object)
    """One object: a signal of two crashed PySide 6.11 in every fourth run of its test."""

    def __init__(
        self, pool: Executor, parent: QObject | None = None, *, turns: Executor | None = None
    ) -> None:
        """`turns`: where turns run, if not in the pool; they wait long, other work must not."""
        super().__init__(parent)
        self._pool, self._turns = pool, turns or pool
        self._live: dict[TurnId, RunningTurn] = {}
        self._late: set[TurnId] = set()
        self.closing = Event()
        self._branches: list[TurnBridge] = []
        self._from_worker.connect(self._deliver)
        self._from_job.connect(self._call)

    def is_late(self, turn_id: TurnId) -> bool:
        """Whether the worker of this cancelled turn is still running."""
        return turn_id in self._late

    def branch(self, parent: QObject, pool: Executor | None = None) -> "TurnBridge":
        """Return a bridge for another conversation or work; it closes with this one.

        `pool`: if it is not the same.
        """
        made = TurnBridge(pool or self._pool, parent, turns=self._turns)
        self._branches.append(made)
        return made

    def start(self, turn: RunningTurn) -> None:
        if not self.closing.is_set():
            self._live[turn.id] = turn
            self._turns.submit(self._run_turn, turn)

    def cancel(self, turn_id: TurnId) -> None:
        """Free the window at once; the worker catches up later and its late text is dropped."""
        if turn := self._live.pop(turn_id, None):
            turn.cancelled.set()
            self._late.add(turn_id)
            self.arrived.emit(TurnEnded(turn_id, Outcome.STOPPED))

    def cancel_all(self) -> None:
        for turn_id in tuple(self._live):
            self.cancel(turn_id)
        for branch in filter(isValid, self._branches):
            branch.cancel_all()

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None] = ignore,
        failed: Callable[[AppError], None] = ignore,
        settled: Callable[[], None] | None = None,
    ) -> None:
        """Do `work` on a worker; the callbacks run on the GUI thread.

        `settled` is called once at the very end, whatever happened, even after a bug.
        """
        self._submit(lambda: partial(done, work()), failed, settled)

    def run_each(
        self,
        work: Callable[[], Iterable[T]],
        done: Callable[[T], None],
        failed: Callable[[AppError], None] = ignore,
        settled: Callable[[], None] | None = None,
    ) -> None:
        """Like `run` for work that yields: `done` gets each result as it comes."""

        def each() -> None:  # worker thread
            for item in work():
                self._from_job.emit((partial(done, item), None))

        self._submit(each, failed, settled)

    def close(self) -> None:
        """Refuse new work, cancel what streams, and drop late results."""
        self.closing.set()
        for turn in self._live.values():
            turn.cancelled.set()
        self._live.clear()
        for branch in filter(isValid, self._branches):
            branch.close()

    def _run_turn(self, turn: RunningTurn) -> None:  # worker thread
        try:
            turn.run(self._from_worker.emit)
        except Exception as exc:  # thread boundary: a bug must reach the user
            log.exception("turn %s broke", turn.id)
            bug = type(exc).__name__
            self._from_worker.emit(TurnEnded(turn.id, Outcome.FAILED, bug=bug))

    def _submit(
        self,
        work: Callable[[], Callable[[], None] | None],
        failed: Callable[[AppError], None],
        settled: Callable[[], None] | None,
    ) -> None:
        """The result and `settled` arrive in one event, with no key press in between."""

        def run() -> None:  # worker thread
            try:
                last = work()
            except AppError as exc:
                last = partial(failed, exc)
            except Exception as exc:  # thread boundary: a bug must reach the user
                log.exception("background work broke")
                last = partial(self.broke.emit, type(exc).__name__)
            self._from_job.emit((last, settled))

        if not self.closing.is_set():
            self._pool.submit(run)

    @Slot(object)
    def _deliver(self, event: TurnEvent) -> None:
        if event.turn_id not in self._live:
            if isinstance(event, TurnEnded) and not self.closing.is_set():
                self._late.discard(event.turn_id)
                self.settled.emit(event)
            return
        if isinstance(event, TurnEnded):
            del self._live[event.turn_id]
        self.arrived.emit(event)

    @Slot(object)
    def _call(
        self, callbacks: tuple[Callable[[], None] | None, Callable[[], None] | None]
    ) -> None:
        if self.closing.is_set():
            return
        last, settled = callbacks
        try:
            if last is not None and has_receiver(last):
                last()
        finally:
            if settled is not None and has_receiver(settled):
                settled()
