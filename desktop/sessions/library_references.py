"""The references of the library: what a person changes, imports and takes out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from desktop.domain.changes import Change
from desktop.domain.ids import SessionId, SourceId, new_source_id
from desktop.domain.projects import EVERYTHING, NO_PROJECT, ProjectId, Wall
from desktop.domain.references import KEY, MADE_ADDRESS, CslItem, Reference, Work, plain_text
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.domain.times import utc_now
from desktop.language.normalization import fix_surrogates
from desktop.references.fields import linked_files
from desktop.references.merging import (
    WorkIndex,
    edited,
    find_duplicates,
    fullness,
    joined,
    merged,
)
from desktop.research.documents.reader import DocumentReader

if TYPE_CHECKING:
    from desktop.storage.archive import Archive

_TOGETHER = 200  # Works of a transaction: it keeps other writers waiting

T = TypeVar("T")


@dataclass(slots=True)
class ImportedReferences:
    """What became of the entries of a file."""

    added: list[Work] = field(default_factory=list)
    """Works without a document."""
    filled: list[Work] = field(default_factory=list)
    """Works that were there, and know more now."""
    known: list[Work] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class References:
    """Methods raise SourceUnknownError."""

    _archive: "Archive"

    def edit(self, source_id: SourceId, fields: CslItem) -> Change[Work]:
        """Store fields that the user typed; an empty value removes a field.

        Raises SharedReadOnlyError, as `merge` does, for what another member added.
        """
        self._archive.shared.check_own([source_id])
        store = self._archive.references
        before = store.work(source_id)
        return Change(
            store.store(source_id, edited(before.reference, fields)),
            lambda: store.restore(before),
        )

    def mark_read(
        self, source_ids: Sequence[SourceId], *, is_read: bool
    ) -> Change[Sequence[Work]]:
        """Mark works as read, or as unread; the value has those that this changed."""
        store = self._archive.references
        works = [store.work(source_id) for source_id in source_ids]
        changed = [work for work in works if (work.finished_at is not None) != is_read]
        at = utc_now() if is_read else None

        def undo() -> Sequence[Work]:
            return [store.mark_finished(work.source.id, work.finished_at) for work in changed]

        return Change([store.mark_finished(work.source.id, at) for work in changed], undo)

    def duplicates(self, wall: Wall) -> Sequence[Sequence[Work]]:
        """Return groups of works that are the same: by DOI, file, or title and year.

        A short title also needs its author. The fullest of a group is the first.
        """
        return find_duplicates(self._archive.references.works(wall))

    def merge(self, source_ids: Sequence[SourceId], stays: SourceId | None = None) -> Change[Work]:
        """Make one work of several: one stays, or the fullest.

        It gets the notes and tags of all, and their fields, each with its strongest origin; what
        answers cite of the others leads to the same words of it.
        """
        self._archive.shared.check_own(source_ids)
        store, sources = self._archive.references, self._archive.sources
        notes, tags = self._archive.notes, self._archive.source_tags
        works = [store.work(source_id) for source_id in source_ids]
        chosen = (work for work in works if work.source.id == stays)
        first = next(chosen, max(works, key=fullness))
        others = [work for work in works if work.source.id != first.source.id]
        reference = first.reference
        for work in others:
            reference = merged(work.reference, reference)
        finished_at = next((work.finished_at for work in works if work.finished_at), None)
        names = [name for work in others for name in tags.of(work.source.id)]
        moved = [note for work in others for note in notes.of_source(work.source.id)]
        cited, together = self._archive.cited, self._archive.database.together
        with together():
            store.store(first.source.id, reference)
            added = [name for name in names if tags.set(name, [first.source.id], is_on=True)]
            own = (replace(note, source_id=first.source.id, passage_id=None) for note in moved)
            notes.place(own)
            moves = [cited.move(work.source.id, first.source.id) for work in others]
            for work in others:
                sources.remove(work.source.id)
            whole = store.mark_finished(first.source.id, finished_at)

        def undo() -> Work:
            with together():
                for move in reversed(moves):
                    cited.move_back(move)
                for name in added:
                    tags.set(name, [first.source.id], is_on=False)
                for work in others:
                    sources.restore(work.source.id)
                notes.place(moved)
                return store.restore(first)

        return Change(whole, undo)

    def import_file(
        self, path: Path, project: ProjectId | None = None
    ) -> Change[ImportedReferences]:
        """Read a file of references into the library.

        An entry whose document is there fills its reference; any other becomes a work without a
        document. Raises DocumentError, FileUnreadableError.
        """
        with DocumentReader() as reader:
            return self.add(reader.read_references(path), project)

    def add(
        self, references: Sequence[Reference], project: ProjectId | None = None
    ) -> Change[ImportedReferences]:
        """Add references to a project; None: also fill those of every project.

        Some hundred are stored at once, all of them or none.
        """
        archive, store = self._archive, self._archive.references
        index = WorkIndex(store.works(EVERYTHING if project is None else Wall(project)))
        report, before = ImportedReferences(), list[Work]()

        def add(reference: Reference) -> None:
            work = index.take(reference, linked_files(reference.csl))
            if work is None:
                report.added.append(self.add_work(reference, project or NO_PROJECT))
                return
            whole = merged(work.reference, reference)
            if whole.csl == work.reference.csl:
                report.known.append(work)
                return
            before.append(work)
            report.filled.append(store.store(work.source.id, whole))

        def undo() -> ImportedReferences:
            store_together(
                archive, report.added, lambda work: archive.sources.remove(work.source.id)
            )
            store_together(archive, reversed(before), store.restore)
            return report

        store_together(archive, joined(references), add)
        return Change(report, undo)

    def works(self, source_ids: Sequence[SourceId]) -> Sequence[Work]:
        return [self._archive.references.work(source_id) for source_id in source_ids]

    def of_session(self, session_id: SessionId) -> Sequence[Work]:
        """Return what the answers of a session cite, in the order in which they do."""
        self._archive.sessions.session(session_id)
        return self._archive.references.cited(EVERYTHING, session_id)

    def of_project(self, project: ProjectId) -> Sequence[Work]:
        """Return what the sessions of a project cite, then its other documents."""
        wall = Wall(project)
        store = self._archive.references
        works = [*store.cited(wall, None), *store.works(wall)[::-1]]
        return list({work.source.id: work for work in works}.values())

    def add_work(self, reference: Reference, project: ProjectId, name: str = "") -> Work:
        """Add a work without a document: its words, and its abstract, can be found and cited.

        `name`: what tells it from a work with the same words, if that is not its citation key.
        """
        now = utc_now()
        sources = self._archive.sources.of(project)
        named = f"{reference.kind} {name or reference.text(KEY)} {_words(reference)}"
        identity = sha256(fix_surrogates(named).encode()).hexdigest()
        doi = f"https://doi.org/{reference.doi}" if reference.doi else ""
        address = doi or reference.text("URL")
        if not address or sources.at_address(address):  # also of another work
            address = f"{MADE_ADDRESS}{identity}"
        source = Source(
            id=new_source_id(),
            kind=SourceKind.WEB,
            title=fix_surrogates(reference.title or _words(reference)),
            address=address,
            added_at=now,
            read_at=now,
            sha256=identity,
        )
        texts = (_words(reference), plain_text(reference.text("abstract")))
        passages = [NewPassage(fix_surrogates(text)) for text in texts if text]
        with self._archive.database.together():
            stored = sources.add(source, passages)
            return self._archive.references.store(stored.id, reference)


def store_together(archive: "Archive", items: Iterable[T], store: Callable[[T], object]) -> None:
    """Store some hundred items at once, all of them or none; each is read before that begins."""
    rest = iter(items)
    while portion := list(islice(rest, _TOGETHER)):
        with archive.database.together():
            for item in portion:
                store(item)


def _words(reference: Reference) -> str:
    """Return a reference in one plain line, for the search."""
    containers = [plain_text(reference.text(name)) for name in ("container-title", "publisher")]
    parts = (
        "; ".join(reference.authors),
        str(reference.year or ""),
        reference.title,
        *containers,
        reference.doi,
        "" if reference.title else reference.text(KEY),
    )
    return ". ".join(filter(None, parts))
