"""Stores what an import has beside its sessions: projects, and documents for the library.

Documents are added several at a time, because each time starts a process that reads them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from desktop.domain.errors import AppError, StorageError
from desktop.domain.facts import MemoryProposal
from desktop.domain.projects import NO_PROJECT, Project, ProjectId
from desktop.domain.references import MADE_ADDRESS
from desktop.domain.sources import SourceKind
from desktop.domain.times import utc_now
from desktop.language.secrets import has_secret
from desktop.research.child_process import ReadingStopped
from desktop.research.documents.reader import DocumentReader
from desktop.research.library import AddedDocument, AddOutcome, Library
from desktop.sessions.importing.import_types import (
    ImportedDocument,
    ImportedMemory,
    ImportedProject,
    ImportFormat,
    LinkedFiles,
    Problem,
)
from desktop.storage.archive import Archive
from desktop.storage.repositories.imports import proposal_id
from desktop.storage.repositories.sources import SourceStore

_MOST_WAITING = 50  # Documents, and the characters of their texts
_MOST_LETTERS = 4_000_000

ImportedRecord = ImportedProject | ImportedDocument | ImportedMemory | LinkedFiles


@dataclass(slots=True)
class RecordCounts:
    """What became of them."""

    projects: int = 0  # Of those that are new
    documents: Counter[AddOutcome] = field(default_factory=Counter)
    proposals: int = 0  # Sentences that wait to be confirmed

    @property
    def added(self) -> int:
        return self.documents[AddOutcome.ADDED] + self.documents[AddOutcome.RENEWED]


def library_of(archive: Archive) -> Library:
    """Return the library of an archive, whose documents get the tags that stand in them."""
    parts = archive.sources, archive.files, archive.references, archive.notes
    return Library(*parts, _tags=archive.source_tags)


class RecordImport:
    """Of one file or folder; on a worker thread. Its methods may raise StorageError."""

    def __init__(
        self, archive: Archive, counts: RecordCounts, should_stop: Callable[[], bool]
    ) -> None:
        self._archive = archive
        self._counts = counts
        self._should_stop = should_stop
        self._library = library_of(archive)
        self._waiting: list[ImportedDocument] = []
        self._places: dict[ProjectId, ProjectId | None] = {NO_PROJECT: NO_PROJECT}

    def add(self, record: ImportedRecord) -> list[Problem]:
        """Store a record, or keep it for the next `store`; return what could not be stored."""
        if isinstance(record, ImportedProject):
            self._add_project(record)
        elif isinstance(record, ImportedDocument):
            self._waiting.append(record)
            letters = sum(len(document.text) for document in self._waiting)
            if len(self._waiting) >= _MOST_WAITING or letters > _MOST_LETTERS:
                return self.store()
        elif isinstance(record, ImportedMemory):
            if has_secret(record.text):
                return [Problem(0, "proposal_secret")]
            identity = proposal_id(record.text, record.project)
            proposal = MemoryProposal(identity, record.text, record.form, record.project)
            self._counts.proposals += self._archive.proposals.add([proposal])
        return []

    def _add_project(self, record: ImportedProject) -> None:
        project = Project(record.id, record.name, utc_now(), instructions=record.instructions)
        outcome = self._archive.projects.add_imported(project)
        self._counts.projects += outcome.is_new
        self._places[record.id] = record.id if outcome.is_there else None

    def _place(self, project: ProjectId) -> ProjectId | None:
        """Return the project; None if the user has deleted it, or it never came."""
        if project not in self._places:
            known_project = self._archive.projects.find(project)
            self._places[project] = known_project.id if known_project else None
        return self._places[project]

    def store(self) -> list[Problem]:
        """Add the waiting documents to the library. Raises ReadingStopped."""
        documents, self._waiting = self._waiting, []
        problems: list[Problem] = []
        for project, group in groupby(documents, key=lambda document: document.project):
            place = self._place(project)
            if place is None:
                self._counts.documents[AddOutcome.KNOWN] += len(list(group))
                continue
            problems += self._add_documents(list(group), self._library.of(place), place)
        return problems

    def _add_documents(
        self, documents: Sequence[ImportedDocument], library: Library, place: ProjectId
    ) -> list[Problem]:
        paths = [Path(document.path) for document in documents if document.path]
        # As in a watched folder: notes with the same words are as many notes.
        apart = replace(library, are_apart=True)
        report = apart.add(paths, should_stop=self._should_stop)
        added = list(report.added)
        if not report.was_stopped:
            texts = [document for document in documents if document.text]
            added += self._add_texts(texts, self._archive.sources.of(place))
        self._counts.documents.update(document.outcome for document in added)
        if self._should_stop():
            raise ReadingStopped
        return [_problem(document) for document in added if document.error]

    def _add_texts(
        self, documents: Sequence[ImportedDocument], sources: SourceStore
    ) -> Iterator[AddedDocument]:
        """Add documents that are no files of the user's: the profile keeps them."""
        with DocumentReader() as reader:
            for document in documents:
                if self._should_stop():
                    return
                yield self.add_text(document, reader, sources)

    def add_text(
        self, imported: ImportedDocument, reader: DocumentReader, sources: SourceStore
    ) -> AddedDocument:
        path, data = Path(_file_name(imported)), imported.text.encode()
        identity = sha256(data).hexdigest()
        if duplicate := sources.with_hash(identity):
            return AddedDocument(path, AddOutcome.KNOWN, duplicate)
        copy = f"{identity}{path.suffix.lower()}"
        try:
            self._archive.files.keep_bytes(data, copy)
            opened = self._library.opened(self._archive.files.path(copy))
            document = reader.read(path, opened=opened, should_stop=self._should_stop)
        except StorageError:
            raise
        except AppError as exc:
            return AddedDocument(path, AddOutcome.FAILED, error=exc)
        document.title = document.title or Path(imported.name).stem
        address = f"{MADE_ADDRESS}{identity}"
        source = document.to_source(SourceKind.DOCUMENT, address, identity, utc_now())
        source = replace(source, copy=copy)
        steps = self._library.steps(document.reference, document.tags)
        stored = sources.add(source, document.passages, *steps)
        return AddedDocument(path, AddOutcome.ADDED, stored)


def _problem(document: AddedDocument) -> Problem:
    error = document.error
    values = {name: str(value) for name, value in error.values.items()} if error else {}
    key = error.key if error else ""
    return Problem(0, f"{ERROR}{key}", values, file=document.path.name)


ERROR = "errors."
"""Begins the key of a problem that is an error of the library."""
_TEXTS = (".md", ".markdown", ".txt", ".csv", ".tsv", ".html", ".htm")


def _file_name(document: ImportedDocument) -> str:
    """Return a name by which the reader takes it as the text that it is."""
    name = Path(document.name.replace("/", "-").replace("\\", "-")).name or "-"
    is_exported = document.form is ImportFormat.CLAUDE
    is_text = Path(name).suffix.lower() in _TEXTS and not is_exported
    return name if is_text or name.lower().endswith((".md", ".txt")) else f"{name}.txt"
