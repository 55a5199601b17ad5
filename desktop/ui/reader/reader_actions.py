"""Reads sources off the disk for the reader, and finds where a citation stands."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from desktop.domain.errors import FileUnreadableError
from desktop.domain.messages import Citation
from desktop.domain.sources import Source, SourceKind
from desktop.ui.background_tasks import Worker
from desktop.ui.reader.reader_content import (
    CitedPlace,
    ReaderPlace,
    Reading,
    cited_places,
    read_at,
    resolved,
)
from desktop.ui.services import WindowServices
from desktop.ui.turn_bridge import TurnBridge


class ReaderDesk(QObject):
    failed = Signal(object)
    """AppError"""

    def __init__(self, bridge: TurnBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self._worker = Worker(bridge, self)
        self._worker.failed.connect(self.failed)

    def attach(self, services: WindowServices) -> None:
        self._worker.attach(services)

    def read(self, place: ReaderPlace, done: Callable[[Reading], None]) -> None:
        self._worker.do(lambda services: read_at(services, place), done)

    def resolve(self, citation: Citation, done: Callable[[ReaderPlace | None], None]) -> None:
        """Where a citation stands in a source; None for one of a past session."""
        self._worker.do(lambda services: resolved(services, citation), done)

    def place(
        self, citations: Sequence[Citation], done: Callable[[Mapping[int, CitedPlace]], None]
    ) -> None:
        """Where those that stand in sources do."""
        self._worker.do(lambda services: cited_places(services, citations), done)

    def open_original(self, source: Source) -> None:
        """With whatever the system opens such files with, or in the browser."""
        if source.kind is SourceKind.WEB:
            QDesktopServices.openUrl(QUrl(source.address))
            return

        def found(file: Path | None) -> None:
            if file is None:
                self.failed.emit(FileUnreadableError(path=source.address, detail=""))
            else:
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))

        self._worker.do(lambda services: services.library.original(source), found)
