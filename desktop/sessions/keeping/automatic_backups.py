"""Automatic backups: once a day, soon after the start, in the folder of the settings."""

import logging
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from threading import Lock

from desktop.domain.backups import AutomaticBackup, BackupRotation
from desktop.domain.errors import AppError, BackupFolderMissingError
from desktop.domain.times import Clock, utc_now
from desktop.sessions.keeping.housekeeping import HousekeepingTask
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive
from desktop.storage.care.backup import automatic_backups, contents_of, write_automatic

log = logging.getLogger(__name__)

_FAILED, _WRITTEN = "backup_failed", "backup_written"
_IS_LATE_AFTER = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class BackupStatus:
    is_on: bool
    folder: Path
    last: AutomaticBackup | None
    is_late: bool  # Whether today's should have been written already


@dataclass(frozen=True, slots=True)
class AutomaticBackups:
    """Any thread may call. Methods may raise StorageError."""

    _archive: Archive
    own: Path  # The profile's own folder of backups
    settings: Callable[[], Settings]
    now: Clock = field(default=utc_now)
    _writing: Lock = field(default_factory=Lock)

    @property
    def folder(self) -> Path:
        """Return their folder: one a profile and computer, if the user chose where."""
        if not (chosen := self.settings().backup_folder):
            return self.own
        profile, computer = self.own.parent.name, platform.node()
        letters = "".join(letter if letter.isalnum() else "-" for letter in computer)
        return Path(chosen) / f"bellek-{profile}-{letters}"

    def status(self) -> BackupStatus:
        is_on, last = self.settings().backs_up, self._last()
        is_late = last is None or self.now() - last.written_at > _IS_LATE_AFTER
        has_any = contents_of(self._archive.database).sessions > 0
        return BackupStatus(is_on, self.folder, last, is_on and is_late and has_any)

    def is_due(self) -> bool:
        if not self.settings().backs_up or not contents_of(self._archive.database).sessions:
            return False
        last, today = self._last(), self.now().astimezone().date()
        return last is None or last.written_at.astimezone().date() != today

    def write_due(self) -> AutomaticBackup | None:
        """Write today's backup if there is none yet, and thin out the older ones.

        Only the first failure of a series is raised, as AppError.
        """
        with self._writing:
            if not self.is_due():
                return None
            settings = self.settings()
            rotation = BackupRotation(
                settings.backup_days, settings.backup_weeks, settings.backup_months
            )
            try:
                if settings.backup_folder and not Path(settings.backup_folder).is_dir():
                    raise BackupFolderMissingError(path=settings.backup_folder)
                done = write_automatic(
                    self._archive.database, self.folder, now=self.now(), rotation=rotation
                )
            except AppError as exc:
                log.info("no automatic backup: %s", exc)
                if self._is_told():
                    return None
                self._archive.housekeeping.finish(_FAILED)
                raise
            if self._archive.housekeeping.done_on(_FAILED):
                self._archive.housekeeping.finish(_WRITTEN)
            return done

    def task(self) -> HousekeepingTask:
        return HousekeepingTask(
            "backup", lambda _: int(self.write_due() is not None), lambda: int(self.is_due())
        )

    def _is_told(self) -> bool:
        failure_day, written = map(self._archive.housekeeping.done_on, (_FAILED, _WRITTEN))
        return failure_day is not None and (written is None or written <= failure_day)

    def _last(self) -> AutomaticBackup | None:
        return next(reversed(automatic_backups(self.folder)), None)
