"""Runs the synchronisation for the window, and remembers what came of it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

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
    from desktop.sessions.syncing.sync import SyncCheck, Syncing, SyncReport


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
