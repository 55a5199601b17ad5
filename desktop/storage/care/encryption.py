"""Encrypts or decrypts what a profile holds: its archive, its files, the backups in its folder.

The key file says what is wanted; the first bytes of each piece show what it is. A piece is written
beside and renamed, so a conversion that was killed continues at the next unlocking.
"""

import math
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from desktop.domain.errors import (
    DatabaseDamagedError,
    DiskFailedError,
    DiskFullError,
    FileNotWrittenError,
    FileUnreadableError,
    SpaceTooLittleError,
)
from desktop.domain.times import utc_now
from desktop.settings.encryption import KeyFile, ProfileKey, is_sealed
from desktop.settings.file_writing import (
    PARTIAL,
    raising_not_written,
    raising_unreadable,
    write_beside,
    write_through,
    write_through_folder,
)
from desktop.settings.keys import KeyringKeys
from desktop.settings.paths import ProfilePaths, files_below
from desktop.settings.programs import convert_calls
from desktop.storage.care.backup import beside, checkpoint_log, remove_with_logs
from desktop.storage.care.restore import sweep_unfinished
from desktop.storage.care.salvage import finish_salvage, salvage_file
from desktop.storage.repositories.file_store import file_folder
from desktop.storage.schema.database import PLAIN_HEADER, Database, is_plain
from desktop.storage.schema.migrations import copy_under

_HEAD = 64
_CONVERTING = "-converting"
_NO_PIECES = (PARTIAL, ".key", "-wal", "-shm", "-journal", "-suspect")
"""Endings of files that go with another one, or that a next start removes."""
_MB = 1 << 20
_LEAST_ROOM = 1 << 20  # Bytes, for what is written about the conversion itself


@dataclass(frozen=True, slots=True)
class ConversionProgress:
    done: int
    whole: int  # Bytes


def convert_profile(
    profile: ProfilePaths,
    key: ProfileKey,
    tell: Callable[[ConversionProgress], object] = lambda _: None,
) -> ProfileKey | None:
    """Convert every piece to match the key file; return the key, or None if all is plain now.

    Only the owner of the profile may call it, before anything of it is opened. Raises
    StorageError, FileNotWrittenError, FileUnreadableError, KeyFileDamagedError.
    """
    file = KeyFile.of_profile(profile.folder)
    new_key = None if file.is_turning_off(key) else key
    shutil.rmtree(profile.folder / "opened", ignore_errors=True)  # after a crash
    if new_key is not None and file.is_converted():
        with suppress(FileNotWrittenError, DiskFullError):  # a full disk keeps nobody out
            convert_calls(profile.folder, key, new_key)  # what a process without the key added
        return new_key
    finish_salvage(profile.database)
    sweep_unfinished(profile.database, backups=profile.backups)
    for left, _ in files_below(profile.folder):
        if _CONVERTING in left.name:
            left.unlink(missing_ok=True)
    check_room(profile, encrypted=new_key is not None)
    convert_calls(profile.folder, key, new_key)
    done, whole = 0, sum(size for _, size in _pieces(profile))
    for piece, size in _pieces(profile):
        tell(ConversionProgress(done, whole))
        done += size
        try:
            with raising_unreadable(piece):
                _convert(piece, profile, key, new_key)
        except FileUnreadableError:
            if piece.exists():  # else it was there for a moment only
                raise
    if new_key is not None:
        file.set_converted()
        return new_key
    file.forget(KeyringKeys(profile=profile.folder.name))
    file.remove()
    return None


def check_room(profile: ProfilePaths, *, encrypted: bool) -> None:
    """Raise SpaceTooLittleError if the disk may not hold what a conversion writes on its way.

    Each piece is written beside the one that it replaces, and the copy of an archive has a log.
    """
    sizes = [size for piece, size in _pieces(profile) if _is_encrypted(piece) != encrypted]
    needed = 2 * max(sizes, default=0) + _LEAST_ROOM
    if sizes and (free := shutil.disk_usage(profile.folder).free) < needed:
        raise SpaceTooLittleError(needed=math.ceil(needed / _MB), free=free // _MB)


def _pieces(profile: ProfilePaths) -> Iterator[tuple[Path, int]]:
    """Yield each with its size, the archive first: a salvage may add more beside the backups."""
    archive = {profile.database, *beside(profile.database)}
    size = sum(status.st_size for path, status in files_below(profile.folder) if path in archive)
    if profile.database.exists():
        yield profile.database, size
    folders = {file_folder(profile.database), profile.backups}
    own = (profile.settings_file, profile.sync_place, profile.shared_projects)
    for path, status in files_below(profile.folder):
        is_own = path.parent == profile.folder and path.name.startswith(
            tuple(file.name for file in own)
        )
        is_piece = is_own or not folders.isdisjoint(path.parents)
        if is_piece and not path.name.endswith(_NO_PIECES):
            yield path, status.st_size


def _is_encrypted(piece: Path) -> bool:
    head = _head(piece)
    is_archive = piece.suffix == ".db"
    return is_sealed(head) or (is_archive and not head.startswith(PLAIN_HEADER))


def _head(piece: Path) -> bytes:
    with piece.open("rb") as file:
        return file.read(_HEAD)


def _convert(
    piece: Path, profile: ProfilePaths, key: ProfileKey, new_key: ProfileKey | None
) -> None:
    is_archive = piece.suffix == profile.database.suffix
    if _is_encrypted(piece) != (new_key is not None):
        if not is_archive:
            _seal(piece, key, new_key)
        elif is_sealed(_head(piece)):
            _seal_with_logs(piece, key, new_key)
        else:
            _convert_archive(piece, profile, key, new_key)
    if is_archive and piece != profile.database:
        of_backup = KeyFile.of_backup(piece)
        if new_key is None:
            if is_plain(piece):
                of_backup.remove()
        elif not of_backup.exists():
            KeyFile.of_profile(profile.folder).copy_to(of_backup)


def _convert_archive(
    piece: Path, profile: ProfilePaths, key: ProfileKey, new_key: ProfileKey | None
) -> None:
    before = None if new_key else key
    try:
        _convert_database(piece, before, new_key)
    except DatabaseDamagedError as exc:
        if _is_whole(piece, before):  # the copy is not, for instance on a disk that is full
            raise DiskFailedError from exc
        if piece == profile.database:
            salvage_file(piece, backups=profile.backups, now=utc_now(), key=before)
            _convert(piece, profile, key, new_key)
        else:  # a copy of a damaged archive
            piece.with_name(f"{piece.name}-suspect").unlink(missing_ok=True)
            if new_key is not None:
                _seal_with_logs(piece, key, new_key)


def _seal_with_logs(piece: Path, key: ProfileKey, new_key: ProfileKey | None) -> None:
    for part in (*beside(piece), piece):
        if part.exists():
            _seal(part, key, new_key)


def _is_whole(path: Path, key: ProfileKey | None) -> bool:
    try:
        with closing(Database(path, key=key)) as database:
            database.check()
    except DatabaseDamagedError:
        return False
    return True


def _seal(piece: Path, key: ProfileKey, new_key: ProfileKey | None) -> None:
    data = piece.read_bytes()
    with suppress(ValueError):  # of another key: it stays as it is
        made = new_key.seal(data, piece.name) if new_key else key.unseal(data, piece.name)
        with raising_not_written(piece), write_beside(piece) as partial:
            partial.write_bytes(made)


def _convert_database(path: Path, before: ProfileKey | None, new_key: ProfileKey | None) -> None:
    fresh = path.with_name(f"{path.name}{_CONVERTING}")
    remove_with_logs(fresh)
    try:
        with closing(Database(path, key=before)) as database:
            checkpoint_log(database)
            copy_under(database, fresh, new_key)
        with closing(Database(fresh, key=new_key)) as copy:
            copy.check()
            checkpoint_log(copy)
        with raising_not_written(path):
            write_through(fresh)
            fresh.replace(path)
            write_through_folder(path.parent)
            for stale in beside(path):
                stale.unlink(missing_ok=True)
    finally:
        remove_with_logs(fresh)
