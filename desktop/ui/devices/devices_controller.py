"""Opens the page of the devices, and keeps them synchronised while the window is open."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, when_open
from desktop.ui.devices.sync_runner import SyncRunner
from desktop.ui.services import Worker

if TYPE_CHECKING:
    from desktop.ui.devices.devices_page import DevicesPage


class DevicesController(QObject):
    page_made = Signal(object)  # View that needs its place in the window

    def __init__(self, window: QWidget, worker: Worker) -> None:
        super().__init__(window)
        self._owner, self._worker = window, worker
        self.runner = SyncRunner(worker, self)
        self.received = self.runner.received
        self.page: DevicesPage | None = None

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
