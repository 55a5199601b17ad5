"""Backups of an archive: what one contains, which are kept, where the replaced archive is kept."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from desktop.domain.errors import AppError, DatabaseTooNewError
from desktop.domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive contains, as counts for the user."""

    sessions: int
    messages: int


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    contents: Contents
    size_bytes: int


@dataclass(frozen=True, slots=True)
class AutomaticBackup:
    path: Path
    written_at: datetime
    size_bytes: int  # Without the files that it shares with others


@dataclass(frozen=True, slots=True)
class BackupRotation:
    """For how many days, weeks and months the last automatic backup of each is kept."""

    days: int = 7
    weeks: int = 4
    months: int = 12


@dataclass(frozen=True, slots=True)
class BackupPreview:
    """What a backup would bring."""

    contents: Contents
    documents: int
    first_day: str
    last_day: str  # YYYY-MM-DD, in UTC; empty without a session
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Restored:
    contents: Contents
    kept: Path | None
    was_version: int


class RepairNeed(StrEnum):
    """What a repair had to do."""

    NOTHING = "nothing"
    INDEXES = "indexes"  # Search indexes were rebuilt; nothing is lost
    SALVAGE = "rescue"  # Everything readable was copied into a new file


def kept_moments(written: Iterable[datetime], rotation: BackupRotation) -> set[datetime]:
    """Return the moments whose backups stay: the last of each of the newest days, weeks, months.

    Days without a backup do not count: after a year away all of them are still there.
    """
    days: dict[object, datetime] = {}
    weeks: dict[object, datetime] = {}
    months: dict[object, datetime] = {}
    for moment in sorted(written, reverse=True):
        local = moment.astimezone()
        days.setdefault(local.date(), moment)
        weeks.setdefault(local.isocalendar()[:2], moment)
        months.setdefault((local.year, local.month), moment)
    counts = ((days, rotation.days), (weeks, rotation.weeks), (months, rotation.months))
    return {moment for newest, count in counts for moment in list(newest.values())[:count]}


class BackupLockedError(AppError):
    """`path`: the backup, which is encrypted, and no passphrase was given."""


class NotAnArchiveError(AppError):
    """`path`: the file that is not an archive."""


class ArchiveDamagedError(AppError):
    """`path`: the archive that is damaged."""


class ArchiveTooNewError(DatabaseTooNewError):
    """`path`: the backup, which a newer version of the program wrote."""


class BackupExistsError(AppError):
    """`path`: the file that would be overwritten."""


class BackupFolderMissingError(AppError):
    """`path`: the folder for automatic backups, for instance on a stick that is not connected."""


class BackupBrokenError(AppError):
    """`path`: where the copy would be; it was damaged when it was read back."""
