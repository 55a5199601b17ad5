"""Adds documents and web pages to the library, removes them, and finds their originals."""

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, BinaryIO

from desktop.domain import errors
from desktop.domain.ids import SourceId, new_note_id
from desktop.domain.notes import Note, PdfAnnotation
from desktop.domain.projects import EVERYTHING, ProjectId
from desktop.domain.references import MADE_ADDRESS, FieldOrigin, Reference, Work
from desktop.domain.sources import Source, SourceKind, SourcePassage
from desktop.domain.times import Clock, utc_now
from desktop.language.authored_text import quoted_spans
from desktop.language.normalization import fix_surrogates
from desktop.references.fields import linked_files
from desktop.references.merging import WorkIndex, merged, reference_of
from desktop.research.child_process import ReadingStopped
from desktop.research.documents.page_reader import PdfPageReader
from desktop.research.documents.reader import (
    BEGINNING,
    PDF_MARK,
    Document,
    DocumentReader,
    open_file,
)
from desktop.research.folder_walking import check_file, documents_in, is_file
from desktop.research.security import one_line
from desktop.research.web.rate_limiting import Stop, never
from desktop.settings.file_writing import (
    raising_not_written,
    raising_unreadable,
    write_beside,
)
from desktop.storage.repositories.file_store import FileStore
from desktop.storage.repositories.notes import NoteStore
from desktop.storage.repositories.projects import TagStore
from desktop.storage.repositories.references import ReferenceStore
from desktop.storage.repositories.sources import SourceStore, StoringStep

if TYPE_CHECKING:
    from desktop.research.web.web import Web

_MOST_MEGABYTES = 512
REFERENCE_FILES = {".bib", ".ris"}
_MOST_BESIDE = 20  # Files of references of a folder
_FEWEST = 3  # Words of half a quotation by which its page is looked for


class AddOutcome(StrEnum):
    ADDED = "added"
    RENEWED = "renewed"
    KNOWN = "known"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class AddedDocument:
    path: Path
    outcome: AddOutcome
    source: Source | None = None
    error: errors.AppError | None = None
    hint: errors.AppError | None = None  # What is missing to read the whole document


@dataclass(frozen=True, slots=True)
class LibraryProgress:
    number: int  # Of the file, from 1
    files: int
    path: Path
    page: int = 0
    done: AddedDocument | None = None


@dataclass(slots=True)
class LibraryReport:
    added: list[AddedDocument] = field(default_factory=list)
    was_stopped: bool = False

    def of(self, outcome: AddOutcome) -> list[AddedDocument]:
        return [document for document in self.added if document.outcome is outcome]


@dataclass(frozen=True, slots=True)
class Library:
    """Slow: call it on a worker thread. Methods may raise StorageError."""

    _sources: SourceStore
    _files: FileStore
    _references: ReferenceStore
    _notes: NoteStore
    now: Clock = utc_now
    _tags: TagStore[SourceId] | None = None
    """Keeps the tags that stand in files; None: they are left out."""
    are_apart: bool = False
    """Whether equal files in different places are documents of their own."""

    def of(self, project: ProjectId) -> "Library":
        return replace(self, _sources=self._sources.of(project))

    def add(
        self,
        paths: Sequence[Path],
        *,
        with_copies: bool = False,
        on_progress: Callable[[LibraryProgress], None] = lambda _: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> LibraryReport:
        """Add files and folders; each file is complete before the next begins.

        A link is followed if it is named itself, or stays inside its folder.
        """
        report = LibraryReport()
        files = dict(documents_in(paths))
        with DocumentReader() as reader:
            beside = _ReferencesBeside(reader, should_stop)
            for number, (file, leads_out) in enumerate(files.items(), start=1):
                at = LibraryProgress(number, len(files), file)

                def read(at: LibraryProgress = at) -> Document:
                    return reader.read(
                        at.path,
                        on_page=lambda page: on_progress(replace(at, page=page)),
                        should_stop=should_stop,
                        takes_scans=True,
                    )

                on_progress(at)
                try:
                    if leads_out:
                        document = AddedDocument(
                            file, AddOutcome.FAILED, error=errors.DocumentLinkError()
                        )
                    else:
                        document = self._add(file, read, should_stop, with_copies=with_copies)
                        document = self._with_reference(document, beside)
                except ReadingStopped:
                    report.was_stopped = True
                    break
                report.added.append(document)
                on_progress(replace(at, done=document))
        return report

    def original(self, source: Source) -> Path | None:
        """Return the file of the document, or else its copy."""
        copy = [self._files.path(source.copy)] if source.copy else []
        return next((path for path in (Path(source.address), *copy) if is_file(path)), None)

    def size(self, source: Source) -> int | None:
        """Return how many bytes the same has; None if there is none."""
        paths = [source.address] if source.kind is SourceKind.DOCUMENT else []
        if source.copy:
            paths.append(str(self._files.path(source.copy)))
        for path in paths:
            with suppress(OSError, ValueError):
                status = os.stat(path)  # noqa: PTH116 - a list of works asks for thousands
                if S_ISREG(status.st_mode):
                    return status.st_size
        return None

    def pdf(self, source: Source) -> Path | None:
        """Return the same if it is a PDF. Raises FileUnreadableError."""
        file = self.original(source)
        if file is None:
            return None
        with self.opened(file) as opened:
            return file if PDF_MARK in opened.read(BEGINNING) else None

    def opened(self, file: Path) -> BinaryIO:
        """Open an original or a copy, decrypted if need be. Raises FileUnreadableError."""
        is_copy = file.parent == self._files.folder
        return (self._files.unsealed(file.name) if is_copy else None) or open_file(file)

    def page_of(self, source: Source, quote: str) -> int | None:
        """Return the page of the passage that has these words, or half of them; None if none has.

        Of words that go on after the end of a page, one half is on one page.
        """
        passages, words = self._sources.passages(source.id), quote.split()
        half = len(words) // 2
        halves = [" ".join(words[:half]), " ".join(words[half:])] if half >= _FEWEST else []
        for part in (quote, *halves):
            if passage := passage_with(part, passages, None):
                return passage.page
        return None

    def write_annotated(self, source: Source, pages: PdfPageReader, target: Path) -> int:
        """Write a copy of a PDF with its notes as annotations; return how many there are.

        Those that the file has itself stay. Raises DocumentError, FileUnreadableError,
        FileNotWrittenError.
        """
        file = self.pdf(source)
        if file is None:
            raise errors.DocumentKindError
        notes = [note for note in self._notes.of_source(source.id) if not note.is_of_file]
        count, copy = pages.annotated(file, notes)
        with raising_not_written(target), write_beside(target, is_export=True) as partial:
            partial.write_bytes(copy)
        return count

    def is_gone(self, source: Source) -> bool:
        """Return whether the document is no longer where it was read."""
        is_document = source.kind is SourceKind.DOCUMENT and source.session_id is None
        has_place = not source.address.startswith(MADE_ADDRESS)
        return is_document and has_place and not is_file(Path(source.address))

    def openable(self, source: Source) -> Path | None:
        """Return the same for another program, which cannot read an encrypted copy."""
        path = self.original(source)
        is_copy = path is not None and path.parent == self._files.folder
        return self._files.shown_to_others(path.name) if path and is_copy else path

    def _add(
        self,
        file: Path,
        read: Callable[[], Document],
        should_stop: Callable[[], bool],
        *,
        with_copies: bool,
    ) -> AddedDocument:
        source: Source | None = None
        outcome = AddOutcome.FAILED
        try:
            outcome, source = self._take_in(file, read, should_stop)
            if with_copies and not source.copy:
                source = self._keep_copy(file, source)
        except errors.StorageError:
            raise
        except errors.AppError as exc:
            return AddedDocument(file, outcome, source, exc)
        hint = _missing_engine() if source.needs_ocr else None
        return AddedDocument(file, outcome, source, hint=hint)

    def _take_in(
        self, file: Path, read: Callable[[], Document], should_stop: Callable[[], bool]
    ) -> tuple[AddOutcome, Source]:
        check_file(file, _MOST_MEGABYTES)
        sha256 = _hash(file, should_stop)
        # A name that is not valid in any encoding is stored as well as possible.
        address = fix_surrogates(str(file.resolve()))
        there = self._sources.at_address(address)
        if duplicate := self._duplicate(sha256, there):
            is_moved = there is None and not is_file(Path(duplicate.address))
            moved = address if is_moved else None
            return AddOutcome.KNOWN, self._sources.refresh(duplicate.id, address=moved)
        document = read()
        document.title = document.title or one_line(file.stem)
        source = document.to_source(SourceKind.DOCUMENT, address, sha256, self.now())
        reference = document.reference
        if there or reference.csl:
            own = reference_of({"title": document.title}, FieldOrigin.FILE)
            reference = merged(own, reference)
        steps = self.steps(reference, document.tags)
        stored = self._sources.add(source, document.passages, *steps, is_apart=self.are_apart)
        self.add_annotations(stored, document.annotations)
        return AddOutcome.RENEWED if there else AddOutcome.ADDED, stored

    def _duplicate(self, sha256: str, there: Source | None) -> Source | None:
        """Return the document that has these bytes already; `there`: the one of the same place.

        Of what is kept apart, one counts that was moved here: its own file is gone.
        """
        same = self._sources.all_with_hash(sha256)
        if there in same:
            return there
        if self.are_apart:
            same = [each for each in same if not (there or is_file(Path(each.address)))]
        return next(iter(same), None)

    def steps(self, reference: Reference, tags: Sequence[str]) -> Sequence[StoringStep]:
        """Return what is stored with a document: what its file says of it, and its tags."""
        tagging = [self._tags.tagging(tags)] if self._tags is not None else []
        return [self._references.filling(reference), *tagging]

    def add_annotations(self, source: Source, annotations: Sequence[PdfAnnotation]) -> int:
        """Store the annotations of a file as notes, except those that an earlier version had.

        Returns how many were stored.
        """
        if not annotations:
            return 0
        there = {(note.quote or note.text, note.page) for note in self._notes.of_source(source.id)}
        passages, now = self._sources.passages(source.id), self.now()
        new: list[Note] = []
        for annotation in annotations:
            if (annotation.quote or annotation.text, annotation.page) in there:
                continue
            passage = passage_with(annotation.quote, passages, annotation.page)
            new.append(
                Note(
                    id=new_note_id(),
                    quote=annotation.quote,
                    text=annotation.text,
                    created_at=now,
                    changed_at=now,
                    source_id=source.id,
                    passage_id=passage.id if passage else None,
                    page=annotation.page,
                    is_of_file=True,
                )
            )
        self._notes.add(new)
        return len(new)

    def _with_reference(
        self, document: AddedDocument, beside: "_ReferencesBeside"
    ) -> AddedDocument:
        """Fill a document's reference from a file of references in its folder."""
        if document.source is None:
            return document
        work = self._references.work(document.source.id)
        if (reference := beside.entry_of(document.path, work)) is None:
            return document
        return replace(document, source=self._references.fill(work.source.id, reference).source)

    def _keep_copy(self, file: Path, source: Source) -> Source:
        name = f"{source.sha256}{file.suffix.lower()}"
        # Stored first: a copy without a source would be swept away.
        self._sources.keep_copy(source.id, name)
        try:
            self._files.keep(file, name)
        except errors.FileNotWrittenError:
            self._sources.keep_copy(source.id, None)
            raise
        return self._sources.source(source.id)


def passage_with(
    quote: str, passages: Sequence[SourcePassage], page: int | None
) -> SourcePassage | None:
    """Return the passage that has these words, the nearest to the page, if one is named."""
    if not quote:
        return None
    nearest = sorted(passages, key=lambda passage: abs((passage.page or 0) - (page or 0)))
    order = passages if page is None else nearest
    return next((passage for passage in order if quoted_spans(quote, passage.text)), None)


def _missing_engine() -> errors.OcrMissingError | None:
    from desktop.research.documents.ocr import find_engine  # noqa: PLC0415 - few documents are scans

    return errors.OcrMissingError() if find_engine() is None else None


class _ReferencesBeside:
    """The files of references in the folders of documents, each read once."""

    def __init__(self, reader: DocumentReader, should_stop: Callable[[], bool]) -> None:
        self._reader, self._should_stop = reader, should_stop
        self._read: dict[Path, Sequence[Reference]] = {}

    def entry_of(self, document: Path, work: Work) -> Reference | None:
        """Return what a file beside a document says of it; the one with its name first."""
        for path in sorted(
            _reference_files(document), key=lambda path: path.stem != document.stem
        ):
            references = self._references(path)
            if path.stem == document.stem and len(references) == 1:
                return references[0]
            for reference in references:
                if WorkIndex([work]).take(reference, linked_files(reference.csl)):
                    return reference
        return None

    def _references(self, path: Path) -> Sequence[Reference]:
        if path not in self._read:
            try:
                self._read[path] = self._reader.read_references(path, self._should_stop)
            except (errors.DocumentError, errors.FileUnreadableError):
                self._read[path] = ()  # nobody chose this file
        return self._read[path]


def _reference_files(document: Path) -> list[Path]:
    try:
        files = [
            path for path in document.parent.iterdir() if path.suffix.lower() in REFERENCE_FILES
        ]
    except OSError:
        return []
    return sorted(files)[:_MOST_BESIDE]


def _hash(file: Path, should_stop: Callable[[], bool]) -> str:
    if should_stop():
        raise ReadingStopped
    with raising_unreadable(file), file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class ImportedPage:
    outcome: AddOutcome
    source: Source


AddPage = Callable[[str, Stop], ImportedPage]
"""Gets the address and a stop function; waits for the web. Raises AppError."""


def import_page(
    web: "Web", sources: SourceStore, address: str, *, stop: Stop = never
) -> ImportedPage:
    """Read and store a page, on a worker thread. Raises WebError, DocumentError, StorageError."""
    return _imported(sources, lambda: web.fetch(as_address(address), stop=stop))


def import_seen_page(
    web: "Web", sources: SourceStore, address: str, html: str, *, is_selection: bool
) -> ImportedPage:
    """Store a page as a browser shows it, or a selection, each of which is a work of its own.

    May wait. Raises WebError, DocumentError, StorageError.
    """
    mark = hashlib.sha256(html.encode()).hexdigest()[:12] if is_selection else ""
    return _imported(sources, lambda: web.keep(address, html, mark=mark))


def _imported(sources: SourceStore, add: Callable[[], Source]) -> ImportedPage:
    before = {source.id: source.sha256 for source in sources.sources(EVERYTHING)}
    source = add()
    if source.id not in before:
        return ImportedPage(AddOutcome.ADDED, source)
    is_same = before[source.id] == source.sha256
    return ImportedPage(AddOutcome.KNOWN if is_same else AddOutcome.RENEWED, source)


def is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def as_address(text: str) -> str:
    """Return an address with its scheme, which most people omit."""
    text = text.strip()
    return text if "://" in text or not text else f"https://{text}"
