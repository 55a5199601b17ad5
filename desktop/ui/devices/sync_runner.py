"""Runs the synchronisation for the window, and remembers what came of it.

While the window is open it runs by itself, on a thread of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.domain.errors import AppError, WrongPassphraseError
from desktop.domain.frozen import dataclass
from desktop.domain.sync import (
    Choice,
    Conflict,
    DeviceId,
    DeviceState,
    SyncPassphraseError,
    SyncProgress,
)
from desktop.domain.times import utc_now
from desktop.ui.services import Worker

if TYPE_CHECKING:
    from desktop.sessions.services import Services
    from desktop.sessions.syncing.syncing import SyncCheck, Syncing, SyncReport
    from desktop.ui.turn_bridge import TurnBridge


@dataclass(frozen=True, slots=True)
class SyncPlace:
    """What this computer knows without its carrier."""

    address: str
    device: DeviceId
    is_paused: bool
    conflicts: Sequence[Conflict]
    projects: Mapping[str, str]
    """Names by id, of those that conflicts may speak of."""


class SyncRunner(QObject):
    changed = Signal()  # What is shown of the synchronisation
    loaded = Signal()  # The place was read
    received = Signal()  # Changes of other devices are in the archive

    def __init__(self, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._worker = worker
        self.place: SyncPlace | None = None
        """None if this profile does not synchronise, or while that is not known."""
        self.devices: Sequence[DeviceState] = ()
        self.is_running = False
        self.report: SyncReport | None = None
        """Of the last run that ended."""
        self.ran_at: datetime | None = None
        self.error: AppError | None = None
        """Why the last run did not end."""

    @property
    def progress(self) -> SyncProgress | None:
        """Return how far the run under way is; never waits."""
        syncing: Syncing | None = vars(self._worker.services).get("syncing")
        return syncing.progress if syncing is not None else None

    def load(self, done: Callable[[], None] = lambda: None) -> None:
        """Read what is known without the carrier."""

        def show(place: SyncPlace | None) -> None:
            self.place = place
            self.changed.emit()
            done()
            self.loaded.emit()

        self._worker.do_latest("sync_place", read_place, show)

    def load_devices(self) -> None:
        """Read what the other devices say of themselves."""

        def show(devices: Sequence[DeviceState]) -> None:
            self.devices = devices
            self.changed.emit()

        if self.place is None or self.is_running:
            return
        self._worker.do_latest(
            "sync_devices",
            lambda services: services.syncing.devices(),
            show,
            self.take_error,
        )

    def set_up(
        self, address: str, passphrase: str, name: str, failed: Callable[[AppError], None]
    ) -> None:
        """Take part; the first run follows. `failed`: gets what prevented taking part."""

        def work(services: "Services") -> SyncPlace | None:
            services.syncing.set_up(address, passphrase, name=name)
            return read_place(services)

        def show(place: SyncPlace | None) -> None:
            self.place = place
            self.is_running = False
            self.run(is_full=True)

        def fail(error: AppError) -> None:
            self.is_running = False
            failed(error)
            self.changed.emit()

        self._begin()
        self._worker.do(work, show, failed=fail)

    def run(
        self, passphrase: str | None = None, *, password: str = "", is_full: bool = False
    ) -> None:
        """`passphrase`, `password` of the server: if they are asked for."""

        def work(services: "Services") -> "SyncReport":
            if password:
                services.syncing.keep_password(password)
            return services.syncing.run(passphrase, is_full=is_full)

        if not self.is_running:
            self._begin()
            self._worker.do(work, self._take_report, self.load, self._end)

    def pause(self, *, is_paused: bool) -> None:
        """Let nothing run by itself, or let it again."""

        def work(services: "Services") -> None:
            if is_paused:
                services.syncing.pause()
            else:
                services.syncing.go_on()

        self._worker.do_in_turn(work, settled=self.load)

    def check(self, done: Callable[["SyncCheck"], None]) -> None:
        """Run, then compare all devices."""

        def show(result: "SyncCheck") -> None:
            self._end(None)
            done(result)

        if not self.is_running:
            self._begin()
            self._worker.do(lambda services: services.syncing.check(), show, self.load, self._end)

    def resolve(self, conflict: Conflict, choice: Choice) -> None:
        def show(_: None) -> None:
            self.received.emit()
            self.run()

        self._worker.do_in_turn(
            lambda services: services.syncing.resolve(conflict.id, choice),
            show,
            self.load,
        )

    def forget(self, device: DeviceId) -> None:
        """Count no longer on a device that is lost."""
        if not self.is_running:
            self._begin()
            self._worker.do(
                lambda services: services.syncing.forget_device(device),
                self._take_report,
                self.load,
                self._end,
            )

    def leave(self, *, is_forced: bool = False) -> None:
        """Stop taking part. `is_forced`: without the carrier, which may be gone."""

        def work(services: "Services") -> None:
            if is_forced:
                services.syncing.forget()
            else:
                services.syncing.leave()

        def show(_: None) -> None:
            self.report, self.ran_at, self.devices = None, None, ()
            self._end(None)

        if not self.is_running:
            self._begin()
            self._worker.do(work, show, self.load, self._end)

    def _begin(self) -> None:
        self.is_running, self.error = True, None
        self.changed.emit()

    def _end(self, error: AppError | None) -> None:
        self.is_running, self.error = False, error
        self.changed.emit()

    def _take_report(self, report: "SyncReport") -> None:
        self.is_running = False
        self.take_report(report)

    def take_report(self, report: "SyncReport") -> None:
        """Show what a run did, also one that began by itself."""
        self.report, self.ran_at, self.error = report, utc_now(), None
        self.changed.emit()
        if report.received:
            self.received.emit()
        if self.place is None or report.conflicts != len(self.place.conflicts):
            self.load()

    def take_error(self, error: AppError) -> None:
        """Show why a run did not end that began by itself.

        That a passphrase is needed says less than that the one just entered is wrong.
        """
        says_less = isinstance(error, SyncPassphraseError)
        if not self.is_running and not (
            says_less and isinstance(self.error, WrongPassphraseError)
        ):
            self.error = error
            self.changed.emit()


def read_place(services: "Services") -> SyncPlace | None:  # worker thread
    if not services.is_synchronised:
        return None
    projects = {str(project.id): project.name for project in services.archive.projects()}
    syncing = services.syncing
    return SyncPlace(
        address=syncing.place,
        device=syncing.device,
        is_paused=syncing.is_paused,
        conflicts=syncing.conflicts(),
        projects=projects,
    )


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
