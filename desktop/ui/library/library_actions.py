"""The actions of the library window: reads and changes sources on a worker."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import SourceId
from desktop.domain.sources import Source
from desktop.ui.library.source_list import ListedSource, searchable_source
from desktop.ui.searchable_list import SearchableItem
from desktop.ui.services import WindowServices, Worker


class LibraryActions(QObject):
    changed = Signal()  # Sources came or went
    removed = Signal(object)  # tuple of SourceIds that can still be brought back

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker

    def load(self, done: Callable[[Sequence[SearchableItem[ListedSource]]], None]) -> None:
        def work(services: WindowServices) -> Sequence[SearchableItem[ListedSource]]:
            library = services.library
            sources = services.archive.sources.sources()
            return [searchable_source(one, _size(library.original(one))) for one in sources]

        self._worker.do_latest("list", work, done)

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


class FileDrop(QObject):
    dropped = Signal(object)  # paths

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDragEnterEvent() if dragged_files(event.mimeData()):
                event.acceptProposedAction()
                return True
            case QDropEvent() if event.type() == QEvent.Type.Drop and (
                files := dragged_files(event.mimeData())
            ):
                event.acceptProposedAction()
                self.dropped.emit(files)
                return True
        return super().eventFilter(watched, event)


def dragged_files(dragged: QMimeData) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in dragged.urls() if url.isLocalFile()]
    return [path for path in paths if path.exists()]


_CONVERSATIONS = frozenset({".zip", ".json", ".jsonl"})
_EITHER = frozenset({".md", ".markdown", ".txt", ".text"})


@dataclass(frozen=True, slots=True)
class DroppedFiles:
    conversations: Sequence[Path] = ()
    documents: Sequence[Path] = ()
    unclear: Sequence[Path] = ()  # texts that read like conversations

    def as_conversations(self) -> "DroppedFiles":
        return DroppedFiles([*self.conversations, *self.unclear], self.documents)

    def as_documents(self) -> "DroppedFiles":
        return DroppedFiles(self.conversations, [*self.documents, *self.unclear])


def sort_dropped_files(paths: Sequence[Path]) -> DroppedFiles:
    """Sort files into conversations and documents; on a worker, because it reads texts."""
    conversations: list[Path] = []
    documents: list[Path] = []
    unclear: list[Path] = []
    for path in paths:
        ending = path.suffix.lower()
        if path.is_dir() or ending not in _CONVERSATIONS | _EITHER:
            documents.append(path)
        elif ending in _CONVERSATIONS:
            conversations.append(path)
        else:
            (unclear if _is_conversation(path) else documents).append(path)
    return DroppedFiles(conversations, documents, unclear)


def _is_conversation(path: Path) -> bool:
    from desktop.domain.errors import FileUnreadableError  # noqa: PLC0415 - on a worker
    from desktop.sessions.importing.import_process import read_in_process  # noqa: PLC0415 - the same
    from desktop.sessions.importing.import_report import preview_file  # noqa: PLC0415 - the same

    try:
        return any(seen.messages > 1 for seen in preview_file(path, read=read_in_process))
    except FileUnreadableError:
        return False  # the library says why
