"""Writes every session into one file, beside it first: half an export is none."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from desktop.domain.errors import FileNotWrittenError
from desktop.domain.sessions import Session

if TYPE_CHECKING:
    from desktop.storage.archive import Archive

_TELL_EVERY = 50


@dataclass(frozen=True, slots=True)
class Exporting:
    path: Path
    written: int
    whole: int
    is_done: bool = False


def written_whole(
    archive: "Archive", path: Path, should_stop: Callable[[], bool]
) -> Iterator[Exporting]:
    """How far it is, from time to time and at the end. Raises FileNotWrittenError, StorageError.

    Asked to stop it leaves what stood at the path as it was.
    """
    beside = path.with_name(f"{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8") as file:
            yield from _lines(archive, path, file, should_stop)
        if should_stop():
            return
        os.replace(beside, path)  # noqa: PTH105 (the one that also replaces on Windows)
    except OSError as exc:
        raise FileNotWrittenError(path=str(path), detail=exc.strerror or "") from exc
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    written = len(_all(archive))
    yield Exporting(path, written, written, is_done=True)


def _lines(
    archive: "Archive", path: Path, file: TextIO, should_stop: Callable[[], bool]
) -> Iterator[Exporting]:
    # Behind the painted window: it brings the reader of markdown with it.
    from desktop.sessions.exporting import as_line  # noqa: PLC0415

    sessions = _all(archive)
    for place, session in enumerate(sessions):
        if should_stop():
            return
        if place % _TELL_EVERY == 0:
            yield Exporting(path, place, len(sessions))
        file.write(as_line(session, archive.sessions.messages(session.id)) + "\n")


def _all(archive: "Archive") -> list[Session]:
    """The active one too, as it stands: who brings it along again later has what was added."""
    return [one for one in archive.sessions.sessions() if one.messages]
