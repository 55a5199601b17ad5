"""Opens the page of the devices, and keeps them synchronised while the window is open."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, when_open
from desktop.ui.devices.attention import Attention
from desktop.ui.devices.background_sync import BackgroundSync
from desktop.ui.devices.sync_runner import SyncRunner
from desktop.ui.services import Worker

if TYPE_CHECKING:
    from desktop.ui.devices.devices_page import DevicesPage

_STARTS_MS = 3_000  # Behind what a start has to do


class DevicesController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    attention_changed = Signal(str)  # What needs the user; empty if nothing does

    def __init__(self, window: QWidget, worker: Worker) -> None:
        super().__init__(window)
        self._owner, self._worker = window, worker
        self.runner = SyncRunner(worker, self)
        self.received = self.runner.received
        self.background = BackgroundSync(worker, self)
        self.attention = Attention(self)
        self.page: DevicesPage | None = None
        self.background.ran.connect(self.runner.take_report)
        self.background.failed.connect(self.runner.take_error)
        self.background.ended.connect(self.runner.load)
        self.runner.loaded.connect(self._follow)
        self.runner.changed.connect(self.show_attention)
        worker.ready.connect(lambda: QTimer.singleShot(_STARTS_MS, self, self.look))
        app = QApplication.instance()
        if isinstance(app, QApplication):  # back from the command line
            app.applicationStateChanged.connect(self._look_again)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Devices and sharing…")
        return (everywhere("devices", title, "Ctrl+Shift+Y", self.open, when_open),)

    def open(self) -> "DevicesPage":
        from desktop.ui.devices.devices_page import DevicesPage  # noqa: PLC0415 - not at the start

        if self.page is None:
            self.page = DevicesPage(self.runner, self._worker, self._owner)
            self.page_made.emit(self.page)
        self.page.open_at()
        return self.page

    def look(self) -> None:
        """Begin to follow the other devices if the profile has any."""
        if self._worker.services.is_synchronised:
            self.runner.load()

    def show_attention(self) -> None:
        self.attention_changed.emit(self.attention.words(self.runner))

    def _look_again(self, state: Qt.ApplicationState) -> None:
        is_unknown = self.runner.place is None and self._worker.is_ready
        if is_unknown and state is Qt.ApplicationState.ApplicationActive:
            self.look()

    def _follow(self) -> None:
        place = self.runner.place
        if place is not None and not place.is_paused:
            self.background.start()
