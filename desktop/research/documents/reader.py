"""Reads documents in a child process, within limits of memory, time and length.

Parsing and cutting into passages happen in the child, so that a hostile file can harm only it.
The program sends a JSON line for each document and gets back a line for its head, one for every
passage and one for its tail, or an error by its key.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from desktop.domain import errors
from desktop.domain.ids import new_source_id
from desktop.domain.json_values import JsonValue
from desktop.domain.notes import PdfAnnotation
from desktop.domain.references import FieldOrigin, Reference
from desktop.domain.sources import NewPassage, Source, SourceKind, SourceState
from desktop.language.keywords_and_stems import text_language
from desktop.language.normalization import fix_surrogates
from desktop.research.child_process import (
    TOOK_TOO_LONG,
    TOOK_TOO_MUCH_MEMORY,
    UNCAUGHT,
    ChildEnded,
    ChildProcess,
    ChildUser,
    ReadingStopped,
)
from desktop.settings.file_writing import raising_unreadable

log = logging.getLogger(__name__)

BEGINNING = 1024  # The bytes within which the signature of a PDF may be
PDF_MARK = b"%PDF-"
ZIP_MARK = b"PK\x03\x04"
FETCHED = ".fetched"  # The extension of a fetched web page; no user's folder has such files
FEED = ".feed"  # The same of a fetched feed, whose entries are read as references
READ_FLAG = "--read-documents"
"""Starts the program as the child; followed by its memory limit in megabytes."""
MOST_OF_REFERENCES = 64 << 20  # Bytes of a file of references
_LONGEST_LINE = 1 << 20
"""A passage has some thousand characters; in JSON each may take twelve bytes."""
_READ_FOR_LANGUAGE = 3
_LONGEST_TITLE = 300
_ERRORS: dict[str, type[errors.AppError]] = {
    errors.FileUnreadableError.key: errors.FileUnreadableError,
    **{kind.key: kind for kind in errors.DocumentError.__subclasses__()},
}


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    megabytes: int = 1_024  # Of memory, for the whole child process
    seconds: float = 300
    letters: int = 32 << 20  # Of one document: some ten thousand pages


@dataclass(slots=True)
class Document:
    title: str = ""
    pages: int | None = None
    passages: list[NewPassage] = field(default_factory=list)
    unreadable_pages: int = 0
    reference: Reference = field(default_factory=Reference)
    annotations: list[PdfAnnotation] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    """Those that a file of references holds."""
    tags: list[str] = field(default_factory=list)

    def to_source(self, kind: SourceKind, address: str, sha256: str, now: datetime) -> Source:
        # Passages of its beginning, its middle and its end.
        some = self.passages[:: max(1, len(self.passages) // _READ_FOR_LANGUAGE)]
        return Source(
            id=new_source_id(),
            kind=kind,
            title=fix_surrogates(self.title[:_LONGEST_TITLE]),
            address=address,
            added_at=now,
            read_at=now,
            sha256=sha256,
            language=text_language(" ".join(passage.text for passage in some)),
            pages=self.pages,
            state=SourceState.PARTIAL if self.unreadable_pages else SourceState.COMPLETE,
        )


class DocumentReader(ChildUser):
    def __init__(self, limits: ReadingLimits = ReadingLimits()) -> None:
        super().__init__(READ_FLAG, limits.megabytes, _LONGEST_LINE)
        self._limits = limits

    def read(
        self,
        file: Path,
        *,
        opened: BinaryIO | None = None,
        on_page: Callable[[int], None] = lambda _: None,
        should_stop: Callable[[], bool] = lambda: False,
        takes_scans: bool = False,
    ) -> Document:
        """Return one document. Raises DocumentError, FileUnreadableError, ReadingStopped.

        `opened`: the file, instead of one on the disk; it is closed. `takes_scans`: return one
        whose words only OCR can read, too.
        """
        document = self._read(file, opened, on_page, should_stop, as_references=False)
        is_scan = bool(document.pages and document.unreadable_pages)
        if document.passages or (is_scan and takes_scans):
            return document
        if is_scan:
            raise errors.DocumentScannedError(pages=document.pages or 0)
        raise errors.DocumentEmptyError

    def read_references(
        self, file: Path, should_stop: Callable[[], bool] = lambda: False
    ) -> Sequence[Reference]:
        """Return what a file of BibTeX, RIS or CSL-JSON holds; raises the same."""
        return self._read(file, None, lambda _: None, should_stop, as_references=True).references

    def _read(
        self,
        file: Path,
        opened: BinaryIO | None,
        on_page: Callable[[int], None],
        should_stop: Callable[[], bool],
        *,
        as_references: bool,
    ) -> Document:
        child, limits = self.running_child(), self._limits
        try:
            with opened or open_file(file) as stream, child.limited(limits.seconds, should_stop):
                child.send(
                    stream,
                    path=str(file.absolute()),
                    seconds=limits.seconds,
                    letters=limits.letters,
                    as_references=as_references,
                )
                return _receive_document(child, on_page)
        except ChildEnded as exc:
            raise self._explain_end(child, file) from exc
        except errors.DocumentError:
            raise
        except BaseException:
            # Its remaining output belongs to this document.
            self.close()
            raise

    def _explain_end(self, child: ChildProcess, file: Path) -> Exception:
        code = child.exit_code()
        if child.was_stopped:
            return ReadingStopped()
        if child.was_too_long or code == TOOK_TOO_LONG:
            return errors.DocumentTooSlowError(seconds=int(self._limits.seconds))
        if code == TOOK_TOO_MUCH_MEMORY:
            # A compressed file may contain far more than its size shows.
            with file.open("rb") as opened:
                head = opened.read(BEGINNING)
            is_packed = PDF_MARK in head or head.startswith(ZIP_MARK)
            too_large = errors.DocumentTooLargeError(limit=self._limits.letters >> 20)
            return errors.DocumentUnfoldsError() if is_packed else too_large
        if code == UNCAUGHT:
            last_words = child.last_words()
            log.error("the document reader failed:\n%s", last_words)
            return errors.DocumentReaderError(detail=last_words.rpartition("\n")[2] or str(code))
        log.warning("the document reader ended with %d", code)
        return errors.DocumentDamagedError()


def open_file(file: Path) -> FileIO:
    """Open it for a child. Raises FileUnreadableError."""
    with raising_unreadable(file):
        return FileIO(file)


def _reference(csl: dict[str, JsonValue], origins: dict[str, str]) -> Reference:
    whole = fix_surrogates(json.dumps(csl, ensure_ascii=False))
    return Reference(
        json.loads(whole), {name: FieldOrigin(origin) for name, origin in origins.items()}
    )


def _add_to(document: Document, kind: str, *values: Any) -> None:
    if kind == "annotation":
        document.annotations.append(PdfAnnotation(*values))
    else:
        document.references.append(_reference(*values))


def _receive_document(child: ChildProcess, on_page: Callable[[int], None]) -> Document:
    """Return the document. Raises ChildEnded, and the child's errors."""
    document, last = Document(), 0
    while True:
        match child.receive():
            case ["head", title, pages, csl, origins, tags]:
                reference = _reference(csl, origins)
                document = Document(title, pages, reference=reference, tags=tags)
            case ["passage", text, page, heading]:
                document.passages.append(NewPassage(text, page, heading))
                if page and page != last:
                    last = page
                    on_page(page)
            case ["annotation" | "reference", *_] as values:
                _add_to(document, *values)
            case ["tail", unreadable_pages]:
                document.unreadable_pages = unreadable_pages
                return document
            case values:
                _, key, details, frames = values
                if frames:
                    log.error("the document reader failed:\n%s", frames)
                raise _ERRORS.get(key, errors.DocumentDamagedError)(**details)
