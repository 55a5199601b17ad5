"""Reads documents in a child process, within limits of memory, time and length.

Whatever a hostile file does to its reader, it does there: parsing and cutting into passages. The
program sends a JSON line for each document and gets back a line for its head, one for every
passage and one for its tail, or an error by its key.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentError,
    DocumentReaderError,
    DocumentTooSlowError,
    FileUnreadableError,
)
from desktop.domain.sources import NewPassage
from desktop.research.child_process import (
    GRACE_S,
    TOOK_TOO_LONG,
    TOOK_TOO_MUCH_MEMORY,
    UNCAUGHT,
    ChildEnded,
    ChildProcess,
    ChildWatch,
    ReadingStopped,
    cpu_limit_exit_code,
)
from desktop.research.documents.blocks import Head, Tail
from desktop.research.documents.document_types import too_much_memory

log = logging.getLogger(__name__)

READ_FLAG = "--read-documents"
"""Starts the program as the child; the megabytes of memory it may take come behind."""
HEAD, PASSAGE, TAIL, ERROR, SYSTEM_ERROR = "head", "passage", "tail", "error", "system_error"

_LONGEST_LINE = 1 << 20
"""A passage has some thousand letters; in JSON each may take twelve bytes."""
_ERRORS = {kind.key: kind for kind in DocumentError.__subclasses__()}


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    megabytes: int = 1_024
    """Of memory, for the whole child process."""
    seconds: float = 300
    letters: int = 32 << 20
    """Of one document: some ten thousand pages."""


@dataclass(slots=True)
class Document:
    """One document as it was read."""

    title: str = ""
    pages: int | None = None
    author: str = ""
    published: str = ""
    passages: list[NewPassage] = field(default_factory=list)
    unreadable_pages: int = 0


class DocumentReader:
    """Not for several threads at once. `close` it, or use it in a with statement."""

    def __init__(self, limits: ReadingLimits = ReadingLimits()) -> None:
        self._limits = limits
        self._child: ChildProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def read(
        self,
        file: Path,
        *,
        on_page: Callable[[int], None] = lambda _: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Document:
        """Raises DocumentError, FileUnreadableError, ReadingStopped."""
        document, page = Document(), 0
        for part in self._parts(file, should_stop):
            match part:
                case Head():
                    document = Document(*part)
                case Tail():
                    document.unreadable_pages = part.unreadable_pages
                case NewPassage():
                    document.passages.append(part)
                    if part.page and part.page != page:
                        page = part.page
                        on_page(page)
        return document

    def _parts(
        self, file: Path, should_stop: Callable[[], bool]
    ) -> Iterator[Head | NewPassage | Tail]:
        child = self._running()
        try:
            with ChildWatch(child, self._limits.seconds + GRACE_S, should_stop) as watch:
                child.send(
                    path=str(file.absolute()),
                    seconds=self._limits.seconds,
                    letters=self._limits.letters,
                )
                is_over = False
                while not is_over:
                    try:
                        part = _parse_part(child.receive(), file)
                    except ChildEnded as exc:
                        raise self._explain_end(child, file, watch) from exc
                    is_over = isinstance(part, Tail)
                    yield part
        except DocumentError:
            if child.has_ended:
                self.close()
            raise
        except BaseException:
            # What it would still say belongs to this document.
            self.close()
            raise

    def _explain_end(self, child: ChildProcess, file: Path, watch: ChildWatch) -> Exception:
        """Why the child ended in the middle of a document."""
        code = child.exit_code()
        if watch.was_stopped:
            return ReadingStopped()
        if watch.was_too_long or code in {TOOK_TOO_LONG, cpu_limit_exit_code()}:
            return DocumentTooSlowError(seconds=int(self._limits.seconds))
        if code == TOOK_TOO_MUCH_MEMORY:
            return too_much_memory(file, self._limits.letters)
        if code == UNCAUGHT:
            last_words = child.last_words()
            log.error("the document reader failed:\n%s", last_words)
            return DocumentReaderError(detail=last_words.rpartition("\n")[2] or str(code))
        log.warning("the document reader ended with %d", code)
        return DocumentDamagedError()

    def _running(self) -> ChildProcess:
        if self._child is None or self._child.has_ended:
            self.close()
            self._child = ChildProcess(READ_FLAG, self._limits.megabytes, _LONGEST_LINE)
        return self._child


def _parse_part(answer: list[Any], file: Path) -> Head | NewPassage | Tail:
    """Raises DocumentError, FileUnreadableError: what the child says of the document."""
    name, *values = answer
    if name == ERROR:
        key, said, frames = values
        if frames:
            log.error("the document reader failed:\n%s", frames)
        raise _ERRORS.get(key, DocumentDamagedError)(**said)
    if name == SYSTEM_ERROR:
        raise FileUnreadableError(path=str(file), detail=values[0])
    if name == HEAD:
        return Head(*values)
    return NewPassage(*values) if name == PASSAGE else Tail(*values)
