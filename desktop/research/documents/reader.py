"""Reads documents in a child process, within limits of memory, time and length.

Whatever a hostile file does to its reader, it does there: parsing and cutting into passages. The
program sends a JSON line for each document and gets back a line for its head, one for every
passage and one for its tail, or an error by its key.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import IO, Self

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEmptyError,
    DocumentEncryptedError,
    DocumentError,
    DocumentKindError,
    DocumentReaderError,
    DocumentScannedError,
    DocumentTooLargeError,
    DocumentTooSlowError,
    DocumentUnfoldsError,
    FileUnreadableError,
)
from desktop.domain.sources import NewPassage
from desktop.research.documents.blocks import Head, Tail
from desktop.research.documents.document_types import too_much_memory
from desktop.research.documents.worker_protocol import (
    ERROR,
    HEAD,
    PASSAGE,
    READ_FLAG,
    SYSTEM_ERROR,
    TOOK_TOO_LONG,
    TOOK_TOO_MUCH_MEMORY,
)

log = logging.getLogger(__name__)

_ROOT = Path(__file__).parents[3]
"""From here the child finds the program, wherever that was started."""
_CHECK_EVERY_S = 0.05
_GRACE_S = 2.0
"""The child ends by itself first and says why, unless native code holds it."""
_LONGEST_LINE = 1 << 20
"""A passage has some thousand letters; in JSON each may take twelve bytes."""
_UNCAUGHT = 1
"""What Python ends with after an exception that nobody caught."""
_LAST_WORDS = 4_000
_PRIVATE = ("ANTHROPIC_", "_KEY", "_TOKEN", "_SECRET", "PASSWORD")
"""What is in the name of environment variables that the child has no use for."""
_ERRORS: dict[str, type[DocumentError]] = {
    kind.key: kind
    for kind in (
        DocumentDamagedError,
        DocumentEmptyError,
        DocumentEncryptedError,
        DocumentKindError,
        DocumentReaderError,
        DocumentScannedError,
        DocumentTooLargeError,
        DocumentUnfoldsError,
    )
}


class ReadingStopped(Exception):  # noqa: N818 - nothing went wrong: somebody asked for it
    """The user stopped it in the middle of a document."""


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
        self._child: _Child | None = None

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
        document = Document()
        page = 0
        for part in self._parts(file, should_stop):
            match part:
                case Head():
                    document.title, document.pages = part.title, part.pages
                    document.author, document.published = part.author, part.published
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
            with _Watch(child, self._limits.seconds + _GRACE_S, should_stop) as watch:
                child.send(
                    path=str(file.absolute()),
                    seconds=self._limits.seconds,
                    letters=self._limits.letters,
                )
                is_over = False
                while not is_over:
                    line = child.receive()
                    if line is None:
                        raise self._explain_end(child, file, watch)  # noqa: TRY301 - as any other
                    part = _parse_part(line, file)
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

    def _explain_end(self, child: "_Child", file: Path, watch: "_Watch") -> Exception:
        """Why the child ended in the middle of a document."""
        code = child.exit_code()
        if watch.was_stopped:
            return ReadingStopped()
        if watch.was_too_long or code in {TOOK_TOO_LONG, _cpu_limit()}:
            return DocumentTooSlowError(seconds=int(self._limits.seconds))
        if code == TOOK_TOO_MUCH_MEMORY:
            return too_much_memory(file, self._limits.letters)
        if code == _UNCAUGHT:
            last_words = child.last_words()
            log.error("the document reader failed:\n%s", last_words)
            return DocumentReaderError(detail=last_words.rpartition("\n")[2] or str(code))
        log.warning("the document reader ended with %d", code)
        return DocumentDamagedError()

    def _running(self) -> "_Child":
        if self._child is None or self._child.has_ended:
            self.close()
            self._child = _Child(self._limits.megabytes)
        return self._child


class _Child:
    """The process, its two pipes, and what it said on stderr while it started."""

    def __init__(self, megabytes: int) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - `end` closes it
        self._process = subprocess.Popen(  # noqa: S603 - our own command, without a shell
            _command(megabytes),
            cwd=_ROOT,
            env={key: value for key, value in os.environ.items() if not _is_private(key)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            creationflags=_no_console(),
        )

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def send(self, **request: object) -> None:
        if self._process.stdin is None:
            raise AssertionError("made with pipes")
        with suppress(OSError):  # it has ended: `receive` finds that out
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def receive(self) -> bytes | None:
        """A line; None where the child has ended, or says what it never should."""
        if self._process.stdout is None:
            raise AssertionError("made with pipes")
        line = self._process.stdout.readline(_LONGEST_LINE)
        if line.endswith(b"\n"):
            return line
        if line:
            self._process.kill()
        return None

    def exit_code(self) -> int:
        """Waits a moment first: a child that is killed while it ends takes its reason along."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(_GRACE_S)
        self._process.kill()
        return self._process.wait()

    def last_words(self) -> str:
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _LAST_WORDS))
        return self._errors.read().decode("utf-8", "replace").strip()


class _Watch:
    """Ends the child when its time is over or the user has had enough."""

    def __init__(self, child: _Child, seconds: float, should_stop: Callable[[], bool]) -> None:
        self.was_stopped = self.was_too_long = False
        self._child = child
        self._until = monotonic() + seconds
        self._should_stop = should_stop
        self._over = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(_CHECK_EVERY_S):
            self.was_stopped = self._should_stop()
            self.was_too_long = monotonic() > self._until
            if self.was_stopped or self.was_too_long:
                self._child.kill()
                return


def _parse_part(line: bytes, file: Path) -> Head | NewPassage | Tail:
    """Raises DocumentError, FileUnreadableError: what the child says of the document."""
    name, *values = json.loads(line)
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


def _command(megabytes: int) -> list[str]:
    own = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "desktop"]
    return [*own, READ_FLAG, str(megabytes)]


def _is_private(variable: str) -> bool:
    return any(part in variable.upper() for part in _PRIVATE)


def _no_console() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0


def _cpu_limit() -> int:
    """What a process ends with that the system stopped for the time it took."""
    if sys.platform == "win32":
        return TOOK_TOO_LONG
    import signal  # noqa: PLC0415 - has no such signal elsewhere

    return -signal.SIGXCPU
