"""Encrypts or decrypts what a profile holds: its archive, its files, the backups in its folder.

The key file says what is wanted; the first bytes of each piece show what it is. A piece is written
beside and renamed, so a conversion that was killed continues at the next unlocking.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop.domain.errors import DatabaseDamagedError
from desktop.domain.times import utc_now
from desktop.settings.encryption import KeyFile, ProfileKey, is_sealed
from desktop.settings.file_writing import (
    PARTIAL,
    raising_not_written,
    write_beside,
    write_through,
    write_through_folder,
)
from desktop.settings.keys import KeyringKeys
from desktop.settings.paths import ProfilePaths
from desktop.storage.backup import beside, checkpoint_log, remove_with_logs
from desktop.storage.database import Database, is_plain
from desktop.storage.file_store import file_folder
from desktop.storage.restore import sweep_unfinished
from desktop.storage.salvage import finish_salvage, salvage_file
from desktop.storage.schema import copy_under

_HEAD = 64
_CONVERTING = "-converting"


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
    wanted = None if file.is_turning_off(key) else key
    shutil.rmtree(profile.folder / "opened", ignore_errors=True)  # after a crash
    if wanted is not None and file.is_converted():
        return wanted
    finish_salvage(profile.database)
    sweep_unfinished(profile.database, backups=profile.backups)
    for left in profile.folder.rglob(f"*{_CONVERTING}*"):
        left.unlink(missing_ok=True)
    done, whole = 0, sum(one.stat().st_size for one in _pieces(profile))
    for piece in _pieces(profile):
        tell(ConversionProgress(done, whole))
        done += piece.stat().st_size
        _convert(piece, profile, key, wanted)
    if wanted is not None:
        file.set_converted()
        return wanted
    file.forget(KeyringKeys(profile=profile.folder.name))
    file.remove()
    return None


def _pieces(profile: ProfilePaths) -> Iterator[Path]:
    """Yield the archive first: a salvage may add more beside the backups."""
    if profile.database.exists():
        yield profile.database
    folders = (file_folder(profile.database), profile.backups)
    kept = [one for folder in folders for one in sorted(folder.rglob("*")) if one.is_file()]
    for one in (*kept, *sorted(profile.folder.glob(f"{profile.settings_file.name}*"))):
        if not one.name.endswith((PARTIAL, ".key", "-wal", "-shm")):
            yield one


def _convert(
    piece: Path, profile: ProfilePaths, key: ProfileKey, wanted: ProfileKey | None
) -> None:
    with piece.open("rb") as opened:
        is_one_sealed = is_sealed(opened.read(_HEAD))
    if piece.suffix != profile.database.suffix or is_one_sealed:
        if is_one_sealed != (wanted is not None):
            _seal(piece, key, wanted)
    elif is_plain(piece) != (wanted is None):
        try:
            _convert_database(piece, None if wanted else key, wanted)
        except DatabaseDamagedError:
            if piece == profile.database:
                salvage_file(
                    piece, backups=profile.backups, now=utc_now(), key=None if wanted else key
                )
                _convert(piece, profile, key, wanted)
            else:  # a copy of a damaged archive
                piece.with_name(f"{piece.name}-suspect").unlink(missing_ok=True)
                if wanted is not None:
                    _seal(piece, key, wanted)
    if piece.suffix == profile.database.suffix and piece != profile.database:
        _convert_key_file(piece, profile, wanted)


def _convert_key_file(backup: Path, profile: ProfilePaths, wanted: ProfileKey | None) -> None:
    of_backup = KeyFile.beside(backup)
    if wanted is not None:
        if not of_backup.exists():
            KeyFile.of_profile(profile.folder).copy_to(of_backup)
    elif is_plain(backup):
        of_backup.remove()


def _seal(piece: Path, key: ProfileKey, wanted: ProfileKey | None) -> None:
    data = piece.read_bytes()
    with suppress(ValueError):  # of another key: it stays as it is
        made = wanted.seal(data, piece.name) if wanted else key.unseal(data, piece.name)
        with raising_not_written(piece), write_beside(piece) as partial:
            partial.write_bytes(made)


def _convert_database(path: Path, before: ProfileKey | None, wanted: ProfileKey | None) -> None:
    fresh = _fresh(path)
    remove_with_logs(fresh)
    database = Database(path, key=before)
    try:
        checkpoint_log(database)
        copy_under(database, fresh, wanted)
    finally:
        database.close()
    copy = Database(fresh, key=wanted)
    try:
        copy.check()
        checkpoint_log(copy)
    finally:
        copy.close()
    with raising_not_written(path):
        write_through(fresh)
        fresh.replace(path)
        write_through_folder(path.parent)
        for stale in beside(path):
            stale.unlink(missing_ok=True)


def _fresh(path: Path) -> Path:
    return path.with_name(f"{path.name}{_CONVERTING}")
