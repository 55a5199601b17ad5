"""The sources of the library: their list with its labels, and the actions on them."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QLocale, QMimeData, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView

from desktop.domain.changes import Change
from desktop.domain.frozen import dataclass
from desktop.domain.ids import SourceId
from desktop.domain.projects import EVERYTHING, Project, ProjectId, Wall
from desktop.domain.sources import Source, SourceKind
from desktop.language.normalization import folded_key
from desktop.ui.formatting import day
from desktop.ui.searchable_list import (
    ListedText,
    SearchableItem,
    SearchableListModel,
    SearchableListView,
)
from desktop.ui.services import Worker
from desktop.ui.source_labels import SourceLabels, form_rank
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.row_list import Index

if TYPE_CHECKING:
    from desktop.sessions.keeping.housekeeping import TaskCount
    from desktop.sessions.services import Services


T = TypeVar("T")


class Sorting(StrEnum):
    NEWEST = "newest"
    TITLE = "title"
    KIND = "kind"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class ListedSource:
    source: Source
    size: int | None = None  # bytes of its file; None if there is none
    tags: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class LibraryListing:
    """The sources behind a wall, and the projects that can be chosen instead."""

    items: Sequence[SearchableItem[ListedSource]] = ()
    projects: Sequence[Project] = ()
    wall: Wall = EVERYTHING


_SCANS = "scans"  # The task of housekeeping
_DRAGGED = "application/x-bellek-sources"


def dragged_sources(mime_data: QMimeData) -> list[SourceId]:
    return [SourceId(line) for line in mime_data.data(_DRAGGED).toStdString().split("\n") if line]


def searchable_source(
    source: Source, size: int | None = None, tags: Sequence[str] = ()
) -> SearchableItem[ListedSource]:
    text = " ".join((source.title, source.address, *tags))
    return SearchableItem.of(ListedSource(source, size, tags), text)


def sort_sources(listed_sources: Sequence[ListedSource], sorting: StrEnum) -> list[ListedSource]:
    """`found` has the newest first; the sort is stable."""
    match sorting:
        case Sorting.TITLE:
            return sorted(
                listed_sources, key=lambda listed_source: folded_key(listed_source.source.title)
            )
        case Sorting.KIND:
            return sorted(
                listed_sources, key=lambda listed_source: form_rank(listed_source.source)
            )
        case Sorting.SIZE:
            return sorted(
                listed_sources, key=lambda listed_source: listed_source.size or 0, reverse=True
            )
        case _:
            return list(listed_sources)


class SourceListLabels(QObject):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.of_source = SourceLabels(self)

    def detail(self, listed: ListedSource) -> str:
        source, form = listed.source, QLocale.DataSizeFormat.DataSizeTraditionalFormat
        parts = [
            self.of_source.pages(source) or self.tr("%Ln passage(s)", "", source.passages),
            QLocale().formattedDataSize(listed.size, 1, form) if listed.size is not None else "",
            self.tr("added {day}").format(day=day(source.added_at)),
            self.tr("copy saved") if source.copy else "",
        ]
        parts += [f"# {name}" for name in listed.tags]
        return " · ".join(filter(None, parts))

    def trouble(self, listed: ListedSource) -> str:
        is_gone = listed.source.kind is SourceKind.DOCUMENT and listed.size is None
        gone = self.tr("the file was moved or deleted") if is_gone else ""
        return " · ".join(filter(None, (self.of_source.trouble(listed.source), gone)))

    def whole(self, listed: ListedSource) -> str:
        source = listed.source
        form, detail = self.of_source.form(source), self.detail(listed)
        return ", ".join(filter(None, (source.title, form, detail, self.trouble(listed))))


class SourceListModel(SearchableListModel):
    def __init__(self) -> None:
        super().__init__(Sorting.NEWEST)
        self.words = SourceListLabels(self)
        self.tag = ""  # The tag that the listed sources have; empty: any

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        mime_data = QMimeData()
        ids = [str(self.id_at(index)) for index in indexes]
        mime_data.setData(_DRAGGED, "\n".join(ids).encode())
        return mime_data

    def sources(self, ids: Sequence[SourceId]) -> list[Source]:
        listed = [entry.item.source for entry in self._items]
        return [source for source in listed if source.id in ids]

    def _key_of(self, row: object) -> SourceId | None:
        return row.source.id if isinstance(row, ListedSource) else None

    def _arranged(self, items: Sequence[ListedSource]) -> list[ListedSource]:
        tagged = [
            listed_source
            for listed_source in items
            if not self.tag or self.tag in listed_source.tags
        ]
        return sort_sources(tagged, self.order)

    def _text_of(self, row: ListedSource) -> ListedText:
        source, words = row.source, self.words
        form, trouble = words.of_source.form(source), words.trouble(row)
        detail, whole = words.detail(row), words.whole(row)
        return ListedText(source.title, detail, whole, form, trouble, tip=source.address)


class SourceListView(SearchableListView):
    open_wanted = Signal()
    remove_wanted = Signal()

    def __init__(self, model: SourceListModel, theme: ThemeController) -> None:
        super().__init__(model, theme, most_lines=1)
        self._sources = model
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.doubleClicked.connect(lambda _: self.open_wanted.emit())

    @property
    def current(self) -> ListedSource | None:
        return self._sources.row(self.currentIndex())

    @property
    def selected(self) -> list[ListedSource]:
        places = sorted(self.selectedIndexes(), key=lambda index: index.row())
        return [
            listed_source
            for place in places
            if (listed_source := self._sources.row(place)) is not None
        ]

    def _handle_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.open_wanted.emit()
            case Qt.Key.Key_Delete:
                self.remove_wanted.emit()
            case _:
                return super()._handle_key(key)
        return True


class LibraryActions(QObject):
    changed = Signal()  # Sources came or went
    removed = Signal(object)  # Change with the Sources

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker

    def load(self, done: Callable[[LibraryListing], None]) -> None:
        """List the sources of the chosen project."""

        def work(services: "Services") -> LibraryListing:
            library, wall = services.library, services.assistant.shown
            tags = services.archive.source_tags()
            items = [
                searchable_source(
                    source,
                    _size(library.original(source)),
                    [name for name, tagged in tags.items() if source.id in tagged],
                )
                for source in services.archive.sources(wall)
            ]
            return LibraryListing(items, services.archive.projects(), wall)

        self._worker.do_latest("list", work, done)

    def show_read(self, done: "TaskCount") -> None:
        """Show that housekeeping has read scanned documents."""
        if done.name == _SCANS and done.count:
            self.changed.emit()

    def tag(
        self,
        name: str,
        among: Sequence[SourceId],
        is_on: bool,  # noqa: FBT001 (from a slot)
        done: Callable[[Change[Sequence[SourceId]]], None],
    ) -> None:
        """Tag sources, or remove their tag; `done` gets what this changed."""
        self._change(lambda services: services.source_tags.set(name, among, is_on=is_on), done)

    def keep_copies(self, sources: Sequence[Source]) -> None:
        def work(services: "Services") -> None:
            for source in sources:
                if path := services.library.original(source):
                    services.library.of(source.project).add([path], with_copies=True)

        self._worker.do(work, lambda _: self.changed.emit())

    def move(
        self,
        sources: Sequence[SourceId],
        project: ProjectId,
        done: Callable[[Change[Any]], None],
    ) -> None:
        """Move documents into a project, or out of all."""
        self._change(lambda services: services.projects.move(project, sources), done)

    def send_to_zotero(self, sources: Sequence[SourceId], done: Callable[[int], None]) -> None:
        """Add works to what is selected in Zotero; `done` gets their number."""
        self._worker.do(lambda services: services.zotero.send(sources), done)

    def remove(self, sources: Sequence[SourceId]) -> None:
        self._change(lambda services: services.sources.remove(sources), self.removed.emit)

    def undoes(self, change: Change[Any]) -> Callable[[], None]:
        return self._worker.undoes(change, lambda _: self.changed.emit())

    def _change(self, work: "Callable[[Services], T]", done: Callable[[T], None]) -> None:
        def show(change: T) -> None:
            done(change)
            self.changed.emit()

        self._worker.do_in_turn(work, show)


def _size(file: Path | None) -> int | None:
    try:
        return file.stat().st_size if file is not None else None
    except OSError:
        return None


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
    from desktop.sessions.importing.import_process import read_in_process  # noqa: PLC0415 - as above
    from desktop.sessions.importing.importer import preview_file  # noqa: PLC0415 - as above

    try:
        return any(seen.messages > 1 for seen in preview_file(path, read=read_in_process))
    except FileUnreadableError:
        return False  # the library shows the reason
