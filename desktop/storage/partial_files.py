"""Copies of an archive that were begun and never finished, wherever they were to be written.

A note beside the archive says where the copy lies as long as it bears no name of its own. Whoever
dies leaves it, and whoever comes next finds by it the words that nobody would look for there.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from desktop.settings.file_lock import try_lock

PARTIAL = ".partial"
_BESIDE = ("-wal", "-shm", "-journal")
_NOTE = "-copying-"
_BINARY = getattr(os, "O_BINARY", 0)
_PRIVATE = 0o600
_LONGEST = 32_768
"""Letters of a path."""


def partial_of(target: Path) -> Path:
    """In the same folder: what is renamed there is never half."""
    return target.with_name(f"{target.name}.{secrets.token_hex(4)}{PARTIAL}")


@contextmanager
def noted(archive: Path, partial: Path) -> Iterator[None]:
    """Keep a note of a copy while it is made; where none can be written the copy still is."""
    note = archive.with_name(f"{archive.name}{_NOTE}{secrets.token_hex(4)}")
    file = None
    with suppress(OSError):
        file = os.open(note, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, _PRIVATE)
        # Locked before it says anything: an empty one may be removed, for nothing is begun yet.
        try_lock(file)
        os.write(file, os.fsencode(partial.absolute()))
    try:
        yield
    finally:
        if file is not None:
            os.close(file)
            _remove(note)


def sweep_partials(archive: Path, *, backups: Path | None = None) -> None:
    """Remove the copies that were never finished, but not those that somebody is making."""
    live: set[Path] = set()
    for note in archive.parent.glob(f"{archive.name}{_NOTE}*"):
        partial, is_live = _read(note)
        if partial is not None and is_live:
            live.add(partial)
        elif partial is None or partial.parent.is_dir():  # a drive that is out comes back
            if partial is not None and partial.name.endswith(PARTIAL):
                remove_with_logs(partial)
            if not is_live:
                _remove(note)
    for partial in backups.glob(f"*{PARTIAL}") if backups else ():
        if partial.absolute() not in live:
            remove_with_logs(partial)


def beside(path: Path) -> list[Path]:
    """The files that SQLite may keep beside it."""
    return [path.with_name(path.name + ending) for ending in _BESIDE]


def remove_with_logs(path: Path) -> None:
    for file in (path, *beside(path), path.with_name(f"{path.name}-suspect")):
        _remove(file)


def _read(note: Path) -> tuple[Path | None, bool]:
    """Where the copy lies, and whether somebody is at it."""
    try:
        file = os.open(note, os.O_RDWR | _BINARY)
    except OSError:
        return None, True
    try:
        said = os.read(file, _LONGEST)
        return (Path(os.fsdecode(said)) if said else None), not try_lock(file)
    except OSError:
        return None, True
    finally:
        os.close(file)


def _remove(file: Path) -> None:
    with suppress(OSError):
        file.unlink(missing_ok=True)
