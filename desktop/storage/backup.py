"""Whole copies of an archive: written beside first, so that no half file ever bears the name."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from desktop.domain.backups import Backup, Contents
from desktop.domain.errors import (
    BackupBrokenError,
    BackupExistsError,
    DatabaseDamagedError,
    DiskFullError,
    FileNotWrittenError,
)
from desktop.storage.database import Database
from desktop.storage.partial_files import noted, partial_of, remove_with_logs, sweep_partials
from desktop.storage.purge import purge_deleted
from desktop.storage.schema import STEPS, copy_to, version_of

_PRIVATE = 0o600


def write_backup(database: Database, target: Path) -> Backup:
    """A copy of the file as it is at this moment, while others read and write in it.

    It holds what the archive shows: what was deleted is not in it, also where the deletion can
    still be undone. The copy is a single file that lies by itself, is read back and checked, and
    bears its name only then. Raises BackupExistsError, BackupBrokenError, FileNotWrittenError,
    StorageError.
    """
    refuse_taken(target)
    sweep_partials(database.path)
    partial = partial_of(target)
    with noted(database.path, partial):
        try:
            with told_as_not_written(target):
                # For this user's eyes only.
                os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
            copy_to(database, partial)
            contents = _finish(partial, target)
            with told_as_not_written(target):
                write_through(partial)
                refuse_taken(target)
                partial.rename(target)
                write_through_folder(target.parent)
                return Backup(target, contents, target.stat().st_size)
        finally:
            remove_with_logs(partial)


def refuse_taken(target: Path) -> None:
    if os.path.lexists(target):
        raise BackupExistsError(path=str(target))


def backup_name(profile: str, now: datetime) -> str:
    """What a backup is called, without its ending, where nobody says otherwise."""
    return f"bellek-{profile}-{now.astimezone():%Y%m%d-%H%M%S}"


def written_since(backups: Path, moment: datetime) -> list[Path]:
    """The profile's own backups that may hold what was there at that moment."""
    found = []
    for one in sorted(backups.glob("*.db")):
        with suppress(OSError):  # it may be gone by now, or nobody's to look at
            if one.stat().st_mtime >= moment.timestamp():
                found.append(one)
    return found


def free_place(folder: Path, name: str) -> Path:
    """A file of this name that is not there yet."""
    places = (folder / f"{name}{f'-{n}' if n else ''}.db" for n in count())
    return next(place for place in places if not os.path.lexists(place))


def contents_of(database: Database) -> Contents:
    with database.reading() as db:
        sessions, messages = db.exec_driver_sql(
            "SELECT count(*), coalesce(sum(message_count), 0) FROM sessions "
            "WHERE deleted_at IS NULL"
        ).one()
    return Contents(int(sessions), int(messages))


def check_whole(database: Database) -> None:
    """Look at every page and every index; raises DatabaseDamagedError."""
    with database.reading() as db:
        found = db.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    if found != "ok":
        raise DatabaseDamagedError


def lay_alone(database: Database) -> None:
    """Bring its log into the file and leave none beside it.

    SQLite does so only where nobody else has the file open. Raises DatabaseLockedError.
    """
    with database.outside_transactions() as db:
        db.exec_driver_sql("PRAGMA journal_mode = DELETE")


def write_through(path: Path) -> None:
    """Its bytes are on the disk, not in its cache."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def write_through_folder(folder: Path) -> None:
    """So are the names in it, where the system can say so."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


@contextmanager
def told_as_not_written(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError from exc
        raise FileNotWrittenError(path=str(target), detail=exc.strerror or "") from exc


def _finish(partial: Path, target: Path) -> Contents:
    copy = Database(partial)
    try:
        if version_of(copy) == len(STEPS):  # of another program's tables only the whole is known
            purge_deleted(copy)
        check_whole(copy)
        contents = contents_of(copy)
        lay_alone(copy)
    except DatabaseDamagedError as exc:
        raise BackupBrokenError(path=str(target)) from exc
    finally:
        copy.close()
    return contents
