"""Opens the page of the devices, and keeps them synchronised while the window is open.

The status bar shows what of it needs the user. A profile that does not synchronise pays nothing:
the rest is imported when it is needed.
"""

# ruff: noqa: PLC0415 (see above)

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.sync import CarrierGoneError, SyncServerFailedError
from desktop.domain.times import utc_now
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, when_open
from desktop.ui.services import Worker
from desktop.ui.timers import make_timer
from desktop.ui.widgets.plain_text import announce

if TYPE_CHECKING:
    from desktop.ui.devices.devices_page import DevicesPage
    from desktop.ui.devices.sharing_runner import SharingRunner
    from desktop.ui.devices.sync_runner import BackgroundSync, SyncRunner


_PASSING = (CarrierGoneError, SyncServerFailedError)
"""Errors that mostly pass by themselves."""
_PASSING_PROBLEMS = {"slow", "waiting"}
_PASSES_WITHIN = timedelta(minutes=10)
_ARRIVES_WITHIN = timedelta(hours=1)


class Attention(QObject):
    """Tells what passes by itself from what does not, by how long it has been so."""

    def __init__(self, parent: QObject, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(parent)
        self._now = now
        self._since: dict[str, datetime] = {}

    def words(self, runner: "SyncRunner") -> str:
        """Return what needs the user; empty if nothing does."""
        if runner.place is None:
            return ""
        if self._has_failed(runner):
            return self.tr("Devices: not synchronised")
        if count := len(runner.place.conflicts):
            return self.tr("Devices: %n choice(s)", "", count)
        if self._has_problem(runner):
            return self.tr("Devices: something has not arrived")
        return ""

    def _has_failed(self, runner: "SyncRunner") -> bool:
        error = runner.error
        lasts = self._lasts("error", _PASSES_WITHIN, is_so=error is not None)
        return error is not None and (lasts or not isinstance(error, _PASSING))

    def _has_problem(self, runner: "SyncRunner") -> bool:
        problems = set(runner.report.problems) if runner.report else set()
        is_waiting = bool(problems & _PASSING_PROBLEMS)
        lasts = self._lasts("waiting", _ARRIVES_WITHIN, is_so=is_waiting)
        return lasts or bool(problems - _PASSING_PROBLEMS)

    def _lasts(self, what: str, time: timedelta, *, is_so: bool) -> bool:
        """Return whether it has been so for that time."""
        if not is_so:
            self._since.pop(what, None)
            return False
        return self._now() - self._since.setdefault(what, self._now()) >= time


_UPDATES_MS = 120_000  # Between two looks at what members of shared projects have added
_STARTS_MS = 3_000  # Behind what a start has to do


class DevicesController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    shared_changed = Signal()  # Which projects are shared may be others now
    received = Signal()  # Changes of other devices are in the archive
    attention_changed = Signal(str)  # What needs the user; empty if nothing does
    finished = Signal()  # The window may close

    def __init__(self, window: QWidget, worker: Worker, is_idle: Callable[[], bool]) -> None:
        """`is_idle`: whether nobody uses the window; any thread may ask."""
        super().__init__(window)
        self._owner, self._worker, self._is_idle = window, worker, is_idle
        self.page: DevicesPage | None = None
        self._told = ""
        worker.ready.connect(lambda: QTimer.singleShot(_STARTS_MS, self, self.look))
        self._updates = make_timer(self, _UPDATES_MS, self._update_shared)
        worker.ready.connect(self._updates.start)
        app = QApplication.instance()
        if isinstance(app, QApplication):  # back from the command line
            app.applicationStateChanged.connect(self._look_again)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Devices and sharing")
        return (everywhere("devices", title, "Ctrl+Shift+Y", self.open, when_open),)

    @cached_property
    def runner(self) -> "SyncRunner":
        from desktop.ui.devices.sync_runner import SyncRunner

        runner = SyncRunner(self._worker, self)
        runner.received.connect(self.received)
        runner.loaded.connect(self._follow)
        runner.changed.connect(self.show_attention)
        return runner

    @cached_property
    def sharing(self) -> "SharingRunner":
        from desktop.ui.devices.sharing_runner import SharingRunner

        sharing = SharingRunner(self._worker, self)
        sharing.received.connect(self.received)
        sharing.listed.connect(self.shared_changed)
        return sharing

    @cached_property
    def background(self) -> "BackgroundSync":
        from desktop.ui.devices.sync_runner import BackgroundSync

        background = BackgroundSync(self._worker, self, self._is_idle)
        background.ran.connect(self.runner.take_report)
        background.failed.connect(self.runner.take_error)
        background.ended.connect(self.runner.load)
        background.finished.connect(self.finished)
        return background

    @cached_property
    def _attention(self) -> "Attention":

        return Attention(self)

    def open(self) -> "DevicesPage":
        from desktop.ui.devices.devices_page import DevicesPage

        if self.page is None:
            self.page = DevicesPage(self.runner, self.sharing, self._worker, self._owner)
            self.page_made.emit(self.page)
        self.page.open_at()
        return self.page

    def look(self) -> None:
        """Begin to follow the other devices if the profile has any."""
        if self._worker.services.is_synchronised:
            self.runner.load()

    def _update_shared(self) -> None:
        """Receive what members of shared projects have added, if there is such a project."""
        if self._worker.is_ready and self._worker.services.is_sharing:
            self.sharing.update_all()

    def show_attention(self) -> None:
        """Say what needs the user, in the language of the window."""
        if "runner" not in vars(self):
            return
        words = self._attention.words(self.runner)
        if words and words != self._told:
            announce(self._owner, words)
        self._told = words
        self.attention_changed.emit(words)

    def finish(self) -> None:
        """Send what is unsent if that takes under a second, then say that it is finished."""
        if "background" in vars(self):
            self.background.finish()
        else:
            self.finished.emit()

    def join(self) -> None:
        """Wait for the thread of its own; for the thread that ends the program."""
        if "background" in vars(self):
            self.background.join()

    def _look_again(self, state: Qt.ApplicationState) -> None:
        is_unknown = "runner" not in vars(self) or self.runner.place is None
        is_active = state is Qt.ApplicationState.ApplicationActive
        if is_active and is_unknown and self._worker.is_ready:
            self.look()

    def _follow(self) -> None:
        place = self.runner.place
        if place is not None and not place.is_paused:
            self.background.start()
