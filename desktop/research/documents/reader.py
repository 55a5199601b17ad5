"""Reads documents in a process of its own, within limits of memory, time and length."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Self

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEmptyError,
    DocumentEncryptedError,
    DocumentError,
    DocumentKindError,
    DocumentScannedError,
    DocumentTooLargeError,
    DocumentTooSlowError,
    DocumentUnfoldsError,
    FileUnreadableError,
)
from desktop.research.documents.blocks import Block, Head, Part, Tail
from desktop.research.documents.size_errors import outgrown
from desktop.research.documents.worker_protocol import (
    BLOCK,
    ERROR,
    HEAD,
    READ_FLAG,
    SYSTEM_ERROR,
    TOOK_TOO_LONG,
    TOOK_TOO_MUCH_MEMORY,
)

log = logging.getLogger(__name__)

_ROOT = Path(__file__).parents[3]
"""From here the child finds the program, wherever that was started."""
_LOOK_EVERY_S = 0.05
_GRACE_S = 2.0
"""The child ends by itself first and says why, unless native code holds it."""
_LONGEST_LINE = 64 << 20
_ERRORS: dict[str, type[DocumentError]] = {
    kind.key: kind
    for kind in (
        DocumentDamagedError,
        DocumentEmptyError,
        DocumentEncryptedError,
        DocumentKindError,
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
    """Of memory, of the child as a whole."""
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
    blocks: list[Block] = field(default_factory=list)
    unreadable_pages: int = 0


class DocumentReader:
    """Not for several threads at once. `close` it, or use it in a with statement."""

    def __init__(self, limits: ReadingLimits = ReadingLimits()) -> None:
        self._limits = limits
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.communicate()

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
                case Block():
                    document.blocks.append(part)
                    if part.page and part.page != page:
                        page = part.page
                        on_page(page)
        return document

    def _parts(self, file: Path, should_stop: Callable[[], bool]) -> Iterator[Part]:
        child = self._running()
        try:
            with _Watch(child, self._limits.seconds + _GRACE_S, should_stop) as watch:
                self._ask(child, file)
                is_over = False
                while not is_over:
                    part = self._answer(child, file, watch)
                    is_over = isinstance(part, Tail)
                    yield part
        except DocumentError:
            if child.poll() is not None:
                self.close()
            raise
        except BaseException:
            # What it would still say belongs to this document.
            self.close()
            raise

    def _ask(self, child: subprocess.Popen[bytes], file: Path) -> None:
        request = {
            "path": str(file.absolute()),
            "seconds": self._limits.seconds,
            "letters": self._limits.letters,
        }
        if child.stdin is None:
            raise AssertionError("made with pipes")
        try:
            child.stdin.write(json.dumps(request).encode() + b"\n")
            child.stdin.flush()
        except OSError as exc:
            raise DocumentDamagedError from exc

    def _answer(self, child: subprocess.Popen[bytes], file: Path, watch: "_Watch") -> Part:
        if child.stdout is None:
            raise AssertionError("made with pipes")
        line = child.stdout.readline(_LONGEST_LINE)
        if not line.endswith(b"\n"):
            raise self._death(child, file, watch)
        name, *values = json.loads(line)
        if name == ERROR:
            key, said = values
            raise _ERRORS.get(key, DocumentDamagedError)(**said)
        if name == SYSTEM_ERROR:
            raise FileUnreadableError(path=str(file), detail=values[0])
        if name == HEAD:
            return Head(*values)
        return Block(*values) if name == BLOCK else Tail(*values)

    def _death(self, child: subprocess.Popen[bytes], file: Path, watch: "_Watch") -> Exception:
        """Why the child ended in the middle of a document."""
        child.kill()
        code = child.wait()
        if watch.was_stopped:
            return ReadingStopped()
        if watch.was_too_long or code in {TOOK_TOO_LONG, _cpu_limit()}:
            return DocumentTooSlowError(seconds=int(self._limits.seconds))
        if code == TOOK_TOO_MUCH_MEMORY:
            return outgrown(file, self._limits.letters)
        log.warning("the process that reads documents ended with %d", code)
        return DocumentDamagedError()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self.close()
            self._child = subprocess.Popen(  # noqa: S603 - our own command, without a shell
                _command(self._limits.megabytes),
                cwd=_ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=_no_console(),
            )
        return self._child


class _Watch:
    """Ends the child when its time is over or the user has had enough."""

    def __init__(
        self, child: subprocess.Popen[bytes], seconds: float, should_stop: Callable[[], bool]
    ) -> None:
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
        while not self._over.wait(_LOOK_EVERY_S):
            self.was_stopped = self._should_stop()
            self.was_too_long = monotonic() > self._until
            if self.was_stopped or self.was_too_long:
                self._child.kill()
                return


def _command(megabytes: int) -> list[str]:
    own = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "desktop"]
    return [*own, READ_FLAG, str(megabytes)]


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
