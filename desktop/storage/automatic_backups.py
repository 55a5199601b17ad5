"""Backups that the program writes by itself: one a day, the older ones thinned out.

They bear their moment in their name and contain no files: `files` beside them has those of the
library once, by their hash, for all of them.
"""

import filecmp
import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.domain.backups import AutomaticBackup, BackupRotation, kept_moments
from desktop.domain.errors import BackupBrokenError
from desktop.settings.file_writing import told_as_not_written, write_beside
from desktop.settings.paths import make_private_folder
from desktop.storage.backup import remove_with_logs, write_backup
from desktop.storage.database import Database
from desktop.storage.file_store import AUTOMATIC, file_folder, files_beside, named_by, named_in

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

_NAME = f"{AUTOMATIC}%Y%m%d-%H%M%S.db"
"""In UTC: nothing happens twice when summer ends."""


def automatic_backups(folder: Path) -> list[AutomaticBackup]:
    """Return those in a folder, the oldest first."""
    found = []
    for path in folder.glob(f"{AUTOMATIC}*.db"):
        with suppress(ValueError, OSError):  # the user's own name, or gone by now
            at = datetime.strptime(f"{path.name}+0000", f"{_NAME}%z")
            found.append(AutomaticBackup(path, at, path.stat().st_size))
    return sorted(found, key=lambda one: one.written_at)


def write_automatic(
    database: Database, folder: Path, *, now: datetime, rotation: BackupRotation
) -> AutomaticBackup:
    """Write a checked backup into the folder, then remove the automatic ones that are not kept.

    After an error the earlier ones are all there. Raises what `write_backup` raises.
    """
    with told_as_not_written(folder):
        make_private_folder(folder)
    _copy_files(database, folder)
    done = write_backup(database, folder / now.strftime(_NAME))
    _copy_files(database, folder)  # what was added meanwhile
    prune(folder, rotation, database.key)
    return AutomaticBackup(done.path, now, done.size_bytes)


def prune(folder: Path, rotation: BackupRotation, key: "ProfileKey | None" = None) -> None:
    """Remove automatic backups that are not kept, then the files that only those named."""
    found = automatic_backups(folder)
    kept = kept_moments((one.written_at for one in found), rotation)
    for one in found:
        if one.written_at not in kept:
            remove_with_logs(one.path)
            with suppress(OSError):  # of an encrypted profile the key file lies beside it
                one.path.with_name(f"{one.path.name}.key").unlink(missing_ok=True)
    stay = [one.path for one in found if one.written_at in kept]
    _sweep_files(files_beside(folder), stay, key)


def _copy_files(database: Database, folder: Path) -> None:
    library, copies = file_folder(database.path), files_beside(folder)
    named = named_in(database)
    for file in library.iterdir() if library.is_dir() else ():
        copy = copies / file.name
        if _hash_of(file) not in named or copy.exists():
            continue
        with told_as_not_written(copy), suppress(FileNotFoundError):  # removed meanwhile
            make_private_folder(copies)
            with write_beside(copy) as partial:
                shutil.copyfile(file, partial)
                if not filecmp.cmp(file, partial, shallow=False):
                    raise BackupBrokenError(path=str(copy))


def _sweep_files(copies: Path, kept: Iterable[Path], key: "ProfileKey | None") -> None:
    files = list(copies.iterdir()) if copies.is_dir() else []
    named = named_by(kept, key) if files else None
    if named is None:  # an unreadable backup may name any
        return
    for file in files:
        if _hash_of(file) not in named:
            with suppress(OSError):
                file.unlink()


def _hash_of(file: Path) -> str:
    return file.name.partition(".")[0]
