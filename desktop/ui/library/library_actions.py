"""What the library does on workers: listing its works, changes of them, dropped files."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

from desktop.domain.changes import Change
from desktop.domain.frozen import dataclass
from desktop.domain.ids import SourceId
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING, Project, ProjectId, Wall
from desktop.domain.references import CslItem, FormatterMissingError, Reference, Work
from desktop.domain.sharing import ItemKind
from desktop.domain.sources import Source
from desktop.ui.library.table_model import ListedWork, searched_text
from desktop.ui.searchable_list import SearchableItem
from desktop.ui.services import Worker

if TYPE_CHECKING:
    from desktop.sessions.keeping.housekeeping import TaskCount
    from desktop.sessions.services import Services


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LibraryListing:
    """The works behind a wall, and the projects that can be chosen instead."""

    items: Sequence[SearchableItem[ListedWork]] = ()
    projects: Sequence[Project] = ()
    wall: Wall = EVERYTHING


_SCANS = "scans"  # The task of housekeeping


@dataclass(frozen=True, slots=True)
class CopiedReferences:
    text: str
    html: str = ""
    """Empty: as BibTeX, because nothing that formats them is installed."""

    def put_on_clipboard(self) -> None:
        contents = QMimeData()
        contents.setText(self.text)
        if self.html:
            contents.setHtml(self.html)
        QGuiApplication.clipboard().setMimeData(contents)


class LibraryActions(QObject):
    changed = Signal()  # Sources came or went
    scans_wanted = Signal()
    removed = Signal(object)  # Change with the Sources

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker

    def load(self, done: Callable[[LibraryListing], None]) -> None:
        """List the sources of the chosen project."""
        self._worker.do_latest("list", list_works, done)

    def read_scans(self) -> None:
        """Let all scanned pages be read at once, or show why they cannot be."""
        self._worker.do(
            lambda services: services.scans.require(), lambda _: self.scans_wanted.emit()
        )

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

    def edit(
        self, source_id: SourceId, fields: CslItem, done: Callable[[Change[Work]], None]
    ) -> None:
        self._change(lambda services: services.references.edit(source_id, fields), done)

    def complete(self, source_id: SourceId, done: Callable[[Change[Work]], None]) -> None:
        """Fill in what is missing in a reference by its DOI; waits for services on a worker."""

        def show(change: Change[Work]) -> None:
            done(change)
            self.changed.emit()

        self._worker.do(
            lambda services: services.literature(services.assistant.wall()).complete(source_id),
            show,
        )

    def find_duplicates(
        self,
        items: Sequence[SearchableItem[ListedWork]],
        done: Callable[[Sequence[Sequence[ListedWork]]], None],
    ) -> None:
        """Find the listed works that are the same; `done` gets them in groups."""

        def work(_: "Services") -> Sequence[Sequence[ListedWork]]:
            from desktop.references.merging import find_duplicates  # noqa: PLC0415 - on a worker

            by_id = {entry.item.source.id: entry.item for entry in items}
            groups = find_duplicates(listed.work for listed in by_id.values())
            return [[by_id[work.source.id] for work in group] for group in groups]

        self._worker.do_latest("duplicates", work, done)

    def merge(
        self, ids: Sequence[SourceId], stays: SourceId, done: Callable[[Change[Work]], None]
    ) -> None:
        self._change(lambda services: services.references.merge(ids, stays), done)

    def mark_read(
        self,
        sources: Sequence[SourceId],
        is_read: bool,  # noqa: FBT001 (as of `tag`)
        done: Callable[[Change[Sequence[Work]]], None],
    ) -> None:
        self._change(
            lambda services: services.references.mark_read(sources, is_read=is_read), done
        )

    def copy_references(
        self,
        sources: Sequence[SourceId],
        *,
        as_bibtex: bool,
        done: Callable[[CopiedReferences], None],
    ) -> None:
        def work(services: "Services") -> CopiedReferences:
            references = [
                Reference(
                    {"type": "document", "title": work.source.title} | dict(work.reference.csl)
                )
                for work in services.references.works(sources)
            ]
            return copied_references(services, references, as_bibtex=as_bibtex)

        self._worker.do(work, done)

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


def list_works(services: "Services") -> LibraryListing:
    """List the works behind the wall that is shown; runs on a worker."""
    library, wall = services.library, services.assistant.shown
    projects = services.archive.projects()
    names = {project.id: project.name for project in projects}
    tags: defaultdict[SourceId, list[str]] = defaultdict(list)
    for name, tagged in services.archive.source_tags().items():
        for source_id in tagged:
            tags[source_id].append(name)
    owners = services.archive.owners(ItemKind.SOURCE)
    works = [
        ListedWork(
            work,
            library.size(work.source),
            tags[work.source.id],
            names.get(work.source.project, "") if wall.is_open else "",
            owners.get(work.source.id, ""),
        )
        for work in services.archive.works(wall)
    ]
    items = SearchableItem.of_all(works, map(searched_text, works))
    return LibraryListing(items, projects, wall)


def copied_references(
    services: "Services", references: Sequence[Reference], *, as_bibtex: bool
) -> CopiedReferences:
    """Return references for the clipboard; runs on a worker."""
    from desktop.references import formats, formatting  # noqa: PLC0415 - on a worker

    language = services.language()
    if not as_bibtex:
        try:
            entries = formatting.format_list(
                formats.with_keys(references), _STYLES[language], language
            )
        except FormatterMissingError:
            pass
        else:
            html = "".join(f"<p>{entry.html}</p>" for entry in entries)
            return CopiedReferences("\n".join(entry.text for entry in entries), html)
    form = next(form for form in formats.FORMATS if form.name == "bibtex")
    return CopiedReferences(formats.write_references(references, form))


_STYLES = {Language.TR: "apa-tr", Language.EN: "apa"}
_CONVERSATIONS = frozenset({".zip", ".json", ".jsonl"})
_REFERENCES = ".json"  # CSL-JSON
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
            is_references = ending == _REFERENCES and _has_references(path)
            (documents if is_references else conversations).append(path)
        else:
            (unclear if _is_conversation(path) else documents).append(path)
    return DroppedFiles(conversations, documents, unclear)


def _has_references(path: Path) -> bool:
    from desktop.domain import errors  # noqa: PLC0415 - on a worker
    from desktop.research.documents.reader import DocumentReader  # noqa: PLC0415 - as above

    try:
        with DocumentReader() as reader:
            return bool(reader.read_references(path))
    except (errors.DocumentError, errors.FileUnreadableError):
        return False  # the import shows the reason


def _is_conversation(path: Path) -> bool:
    from desktop.domain.errors import FileUnreadableError  # noqa: PLC0415 - on a worker
    from desktop.sessions.importing.import_process import read_in_process  # noqa: PLC0415 - as above
    from desktop.sessions.importing.import_reports import preview_file  # noqa: PLC0415 - as above

    try:
        return any(seen.messages > 1 for seen in preview_file(path, read=read_in_process))
    except FileUnreadableError:
        return False  # the library shows the reason
