"""The settings file: read once, written whole or not at all, never overwritten when unreadable."""

import contextlib
import logging
import os
import re
import tempfile
import threading
import tomllib
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import tomli_w

from desktop.domain.errors import (
    FileUnreadableError,
    SettingsBrokenError,
    SettingsNotSavedError,
)
from desktop.domain.times import Clock, utc_now
from desktop.settings.paths import make_private_folder
from desktop.settings.settings import Settings
from desktop.settings.settings_schema import Table, migrated, settings_of, written_into
from desktop.settings.toml_fields import FieldInvalidError

log = logging.getLogger(__name__)


class SettingsStore:
    """Any thread may call. `current` is the user's choice, without the environment's overrides."""

    def __init__(self, path: Path, clock: Clock = utc_now) -> None:
        self._path = path
        self._clock = clock
        self._table: Table = {}
        self._current = Settings()
        self._writing = threading.RLock()

    @property
    def current(self) -> Settings:
        return self._current

    def load(self) -> Settings:
        """Load the settings. Raises FileUnreadableError, or at first SettingsBrokenError."""
        with self._writing:
            self._table, self._current = {}, Settings()
            self._table, self._current = self._read()
            return self._current

    def save(self, settings: Settings) -> None:
        """Save the settings. ValueError if they could not be read again; SettingsNotSavedError."""
        with self._writing:
            table = written_into(self._table, settings)
            # What the next start would reject must not be written.
            self._current = settings_of(table)
            self._table = table
            self._write(tomli_w.dumps(table))

    def change(
        self,
        **fields: Any,  # `replace` checks the names, `save` the values
    ) -> Settings:
        """Change only these fields, also if another window has changed others meanwhile.

        After SettingsNotSavedError the change still applies until the program ends.
        """
        with self._writing:
            try:
                self._table, self._current = self._read()
            except (SettingsBrokenError, FileUnreadableError) as exc:
                log.warning("the settings file went bad while in use: %s", exc.key)
            self.save(replace(self._current, **fields))
            return self._current

    def _read(self) -> tuple[Table, Settings]:
        try:
            text = self._path.read_bytes().decode("utf-8-sig")  # some editors add a mark
        except (FileNotFoundError, NotADirectoryError):
            return {}, Settings()
        except UnicodeDecodeError as exc:
            raise self._broken(self._path.name) from exc
        except OSError as exc:
            raise FileUnreadableError(path=str(self._path), detail=exc.strerror or "") from exc
        try:
            table = migrated(tomllib.loads(text))
            return table, settings_of(table)
        except FieldInvalidError as exc:
            raise self._broken(exc.place) from exc
        except (tomllib.TOMLDecodeError, RecursionError) as exc:
            line = re.search(r"line (\d+)", str(exc))
            raise self._broken(
                ":".join([self._path.name, *(line.groups() if line else ())])
            ) from exc

    def _broken(self, place: str) -> SettingsBrokenError:
        return SettingsBrokenError(kept=str(self._set_aside()), place=place)

    def _set_aside(self) -> Path:
        """Return where the file is now: its old place if it cannot be moved."""
        name = f"{self._path.name}.broken-{self._clock():%Y%m%dT%H%M%SZ}"
        places = (self._path.with_name(f"{name}{f'-{n}' if n else ''}") for n in count())
        kept = next(place for place in places if not place.exists())
        try:
            self._path.rename(kept)
        except OSError:
            return self._path
        return kept

    def _write(self, text: str) -> None:
        try:
            # A settings file that is a symbolic link stays one.
            path = self._path.resolve()
            make_private_folder(path.parent)
            handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(path)
            except OSError:
                with contextlib.suppress(OSError):
                    Path(name).unlink()
                raise
        except OSError as exc:
            raise SettingsNotSavedError(path=str(self._path), detail=exc.strerror or "") from exc
