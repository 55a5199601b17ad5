"""Synchronises by itself while the window is open, on a thread of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.domain.errors import AppError
from desktop.ui.services import Worker

if TYPE_CHECKING:
    from desktop.sessions.syncing.sync import Syncing, SyncReport
    from desktop.ui.turn_bridge import TurnBridge

_LOOKS_S = 2.0  # Of one wait for news, after which it looks whether to go on
_GATHERS_S = 0.5  # After the first of several changes
_QUIET_S = 60.0  # Without news, after which the hash of everything is due
_SELDOM_S = 600.0  # Without news, after which the states of the others are read
_FIRST_REST_S, _LONGEST_REST_S = 2.0, 60.0
"""After a run that failed or did nothing, doubled each time."""
_CLOSING_MS = 1_000


class BackgroundSync(QObject):
    """Nothing is imported or started before `start`."""

    ran = Signal(object)  # SyncReport
    failed = Signal(object)  # AppError
    ended = Signal()  # It is off or paused
    finished = Signal()  # The window may close

    def __init__(self, worker: Worker, parent: QObject, is_idle: Callable[[], bool]) -> None:
        """`is_idle`: whether nobody uses the window; its own thread asks."""
        super().__init__(parent)
        self._worker, self._is_idle = worker, is_idle
        self._stopped = Event()
        self._pool: ThreadPoolExecutor | None = None
        self._bridge: TurnBridge | None = None
        self.is_following = False
        self._is_finishing = False

    def start(self) -> None:
        """Follow the other devices, if that is not done already."""
        if self.is_following or self._stopped.is_set():
            return
        self.is_following = True
        syncing, bridge = self._worker.services.syncing, self._own_bridge()
        bridge.run_each(
            lambda: follow(syncing, self._stopped, self._is_idle),
            self._take,
            self.failed.emit,
            self._end,
        )

    def finish(self) -> None:
        """Send what is unsent if that takes under a second; else the next start does."""
        self._stopped.set()
        self._is_finishing = True
        if self._bridge is None:
            self._finish()
            return
        syncing = self._worker.services.syncing
        self._worker.bridge.run(syncing.close)  # may wait for a statement of a server
        self._bridge.run(lambda: send_last(syncing), settled=self._finish)
        QTimer.singleShot(_CLOSING_MS, self, self._finish)

    def join(self) -> None:
        """End its thread, and wait for that; for the thread that ends the program."""
        self._stopped.set()
        if self._pool is not None:
            self._worker.services.syncing.close()
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _own_bridge(self) -> "TurnBridge":
        if self._bridge is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="sync")
            self._bridge = self._worker.bridge.branch(self, self._pool)
        return self._bridge

    def _take(self, result: "SyncReport | AppError") -> None:
        if isinstance(result, AppError):
            self.failed.emit(result)
        else:
            self.ran.emit(result)

    def _end(self) -> None:
        self.is_following = False
        self.ended.emit()

    def _finish(self) -> None:
        if self._is_finishing:
            self._is_finishing = False
            self.finished.emit()


class SyncPace:
    """Decides when a run is due; a clock in seconds tells the time."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._ran_at = clock, clock()
        self.is_full_due = True
        """Whether others do not know the hash of what is here."""
        self._has_problems = False
        self._rest_s = _FIRST_REST_S

    def is_due(self, *, has_news: bool) -> bool:
        quiet_s = _QUIET_S if self.is_full_due or self._has_problems else _SELDOM_S
        return has_news or self._clock() - self._ran_at >= quiet_s

    def rest_after(
        self, result: "SyncReport | AppError", *, has_news: bool, is_full: bool = False
    ) -> float:
        """Return how many seconds nothing is done after a run that had, or had no, news."""
        self._ran_at = self._clock()
        if isinstance(result, AppError):
            return self._longer_rest()
        self._has_problems = bool(result.problems)
        if has_news and not (result.received or result.sent or result.files):
            return self._longer_rest()
        self.is_full_due = has_news or (self.is_full_due and not is_full)
        self._rest_s = _FIRST_REST_S
        return 0.0

    def _longer_rest(self) -> float:
        rest_s, self._rest_s = self._rest_s, min(2 * self._rest_s, _LONGEST_REST_S)
        return rest_s


def follow(
    syncing: "Syncing", stopped: Event, is_idle: Callable[[], bool]
) -> Iterator["SyncReport | AppError"]:
    """Run when there are news until it is off, paused or stopped; yield what each run did.

    `is_idle`: whether the window can spare the time that a hash of everything takes.

    For a thread of its own. Raises StorageError if the place cannot be read.
    """
    pace = SyncPace()
    while not stopped.is_set() and syncing.is_on and not syncing.is_paused:
        has_news = syncing.wait_for_news(_LOOKS_S)
        if not pace.is_due(has_news=has_news) or stopped.wait(_GATHERS_S):
            continue
        is_full = not has_news and pace.is_full_due and is_idle()
        result = _ran(syncing, is_full=is_full)
        yield result
        stopped.wait(pace.rest_after(result, has_news=has_news, is_full=is_full))


def _ran(syncing: "Syncing", *, is_full: bool) -> "SyncReport | AppError":
    try:
        return syncing.run(is_full=is_full)
    except AppError as exc:
        return exc


def send_last(syncing: "Syncing") -> None:
    if syncing.is_on and not syncing.is_paused:
        syncing.run(is_full=False)
