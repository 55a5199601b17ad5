"""The actions of the library window: reads and changes sources on a worker."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.domain.ids import SourceId
from desktop.domain.sources import Source
from desktop.ui.library.source_list import ListedSource
from desktop.ui.services import WindowServices, Worker
from desktop.ui.turn_bridge import TurnBridge

T = TypeVar("T")


class LibraryActions(QObject):
    changed = Signal()
    """Sources came or went."""
    removed = Signal(object)
    """Tuple of SourceIds that can still be brought back"""
    failed = Signal(object)
    """AppError"""

    def __init__(self, bridge: TurnBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.services: WindowServices | None = None
        self._worker = Worker(bridge, self)
        self._worker.failed.connect(self.failed)

    def attach(self, services: WindowServices) -> None:
        self.services = services
        self._worker.attach(services)

    def load(self, done: Callable[[Sequence[ListedSource]], None]) -> None:
        def work(services: WindowServices) -> Sequence[ListedSource]:
            library = services.library
            sources = services.archive.sources.sources()
            return [ListedSource.of(one, _size(library.original(one))) for one in sources]

        self._worker.do_latest("list", work, done)

    def look_at(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        """Something that needs no more than the files themselves."""
        self._worker.do(lambda _: work(), done)

    def keep_copies(self, sources: Sequence[Source]) -> None:
        def work(services: WindowServices) -> None:
            files = [path for one in sources if (path := services.library.original(one))]
            services.library.add(files, with_copies=True)

        self._worker.do(work, lambda _: self.changed.emit())

    def remove(self, sources: Sequence[SourceId]) -> None:
        def work(services: WindowServices) -> tuple[SourceId, ...]:
            return tuple(services.library.remove(one).id for one in sources)

        def told(gone: tuple[SourceId, ...]) -> None:
            self.removed.emit(gone)
            self.changed.emit()

        self._worker.do(work, told)

    def restore(self, sources: Sequence[SourceId]) -> None:
        def work(services: WindowServices) -> None:
            for one in sources:
                services.archive.restore_source(one)

        self._worker.do(work, lambda _: self.changed.emit())


def _size(file: Path | None) -> int | None:
    try:
        return file.stat().st_size if file is not None else None
    except OSError:
        return None
