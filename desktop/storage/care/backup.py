"""Writes whole copies of an archive under a temporary name, so that none is ever half written.

A note beside the archive names an unfinished copy: after a crash the next start finds it there and
removes it.

Automatic backups, one a day and thinned out with age, have their time in their name and contain no
files: `files` beside them keeps those of the library once, by hash, for all of them.

Text SQL: PRAGMA, and the count of sessions and messages.
"""

import filecmp
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.domain.backups import (
    AutomaticBackup,
    Backup,
    BackupBrokenError,
    BackupExistsError,
    BackupRotation,
    Contents,
    kept_moments,
)
from desktop.domain.errors import DatabaseDamagedError
from desktop.settings.file_writing import (
    PARTIAL,
    raising_not_written,
    write_beside,
    write_through,
    write_through_folder,
)
from desktop.settings.paths import make_private_folder
from desktop.settings.profile import try_lock
from desktop.storage.care.purge import purge_deleted
from desktop.storage.repositories.file_store import (
    AUTOMATIC,
    FileStore,
    file_folder,
    files_beside,
    named_by,
    named_in,
    pack_files,
)
from desktop.storage.schema.database import Database
from desktop.storage.schema.migrations import STEPS, copy_to, version_of

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

_BESIDE = ("-wal", "-shm", "-journal")
_NOTE = "-copying-"
_BINARY = getattr(os, "O_BINARY", 0)
_PRIVATE = 0o600
_LONGEST = 32_768  # Characters of a path
_AUTOMATIC_NAME = f"{AUTOMATIC}%Y%m%d-%H%M%S.db"  # In UTC: local time repeats an hour in autumn


def partial_of(target: Path) -> Path:
    """Return the temporary name, in the same folder: renaming there is atomic."""
    return target.with_name(f"{target.name}.{secrets.token_hex(4)}{PARTIAL}")


@contextmanager
def noted(archive: Path, partial: Path) -> Iterator[None]:
    """Keep a note of a copy while it is made; if none can be written, the copy is still made."""
    note = archive.with_name(f"{archive.name}{_NOTE}{secrets.token_hex(4)}")
    file = None
    with suppress(OSError):
        file = os.open(note, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, _PRIVATE)
        # Locked before it is written: an empty note may be removed, as nothing has begun yet.
        try_lock(file)
        os.write(file, os.fsencode(partial.absolute()))
    try:
        yield
    finally:
        if file is not None:
            os.close(file)
            _remove(note)


def sweep_partials(archive: Path, *, backups: Path | None = None) -> None:
    """Remove unfinished copies, but not those that another process is making."""
    live: set[Path] = set()
    for note in archive.parent.glob(f"{archive.name}{_NOTE}*"):
        partial, is_live = _read(note)
        if partial is not None and is_live:
            live.add(partial)
        elif partial is None or partial.parent.is_dir():  # the drive may be connected again later
            if partial is not None and partial.name.endswith(PARTIAL):
                remove_with_logs(partial)
            if not is_live:
                _remove(note)
    for partial in backups.glob(f"[!.]*{PARTIAL}") if backups else ():
        if partial.absolute() not in live:
            remove_with_logs(partial)


def beside(path: Path) -> list[Path]:
    """Return the files that SQLite may keep beside it."""
    return [path.with_name(path.name + ending) for ending in _BESIDE]


def with_logs(path: Path, target: Path) -> list[tuple[Path, Path]]:
    """Return the file and those beside it that exist, each with its place at `target`."""
    pairs = zip((path, *beside(path)), (target, *beside(target)), strict=True)
    return [(file, place) for file, place in pairs if file.exists()]


def remove_with_logs(path: Path) -> None:
    for file in (path, *beside(path), path.with_name(f"{path.name}-suspect")):
        _remove(file)


def _read(note: Path) -> tuple[Path | None, bool]:
    """Return where the copy is, and whether another process is writing it."""
    try:
        file = os.open(note, os.O_RDWR | _BINARY)
    except OSError:
        return None, True
    try:
        data = os.read(file, _LONGEST)
        return (Path(os.fsdecode(data)) if data else None), not try_lock(file)
    except OSError:
        return None, True
    finally:
        os.close(file)


def _remove(file: Path) -> None:
    with suppress(OSError):
        file.unlink(missing_ok=True)


def write_backup(database: Database, target: Path, *, with_files: bool = False) -> Backup:
    """Write a copy of the file as it is at this moment, while others read and write it.

    It contains what the archive shows: no deleted data, even if the deletion can still be undone.
    `with_files`: the profile's files are in it, too.
    The copy is a single file that is read back and checked before it gets its name. Raises
    BackupExistsError, BackupBrokenError, FileNotWrittenError, StorageError.
    """
    refuse_taken(target)
    sweep_partials(database.path)
    partial = partial_of(target)
    with noted(database.path, partial):
        try:
            with raising_not_written(target):
                # For this user's eyes only.
                os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
            copy_to(database, partial)
            files = FileStore(file_folder(database.path), key=database.key) if with_files else None
            contents = _finish(partial, target, files, database.key)
            if database.key is not None:
                _keep_key(database.path.parent, target)
            with raising_not_written(target):
                write_through(partial)
                refuse_taken(target)
                partial.rename(target)
                write_through_folder(target.parent)
                return Backup(target, contents, target.stat().st_size)
        finally:
            remove_with_logs(partial)


def copy_encrypted(path: Path, target: Path) -> None:
    """Copy an encrypted file byte by byte, with its log and its key file; nobody has it open."""
    refuse_taken(target)
    with raising_not_written(target):
        # The archive last: then the copy is whole.
        for file, place in reversed(with_logs(path, target)):
            with write_beside(place) as partial:
                shutil.copyfile(file, partial)
    _keep_key(path.parent, target)


def _keep_key(profile: Path, target: Path) -> None:
    """Put a copy of the key file beside a backup, which may outlive the profile."""
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - of encrypted profiles only

    KeyFile.of_profile(profile).copy_to(KeyFile.of_backup(target))


def refuse_taken(target: Path) -> None:
    if os.path.lexists(target):
        raise BackupExistsError(path=str(target))


def backup_name(profile: str, now: datetime) -> str:
    """Return the default name of a backup, without its extension."""
    return f"bellek-{profile}-{now.astimezone():%Y%m%d-%H%M%S}"


def written_since(backups: Path, moment: datetime) -> list[Path]:
    """Return the profile's own backups that may contain what existed at that moment."""
    paths = []
    for path in sorted(backups.glob("*.db")):
        with suppress(OSError):  # it may be gone by now, or may not be readable
            if path.stat().st_mtime >= moment.timestamp():
                paths.append(path)
    return paths


def free_place(folder: Path, name: str) -> Path:
    places = (folder / f"{name}{f'-{n}' if n else ''}.db" for n in count())
    return next(place for place in places if not os.path.lexists(place))


def contents_of(database: Database) -> Contents:
    with database.reading() as db:
        sessions, messages = db.exec_driver_sql(
            "SELECT count(*), coalesce(sum(message_count), 0) FROM sessions "
            "WHERE deleted_at IS NULL"
        ).one()
    return Contents(int(sessions), int(messages))


def checkpoint_log(database: Database) -> None:
    """Checkpoint its log into the file and leave none beside it.

    SQLite does so only if nobody else has the file open. Raises DatabaseLockedError.
    """
    with database.outside_transactions() as db:
        db.exec_driver_sql("PRAGMA journal_mode = DELETE")


def _finish(
    partial: Path, target: Path, files: FileStore | None, key: "ProfileKey | None"
) -> Contents:
    try:
        with closing(Database(partial, key=key)) as copy:
            if version_of(copy) == len(STEPS):  # an older archive is checked only as a whole
                purge_deleted(copy)
            if files is not None:
                pack_files(copy, files)
            return checked_contents(copy)
    except DatabaseDamagedError as exc:
        raise BackupBrokenError(path=str(target)) from exc


def checked_contents(database: Database) -> Contents:
    """Check a copy, and leave no log beside it. Raises DatabaseDamagedError."""
    database.check()
    contents = contents_of(database)
    checkpoint_log(database)
    return contents


def automatic_backups(folder: Path) -> list[AutomaticBackup]:
    """Return the automatic backups of a folder, the oldest first."""
    backups = []
    for path in folder.glob(f"{AUTOMATIC}*.db"):
        with suppress(ValueError, OSError):  # the user's own name, or gone by now
            at = datetime.strptime(f"{path.name}+0000", f"{_AUTOMATIC_NAME}%z")
            backups.append(AutomaticBackup(path, at, path.stat().st_size))
    return sorted(backups, key=lambda backup: backup.written_at)


def write_automatic(
    database: Database, folder: Path, *, now: datetime, rotation: BackupRotation
) -> AutomaticBackup:
    """Write a checked backup into the folder, then remove the automatic ones that are not kept.

    After an error no earlier one is missing. Raises what `write_backup` raises.
    """
    with raising_not_written(folder):
        make_private_folder(folder)
    _copy_files(database, folder)
    done = write_backup(database, folder / now.strftime(_AUTOMATIC_NAME))
    _copy_files(database, folder)  # files that were added meanwhile
    prune(folder, rotation, database.key)
    return AutomaticBackup(done.path, now, done.size_bytes)


def prune(folder: Path, rotation: BackupRotation, key: "ProfileKey | None" = None) -> None:
    """Remove automatic backups that are not kept, then the files that only they used."""
    backups = automatic_backups(folder)
    moments = kept_moments((backup.written_at for backup in backups), rotation)
    for backup in backups:
        if backup.written_at not in moments:
            remove_with_logs(backup.path)
            with suppress(OSError):  # the key file of an encrypted profile lies beside it
                backup.path.with_name(f"{backup.path.name}.key").unlink(missing_ok=True)
    stay = [backup.path for backup in backups if backup.written_at in moments]
    _sweep_files(files_beside(folder), stay, key)


def _copy_files(database: Database, folder: Path) -> None:
    library, copies = file_folder(database.path), files_beside(folder)
    named = named_in(database)
    for file in library.iterdir() if library.is_dir() else ():
        copy = copies / file.name
        if _hash_of(file) not in named or copy.exists():
            continue
        with raising_not_written(copy), suppress(FileNotFoundError):  # removed meanwhile
            make_private_folder(copies)
            with write_beside(copy) as partial:
                shutil.copyfile(file, partial)
                if not filecmp.cmp(file, partial, shallow=False):
                    raise BackupBrokenError(path=str(copy))


def _sweep_files(copies: Path, archives: Iterable[Path], key: "ProfileKey | None") -> None:
    files = list(copies.iterdir()) if copies.is_dir() else []
    named = named_by(archives, key) if files else None
    if named is None:  # an unreadable backup may name any
        return
    for file in files:
        if _hash_of(file) not in named:
            with suppress(OSError):
                file.unlink()


def _hash_of(file: Path) -> str:
    return file.name.partition(".")[0]
