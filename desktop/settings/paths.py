"""Finds files: settings, profiles, the program's own; explains why a path cannot be used."""

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import appdirs

from desktop.domain.errors import (
    DatabaseIsFolderError,
    DataFolderIsFileError,
    DataUnreadableError,
    NotAFileError,
    ProfileNameError,
    StorageError,
)
from desktop.domain.frozen import dataclass


def obstacle(file: Path) -> StorageError | None:
    """Return why a file cannot be opened or created; None if its path shows no reason."""
    return obstacle_before(file) or _obstacle_itself(file)


def obstacle_before(file: Path) -> StorageError | None:
    """Return the same for the folders above the file, whatever the file itself is."""
    for folder in reversed(file.parents):
        try:
            mode = folder.stat().st_mode
        except PermissionError:
            return DataUnreadableError(path=str(folder.parent))
        except OSError:
            return None
        if not stat.S_ISDIR(mode):
            return DataFolderIsFileError(path=str(folder))
    return None


def refuse_special(file: Path) -> None:
    """Raise NotAFileError for a pipe or device: reading one can block forever."""
    try:
        mode = file.stat().st_mode
    except OSError:
        return  # the caller that opens it reports why
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise NotAFileError(path=str(file))


def _obstacle_itself(file: Path) -> StorageError | None:
    try:
        if stat.S_ISDIR(file.stat().st_mode):
            return DatabaseIsFolderError(path=str(file))
    except PermissionError:
        return DataUnreadableError(path=str(file.parent))
    except OSError:
        return None
    try:
        file.open("rb").close()
    except PermissionError:
        return DataUnreadableError(path=str(file))
    except OSError:
        return None
    return None


DEFAULT_PROFILE = "default"
KEY_FILES = ("bellek.key", "bellek.key2")
"""The presence of either shows that the profile is encrypted."""
SYNC_PLACE = "sync.json"
SHARED_PROJECTS = "sharing.json"

_NAME = "bellek"
_PRIVATE = 0o700
_LONGEST_NAME = 64
_DEVICES = {"con", "prn", "aux", "nul"}
_NUMBERED_DEVICES = {"com", "lpt"}


@dataclass(frozen=True, slots=True)
class ProfilePaths:
    """One person's data folder."""

    folder: Path

    @property
    def settings_file(self) -> Path:
        """Return the file of the personal settings."""
        return self.folder / "settings.toml"

    @property
    def database(self) -> Path:
        return self.folder / "bellek.db"

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def lock(self) -> Path:
        return self.folder / "profile.lock"

    @property
    def sync_place(self) -> Path:
        """Return the file that says where the profile synchronises; without it, it does not."""
        return self.folder / SYNC_PLACE

    @property
    def shared_projects(self) -> Path:
        """Return the file that says where projects are shared; without it, none is."""
        return self.folder / SHARED_PROJECTS

    @property
    def is_encrypted(self) -> bool:
        return is_encrypted(self.folder)


@dataclass(frozen=True, slots=True)
class Paths:
    """The folder of the settings and the folder of the profiles."""

    config: Path
    data: Path

    @classmethod
    def of_system(cls, environ: Mapping[str, str]) -> "Paths":
        """Return the system's usual folders, unless BELLEK_DATA_DIR names one."""
        if chosen := environ.get("BELLEK_DATA_DIR"):
            return cls.under(Path(chosen))
        if sys.platform.startswith(("win32", "darwin")):
            return cls(
                Path(appdirs.user_config_dir(_NAME, appauthor=False)),
                Path(appdirs.user_data_dir(_NAME, appauthor=False)),
            )
        return cls(
            _xdg_folder(environ, "XDG_CONFIG_HOME", ".config"),
            _xdg_folder(environ, "XDG_DATA_HOME", ".local/share"),
        )

    @classmethod
    def under(cls, folder: Path) -> "Paths":
        """Return paths with everything, including settings, in one folder of the user's choice."""
        # A child process may have another working folder.
        whole = folder.expanduser().absolute()
        return cls(whole, whole)

    @property
    def settings_file(self) -> Path:
        """Return the file of the settings that all profiles share."""
        return self.config / "settings.toml"

    def profiles(self) -> list[str]:
        """Return the names of the profiles that have a folder, sorted; waits for the disk."""
        try:
            folders = [
                folder.name for folder in (self.data / "profiles").iterdir() if folder.is_dir()
            ]
        except OSError:
            return []
        return sorted(name for name in folders if _is_folder_name(name))

    def profile(self, name: str = DEFAULT_PROFILE) -> ProfilePaths:
        """Raises ProfileNameError if the name cannot be a folder on every system."""
        if not _is_folder_name(name) or _is_device(name):
            raise ProfileNameError(name=name)
        return ProfilePaths(self.data / "profiles" / name)


def asset(*parts: str) -> Path:
    """Return a file of the program; `parts` begin with "resources" or "i18n"."""
    package = Path(__file__).parents[1]
    packed = package / "_assets"
    return (packed if packed.is_dir() else package.parent).joinpath(*parts)


def files_below(*folders: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the regular files in the folders and below, sorted, each with its status.

    Files come and go while others work: one that was listed and is gone is left out.
    """
    for top in folders:
        for folder, inner, names in os.walk(top):
            inner.sort()
            for name in sorted(names):
                try:
                    status = (path := Path(folder, name)).stat()
                except OSError:
                    continue
                if stat.S_ISREG(status.st_mode):
                    yield path, status


def is_encrypted(folder: Path) -> bool:
    """Whether a profile's folder is opened by a passphrase."""
    return any(os.path.exists(folder / name) for name in KEY_FILES)  # noqa: PTH110 - may not raise


def make_private_folder(folder: Path) -> None:
    """Create the folder, and those above it, for this user only; raises OSError."""
    for missing in reversed([folder, *folder.parents]):
        if not missing.exists():
            missing.mkdir(mode=_PRIVATE, exist_ok=True)


def _xdg_folder(environ: Mapping[str, str], variable: str, otherwise: str) -> Path:
    # Not appdirs: it uses the working folder if a variable is empty, and accepts relative paths,
    # which the XDG specification wants ignored.
    chosen = Path(environ.get(variable, ""))
    return (chosen if chosen.is_absolute() else Path.home() / otherwise) / _NAME


def _is_folder_name(name: str) -> bool:
    if not name or len(name) > _LONGEST_NAME:
        return False
    letters_only = all(letter.isalnum() or letter in "_ .-" for letter in name)
    return letters_only and name[0].isalnum() and (name[-1].isalnum() or name[-1] in "_-")


def _is_device(name: str) -> bool:
    """Whether Windows reserves the name for a device, whatever the extension."""
    stem = name.partition(".")[0].lower()
    is_numbered = stem[:-1] in _NUMBERED_DEVICES and stem[-1].isdecimal()
    return stem in _DEVICES or is_numbered


def program_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - no child needs it

    try:
        return version("bellek")
    except PackageNotFoundError:  # a checkout that was never installed
        return "0.1.0"
