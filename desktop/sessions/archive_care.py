"""Care of a profile's archive: checks, backups, restoring, repair, encryption, final deletions."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.domain.backups import (
    Backup,
    BackupPreview,
    Restored,
)
from desktop.domain.errors import AppError
from desktop.domain.times import utc_now
from desktop.settings.file_writing import raising_unreadable
from desktop.settings.profile import WAITS_S, ProfileLock
from desktop.storage.archive import Archive, repair_archive
from desktop.storage.care.backup import (
    backup_name,
    copy_encrypted,
    free_place,
    write_backup,
    written_since,
)
from desktop.storage.care.restore import Keys, preview_backup, restore_archive
from desktop.storage.care.salvage import damage_lists, read_damage
from desktop.storage.schema.migrations import STEPS

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey
    from desktop.settings.messages import Texts
    from desktop.settings.paths import ProfilePaths


SCHEMA_VERSION = len(STEPS)


class ArchiveCare:
    """Backups and purges of one archive, and what salvages lost.

    Any thread may call. Every method may wait and raise StorageError.
    """

    def __init__(
        self, archive: Archive, backups: Path, automatic: Callable[[], Path] | None = None
    ) -> None:
        """`backups`: the folder of the profile's own backups; `automatic`: of automatic ones."""
        self._archive = archive
        self._backups = backups
        self._automatic = automatic or (lambda: backups)
        self.path = archive.database.path

    def try_write(self) -> None:
        """Commit a write that changes nothing, also where the archive is open for reading."""
        self._archive.try_write()

    def purge_deleted(self) -> None:
        """Make all deletions final: nothing undoes them."""
        self._archive.purge_deleted()

    def write_backup(self, target: Path) -> Backup:
        """Write a checked copy of the archive. Raises BackupExistsError, FileNotWrittenError."""
        return write_backup(self._archive.database, target, with_files=True)

    def preview_backup(self, backup: Path) -> BackupPreview | None:
        """Return what a backup contains; None if it has a passphrase of its own.

        Raises AppError if it is not a backup, or is damaged.
        """
        from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - seldom needed

        key = self._archive.database.key
        is_own = KeyFile.of_backup(backup).is_opened_by(key)
        return look_into_backup(backup, key) if is_own else None

    def damage(self) -> dict[Path, list[dict[str, Any]]]:
        """Return what salvages could not save, by their files, the oldest first.

        Raises FileUnreadableError.
        """
        return {
            path: read_damage(path, self._archive.database.key)
            for path in damage_lists(self._backups)
        }

    def backups_since(self, moment: datetime) -> Sequence[Path]:
        """Return the profile's own backups that may contain what existed at that moment."""
        folders = dict.fromkeys((self._backups, self._automatic()))
        return [path for folder in folders for path in written_since(folder, moment)]


def suggest_backup_name(profile: str) -> str:
    """Return the file name of a backup that is written now, without its extension."""
    return backup_name(profile, utc_now())


find_free_path, look_into_backup, repair = free_place, preview_backup, repair_archive


def describe_backup(
    preview: BackupPreview, texts: "Texts", day: Callable[[str], str] = str
) -> str:
    """Return in words what a backup contains; `day` formats YYYY-MM-DD."""
    return texts.say(
        "backup.preview" if preview.first_day else "backup.preview_empty",
        sessions=texts.number(preview.contents.sessions),
        messages=texts.number(preview.contents.messages),
        documents=texts.number(preview.documents),
        first=day(preview.first_day),
        last=day(preview.last_day),
        size=texts.megabytes(preview.size_bytes),
    )


def describe_written(backup: Backup, texts: "Texts") -> list[str]:
    """Return in sentences what a written backup contains, and whether it needs a key."""
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - seldom needed

    sentences = [
        texts.say(
            "backup.written",
            sessions=texts.number(backup.contents.sessions),
            messages=texts.number(backup.contents.messages),
            size=texts.megabytes(backup.size_bytes),
        )
    ]
    if (key := KeyFile.of_backup(backup.path)).exists():
        sentences.append(texts.say("backup.needs_key", name=key.places[0].name))
    return sentences


def describe_damage(damage: Mapping[str, Any], texts: "Texts") -> str:
    """Return in one line a row or session of `ArchiveCare.damage`."""
    if name := damage.get("session"):
        total, saved = texts.number(damage["messages"]), texts.number(damage["saved"])
        return texts.say("doctor.damaged_session", name=name, known=total, saved=saved)
    values = (f"{name}={value}" for name, value in damage["row"].items() if value is not None)
    row = " ".join("; ".join(values).split())
    outcome = "kept" if damage["is_kept"] else "lost"
    return texts.say(f"doctor.damaged_{outcome}", table=damage["table"], row=row)


def restore_backup(
    source: Path,
    *,
    database: Path,
    backups: Path,
    key: "ProfileKey | None" = None,
    key_of_source: "ProfileKey | None" = None,
) -> Restored:
    """Replace the archive by a backup; the archive that was there is kept in `backups`.

    Only the owner of the profile may call it, before the archive is opened. Raises
    FileUnreadableError, NotAnArchiveError, ArchiveDamagedError, DatabaseTooNewError,
    DatabaseLockedError, FileNotWrittenError, StorageError.
    """
    keys = Keys(key, key_of_source)
    return restore_archive(source, path=database, backups=backups, now=utc_now(), keys=keys)


def convert(
    profile: "ProfilePaths", key: "ProfileKey", tell: Callable[[float], object] = lambda _: None
) -> "ProfileKey | None":
    """Encrypt or decrypt what does not match the key file; `tell` gets the progress, from 0 to 1.

    Only the owner of the profile may call it, before the archive is opened. Returns the key, or
    None if the profile is plain now. Raises as `storage.care.encryption.convert_profile`.
    """
    from desktop.storage.care.encryption import convert_profile  # noqa: PLC0415 - seldom needed

    with raising_unreadable(profile.folder):  # also a list of what is in it
        return convert_profile(profile, key, lambda at: tell(at.done / max(1, at.whole)))


def convert_or_undo(
    profile: "ProfilePaths", key: "ProfileKey", tell: Callable[[float], object] = lambda _: None
) -> None:
    """Convert what was just begun; after an error the profile is as it was before.

    Where that fails too, the next start goes on. Raises as `convert`.
    """
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - seldom needed

    try:
        convert(profile, key, tell)
    except AppError:
        file = KeyFile.of_profile(profile.folder)
        file.turn_off(key, is_wanted=not file.is_turning_off(key))
        convert(profile, key)
        raise


def check_room(profile: "ProfilePaths", *, encrypted: bool) -> None:
    """Raise SpaceTooLittleError if there is not enough room to encrypt, or to decrypt."""
    from desktop.storage.care import encryption  # noqa: PLC0415 - seldom needed

    encryption.check_room(profile, encrypted=encrypted)


def copy_locked(profile: "ProfilePaths", target: Path) -> None:
    """Copy an archive whose passphrase is not known; restoring checks it.

    Raises ProfileInUseError, BackupExistsError, FileNotWrittenError, FileUnreadableError.
    """
    lock = ProfileLock(profile.lock, for_command=True, waits_s=WAITS_S)
    lock.acquire()
    try:
        copy_encrypted(profile.database, target)
    finally:
        lock.release()
