"""The program's own log: events, never the words of a conversation.

Only our own loggers write to it: libraries log whole requests at their finer levels. Exceptions
are logged with type and traceback, our own with key and names of values: the message of an
exception may be a prompt, an answer or a key.
"""

import errno
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from traceback import format_tb
from types import TracebackType

from desktop.domain.errors import AppError
from desktop.settings.paths import make_private_folder

LOG_NAME = "bellek.log"

_OURS = "desktop"
_FORM = "%(asctime)s.%(msecs)03d %(levelname)s %(name)s [%(threadName)s] %(message)s"
_TIME = "%Y-%m-%dT%H:%M:%S"
_MOST_BYTES = 1_000_000
_OLD_FILES = 3

_ExcInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


def start_logging(folder: Path, level: int = logging.INFO) -> Callable[[], None]:
    """Write our records of `level` and above to the folder; call the result to stop."""
    with suppress(OSError):  # A log that cannot be written stops nothing
        make_private_folder(folder)
    handler = _QuietHandler(
        folder / LOG_NAME,
        maxBytes=_MOST_BYTES,
        backupCount=_OLD_FILES,
        encoding="utf-8",
        delay=True,
    )
    handler.setFormatter(WordlessFormatter(_FORM, _TIME))
    ours = logging.getLogger(_OURS)
    before = ours.level
    ours.setLevel(level)
    ours.addHandler(handler)

    def stop() -> None:
        ours.removeHandler(handler)
        ours.setLevel(before)
        handler.close()

    return stop


class WordlessFormatter(logging.Formatter):
    """Formats exceptions without their messages, wherever they occur in a record."""

    def format(self, record: logging.LogRecord) -> str:
        # Another handler may already have put the traceback into the record.
        wordless = copy(record)
        wordless.exc_text = None
        if isinstance(record.msg, BaseException):
            wordless.msg, wordless.args = describe_exception(record.msg), None
        elif isinstance(record.args, tuple):
            wordless.args = tuple(_wordless(value) for value in record.args)
        elif record.args:
            wordless.args = {name: _wordless(value) for name, value in record.args.items()}
        return super().format(wordless)

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802  # logging's name
        _, exc, _ = ei
        return "\n".join(_ways_of(exc)) if exc else ""


def describe_exception(exc: BaseException) -> str:
    """Return the type of the exception, and those of its details that cannot be anyone's words."""
    kind = type(exc).__name__
    if isinstance(exc, AppError):
        names = ", ".join(sorted(exc.values))
        return f"{kind} {exc.key} ({names})"
    if isinstance(exc, OSError) and exc.errno is not None:
        return f"{kind} {errno.errorcode.get(exc.errno, exc.errno)}"
    return kind


def _ways_of(exc: BaseException) -> Iterator[str]:
    """Yield each exception of the chain, oldest first, with the lines of its traceback."""
    seen: set[int] = set()
    chain: list[BaseException] = []
    link: BaseException | None = exc
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        chain.append(link)
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    for error in reversed(chain):
        yield "".join(format_tb(error.__traceback__)) + describe_exception(error)


def _wordless(value: object) -> object:
    return describe_exception(value) if isinstance(value, BaseException) else value


class _QuietHandler(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        opened = super()._open()
        with suppress(OSError):
            Path(self.baseFilename).chmod(0o600)
        return opened

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's name
        """Print nothing: a traceback for each record would not help against a full disk."""
