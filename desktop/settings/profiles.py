"""All profiles of a data folder: lists, creates, renames, and deletes them for good."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop.domain.endpoints import EndpointId
from desktop.domain.errors import AppError, ProfileExistsError, ProfileUnknownError
from desktop.settings.file_writing import raising_not_written
from desktop.settings.keys import KeyringKeys
from desktop.settings.paths import Paths, ProfilePaths, files_below, make_private_folder
from desktop.settings.profile import ProfileLock, owner
from desktop.settings.store import SettingsStore


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    """What is known of a profile without opening it."""

    name: str
    size_bytes: int
    used_at: datetime | None  # When a window or a command last used it
    is_encrypted: bool
    is_open: bool


def _keys_of(profile: str) -> KeyringKeys:
    return KeyringKeys(profile=profile)


class Profiles:
    """Any thread may call; everything waits for the disk, and changes for the keyring.

    Methods that change a profile raise ProfileUnknownError, ProfileNameError,
    FileNotWrittenError, and ProfileInUseError while a window or a command has it.
    """

    def __init__(self, paths: Paths, keys: Callable[[str], KeyringKeys] = _keys_of) -> None:
        self._paths = paths
        self._keys = keys

    def names(self) -> list[str]:
        return self._paths.profiles()

    def summaries(self) -> list[ProfileSummary]:
        summaries = []
        for name in self.names():
            with suppress(ProfileUnknownError):  # another window may have deleted it by now
                summaries.append(self.summary(name))
        return summaries

    def summary(self, name: str) -> ProfileSummary:
        profile = self._existing(name)
        used_at = None
        with suppress(OSError):
            used_at = datetime.fromtimestamp(profile.lock.stat().st_mtime, UTC)
        return ProfileSummary(
            name,
            sum(status.st_size for _, status in files_below(profile.folder)),
            used_at,
            is_encrypted=profile.is_encrypted,
            is_open=owner(profile.lock) is not None,
        )

    def create(self, name: str) -> None:
        """Make an empty profile. Raises ProfileExistsError."""
        folder = self._free(name).folder
        with raising_not_written(folder):
            make_private_folder(folder)

    def check_free(self, name: str) -> None:
        """Raise ProfileNameError or ProfileExistsError if no profile can get this name."""
        self._free(name)

    def remember(self, name: str) -> None:
        """Open this profile the next time that no profile is named."""
        with suppress(AppError):
            SettingsStore(self._paths, name).change(last_profile=name)

    def rename(self, name: str, new: str) -> None:
        """Rename a profile, with its keys. Raises ProfileExistsError."""
        profile, target = self._existing(name), self._free(new)
        lock = ProfileLock(profile.lock, for_command=True)
        lock.acquire()
        lock.release()  # Windows renames no folder with an open file
        endpoints = self._endpoints(name)
        old_keys, keys = self._keys(name), self._keys(new)
        old_keys.copy_to(keys, endpoints)
        try:
            with raising_not_written(target.folder):
                profile.folder.rename(target.folder)
        except AppError:
            keys.delete_all(endpoints)
            raise
        old_keys.delete_all(endpoints)
        store = SettingsStore(self._paths, new)
        with suppress(AppError):
            if store.load().last_profile == name:
                store.change(last_profile=new)

    def delete(self, name: str) -> None:
        """Delete a profile's keys, and its folder with everything in it."""
        profile = self._existing(name)
        lock = ProfileLock(profile.lock, for_command=True)
        lock.acquire()
        try:
            self._keys(name).delete_all(self._endpoints(name))
            with raising_not_written(profile.folder):
                for path in profile.folder.iterdir():
                    if path != profile.lock:
                        _remove(path)
        finally:
            lock.release()
        with raising_not_written(profile.folder):
            _remove(profile.folder)

    def _endpoints(self, name: str) -> list[EndpointId]:
        """Return the endpoints of the settings: earlier programs did not list their keys."""
        store = SettingsStore(self._paths, name)
        with suppress(AppError):
            store.load()
        return [endpoint.id for endpoint in store.current.endpoints]

    def _existing(self, name: str) -> ProfilePaths:
        profile = self._paths.profile(name)
        if not profile.folder.is_dir():
            raise ProfileUnknownError(name=name)
        return profile

    def _free(self, name: str) -> ProfilePaths:
        profile = self._paths.profile(name)
        if profile.folder.exists():
            raise ProfileExistsError(name=name)
        return profile


def _remove(path: Path) -> None:
    """Remove a file, a link or a folder, or what is left of it. Raises OSError."""
    while path.is_symlink() or path.exists():
        with suppress(FileNotFoundError):  # of a file in it, which another process removed
            if path.is_symlink() or not path.is_dir():
                path.unlink()
            else:
                shutil.rmtree(path)
