"""Copies of documents in the profile, for those who asked for them.

A copy is named after its bytes. What no source names is left over, from a removal or from a crash,
and goes at the next purge: so a source names its copy before the copy is made.
"""

import shutil
from contextlib import suppress
from pathlib import Path

from desktop.domain.errors import FileNotWrittenError
from desktop.storage.database import Database

_PRIVATE = 0o700
_PARTIAL = ".partial"


class Copies:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def has_any(self) -> bool:
        """Waits for the disk."""
        return self.folder.is_dir() and any(self.folder.iterdir())

    def path(self, name: str) -> Path:
        return self.folder / name

    def keep(self, original: Path, name: str) -> None:
        """Raises FileNotWrittenError."""
        target = self.path(name)
        partial = target.with_name(name + _PARTIAL)
        try:
            self.folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
            shutil.copyfile(original, partial)
            partial.replace(target)
        except OSError as exc:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise FileNotWrittenError(path=str(target), detail=exc.strerror or "") from exc

    def sweep(self, database: Database) -> None:
        """Remove what no source names; what another program holds open goes the next time."""
        if not self.folder.is_dir():
            return
        with database.reading() as db:
            named = set(db.exec_driver_sql("SELECT copy FROM sources").scalars())
        for file in self.folder.iterdir():
            if file.name.removesuffix(_PARTIAL) not in named:
                with suppress(OSError):
                    file.unlink()
