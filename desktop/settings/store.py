"""The files of the settings: that of all profiles, and that of one profile.

They are read once, written whole or not at all, and never overwritten when unreadable.
"""

import errno
import logging
import os
import re
import threading
import tomllib
from collections.abc import Callable, Collection
from dataclasses import fields, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from desktop.domain.errors import (
    AppError,
    FileUnreadableError,
    NotAFileError,
    SettingsBrokenError,
    SettingsNotSavedError,
)
from desktop.domain.times import Clock, utc_now
from desktop.settings.file_writing import PARTIAL, remove_abandoned, write_beside
from desktop.settings.paths import (
    DEFAULT_PROFILE,
    KEY_FILES,
    Paths,
    make_private_folder,
    refuse_special,
)
from desktop.settings.settings import SHARED_FIELDS, Settings
from desktop.settings.settings_schema import Table, migrated, settings_of, written_into
from desktop.settings.toml_fields import FieldInvalidError

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

log = logging.getLogger(__name__)


_PERSONAL_FIELDS = frozenset(field.name for field in fields(Settings)) - SHARED_FIELDS


class SettingsStore:
    """Any thread may call. `current` is the user's choice, without the environment's overrides.

    While an encrypted profile is locked, its personal settings have their defaults.
    """

    def __init__(
        self, paths: Paths, profile: str = DEFAULT_PROFILE, clock: Clock = utc_now
    ) -> None:
        """Raise ProfileNameError."""
        self.paths = paths
        self.profile_paths = paths.profile(profile)
        self._shared = _SettingsFile(paths.settings_file, _PERSONAL_FIELDS, clock)
        self._personal = _SettingsFile(self.profile_paths.settings_file, SHARED_FIELDS, clock)
        self._key: ProfileKey | None = None
        self._current = Settings()
        self._writing = threading.RLock()

    @property
    def profile(self) -> str:
        return self.profile_paths.folder.name

    @property
    def current(self) -> Settings:
        return self._current

    @property
    def is_locked(self) -> bool:
        return self._key is None and self.profile_paths.is_encrypted

    def load(self) -> Settings:
        """Load the settings. Raises FileUnreadableError, or at first SettingsBrokenError."""
        with self._writing:
            remove_abandoned(self.paths.config.glob(f"*{PARTIAL}"))
            self._shared.table, self._personal.table = {}, {}
            failures = self._read()
            if _PERSONAL_FIELDS & self._shared.table.keys():
                self._split()
            self._current = settings_of({**self._shared.own(), **self._personal.own()})
            if failures:
                raise failures[0]
            return self._current

    def unlock(self, key: "ProfileKey | None") -> Settings:
        """Load the personal settings of an encrypted profile, too. Raises as `load`.

        `key`: None if the profile has been decrypted.
        """
        self._key = key
        if key is not None:
            name = self.profile_paths.settings_file.name
            self._personal.decode = partial(key.unseal, name=name)
            self._personal.encode = partial(key.seal, name=name)
        return self.load()

    def save(self, settings: Settings) -> None:
        """Save the settings. ValueError if they could not be read again; SettingsNotSavedError."""
        with self._writing:
            shared = self._shared.with_these(settings)
            personal = self._personal.with_these(settings)
            # Refuse to write what the next start would reject.
            self._current = settings_of({**shared, **personal})
            self._shared.write(shared)
            if not self.is_locked:
                self._personal.write(personal)
            elif personal != self._personal.with_these(Settings()):
                path = str(self.profile_paths.settings_file)
                raise SettingsNotSavedError(path=path, detail=KEY_FILES[0])

    def change(
        self,
        **fields: Any,  # `replace` checks the names, `save` the values
    ) -> Settings:
        """Change only these fields, also if another window has changed others meanwhile.

        After SettingsNotSavedError the change still applies until the program ends.
        """
        with self._writing:
            for exc in self._read():
                log.warning("the settings file went bad while in use: %s", exc.key)
            self._current = settings_of({**self._shared.own(), **self._personal.own()})
            self.save(replace(self._current, **fields))
            return self._current

    def _read(self) -> list[AppError]:
        """Read both files; for one that cannot be read the earlier values stay."""
        failures: list[AppError] = []
        for file in (self._shared,) if self.is_locked else (self._shared, self._personal):
            try:
                file.read()
            except (SettingsBrokenError, FileUnreadableError, NotAFileError) as exc:
                failures.append(exc)
        return failures

    def _split(self) -> None:
        """Give every profile its own copy of the personal settings, which all once shared."""
        old = {
            name: value for name, value in self._shared.table.items() if name not in SHARED_FIELDS
        }
        if not self.profile_paths.settings_file.exists():
            self._personal.table = old
        try:
            for name in {self.profile, *self.paths.profiles()}:
                path = self.paths.profile(name).settings_file
                if not path.exists():
                    _SettingsFile(path, SHARED_FIELDS).write(old)
            self._shared.write(self._shared.own())
        except SettingsNotSavedError as exc:
            log.warning("the settings could not be split: %s", exc.values.get("detail"))


class _SettingsFile:
    def __init__(self, path: Path, foreign: Collection[str], clock: Clock = utc_now) -> None:
        """`foreign`: the fields that belong to the other file."""
        self._path = path
        self._foreign = foreign
        self._clock = clock
        self._on_disk: Table | None = None
        self.table: Table = {}
        self.decode: Callable[[bytes], bytes] = bytes
        self.encode: Callable[[bytes], bytes] = bytes

    def own(self) -> Table:
        return {name: value for name, value in self.table.items() if name not in self._foreign}

    def with_these(self, settings: Settings) -> Table:
        """Return the table with the values of these settings; unknown fields stay."""
        table = written_into(self.own(), settings)
        return {name: value for name, value in table.items() if name not in self._foreign}

    def read(self) -> None:
        """Raises SettingsBrokenError or FileUnreadableError, and leaves the table."""
        self._on_disk = None
        self.table = self._on_disk = self._read()

    def write(self, table: Table) -> None:
        """Write the table, unless the file has it. Raises SettingsNotSavedError."""
        self.table = table
        if table == self._on_disk:
            return
        if self._path.exists() and not self._path.is_file():  # writing to a pipe can wait for ever
            raise SettingsNotSavedError(path=str(self._path), detail=os.strerror(errno.EINVAL))
        data = self.encode(tomli_w.dumps(table).encode())
        try:
            make_private_folder(self._path.resolve().parent)
            with write_beside(self._path) as partial:
                partial.write_bytes(data)
        except OSError as exc:
            raise SettingsNotSavedError(path=str(self._path), detail=exc.strerror or "") from exc
        self._on_disk = table

    def _read(self) -> Table:
        refuse_special(self._path)
        try:
            # Some editors add a mark.
            text = self.decode(self._path.read_bytes()).decode("utf-8-sig")
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as exc:
            raise FileUnreadableError(path=str(self._path), detail=exc.strerror or "") from exc
        except ValueError as exc:
            raise self._broken(self._path.name) from exc
        try:
            table = migrated(tomllib.loads(text))
            settings_of(table)
        except FieldInvalidError as exc:
            raise self._broken(exc.place) from exc
        except (tomllib.TOMLDecodeError, RecursionError) as exc:
            line = re.search(r"line (\d+)", str(exc))
            place = ":".join([self._path.name, *(line.groups() if line else ())])
            raise self._broken(place) from exc
        return table

    def _broken(self, place: str) -> SettingsBrokenError:
        return SettingsBrokenError(kept=str(self._set_aside()), place=place)

    def _set_aside(self) -> Path:
        """Return where the file is now: its old place if it cannot be moved."""
        name = f"{self._path.name}.broken-{self._clock():%Y%m%dT%H%M%SZ}"
        places = (self._path.with_name(f"{name}{f'-{n}' if n else ''}") for n in count())
        target = next(place for place in places if not place.exists())
        try:
            self._path.rename(target)
        except OSError:
            return self._path
        return target


def last_profile(paths: Paths) -> str:
    """Return the profile that the window opened last, without checking the file."""
    try:
        name = tomllib.loads(paths.settings_file.read_text("utf-8-sig")).get("last_profile")
    except (OSError, ValueError, RecursionError):
        return DEFAULT_PROFILE
    return name if isinstance(name, str) and name in paths.profiles() else DEFAULT_PROFILE
