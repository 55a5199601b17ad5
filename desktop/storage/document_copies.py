"""Copies of documents in the profile, for those who asked for them.

A copy is named after its bytes. What no source names is left over, from a removal or from a crash,
and goes at the next purge: so a source names its copy before the copy is made, and a deleted one
until the copy is gone. What a kept archive names stays, for whoever puts that one back, unless its
document was deleted since.
"""

import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from desktop.domain.errors import FileNotWrittenError, StorageError
from desktop.storage.database import Database, OpenMode

_PRIVATE = 0o700
_PARTIAL = ".partial"


class Copies:
    def __init__(self, folder: Path, backups: Path | None = None) -> None:
        """`backups`: where archives are kept that may refer to copies as well."""
        self.folder = folder
        self.backups = backups

    @property
    def has_any(self) -> bool:
        """Whether there are copies; reads the disk."""
        return self.folder.is_dir() and any(self.folder.iterdir())

    def path(self, name: str) -> Path:
        return self.folder / name

    def keep(self, original: Path, name: str) -> None:
        """Store a copy; raises FileNotWrittenError."""
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

    def remove(self, names: Iterable[str]) -> None:
        """Remove copies; one that another program holds open stays until a sweep."""
        for name in names:
            with suppress(OSError):
                self.path(name).unlink(missing_ok=True)

    def sweep(self, database: Database) -> None:
        """Remove unreferenced copies; one that another program holds open goes the next time."""
        if not self.folder.is_dir():
            return
        with database.reading() as db:
            named = set(db.exec_driver_sql("SELECT copy FROM sources").scalars())
        unnamed = {one.name for one in self.folder.iterdir()} - named
        partial = {name for name in unnamed if name.endswith(_PARTIAL)}
        left = unnamed - partial
        kept = _named_by_kept(self.backups) if left and self.backups else set()
        self.remove(partial if kept is None else unnamed - kept)


def _named_by_kept(backups: Path) -> set[str] | None:
    """Return the referenced copies; None if an archive is unreadable: it may refer to any."""
    named: set[str] = set()
    for file in backups.glob("*.db"):
        database = Database(file, OpenMode.AS_IT_LIES)
        try:
            with database.reading() as db:
                columns = set(
                    db.exec_driver_sql("SELECT name FROM pragma_table_info('sources')").scalars()
                )
                if "copy" in columns:  # older ones kept no copies
                    found = db.exec_driver_sql("SELECT copy FROM sources WHERE copy IS NOT NULL")
                    named.update(map(str, found.scalars()))
        except StorageError:
            database.suspicion.unlink(missing_ok=True)
            return None
        finally:
            database.close()
    return named
