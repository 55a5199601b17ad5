"""Devices of one profile for tests: archives that meet in a folder or a server."""

from pathlib import Path

from desktop.sessions.syncing.sync import Syncing
from desktop.settings.keys import MemoryKeys
from desktop.storage.archive import Archive, open_archive

PASSPHRASE = "doğru at pil zımba"  # noqa: S105 - of a test


class SyncedDevice:
    def __init__(self, home: Path, place: Path | str) -> None:
        home.mkdir(exist_ok=True)
        self.home, self.place = home, place
        self.is_local_only = False
        self.keys = MemoryKeys()
        self.open()

    @property
    def folder(self) -> Path:
        return Path(self.place)

    def open(self) -> None:
        self.archive: Archive = open_archive(
            self.home / "bellek.db", backups=self.home / "backups"
        )
        self.syncing = Syncing(self.archive, self.keys, is_local_only=lambda: self.is_local_only)

    def close(self) -> None:
        self.syncing.close()
        self.archive.close()

    def set_up(self) -> "SyncedDevice":
        self.syncing.set_up(str(self.place), PASSPHRASE, name=self.home.name)
        self.syncing.run()
        return self

    def write(self, name: str) -> None:
        self.archive.projects.create(name)

    def names(self) -> set[str]:
        return {project.name for project in self.archive.projects.projects()}

    def own_folder(self) -> Path:
        """Return where the device writes."""
        device = self.syncing._journal.device
        assert device
        return self.folder / device
