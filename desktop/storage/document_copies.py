"""Copies of documents in the profile, for those who asked for them.

A copy is named after its bytes. What no source names is left over, from a removal or from a crash,
and goes at the next purge: so a source names its copy before the copy is made. What a kept archive
names stays, for whoever puts that one back, unless its document was deleted since.
"""

import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from desktop.domain.errors import FileNotWrittenError, StorageError
from desktop.storage.database import Database, OpenMode

_PRIVATE = 0o700
_PARTIAL = ".partial"
_DOOMED = ".deleted"
"""Names those whose documents are being deleted, until they are gone, a line each."""


class Copies:
    def __init__(self, folder: Path, backups: Path | None = None) -> None:
        """`backups`: where archives are kept that may name copies, too."""
        self.folder = folder
        self.backups = backups

    @property
    def has_any(self) -> bool:
        """Waits for the disk."""
        return self.folder.is_dir() and any(one.name != _DOOMED for one in self.folder.iterdir())

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

    def doom(self, deleted: Collection[str]) -> None:
        """Note what is to go with rows that are about to: whoever dies in between leaves the note.

        A disk that takes no note loses it alone: the copies are named to `sweep` as well.
        """
        if not deleted or not self.folder.is_dir():
            return
        with suppress(OSError):
            note = self._doomed_note()
            note.write_text("\n".join(sorted({*deleted, *self._doomed()})), encoding="utf-8")

    def _doomed_note(self) -> Path:
        return self.folder / _DOOMED

    def _doomed(self) -> set[str]:
        try:
            return set(self._doomed_note().read_text(encoding="utf-8").split())
        except (OSError, UnicodeDecodeError):
            return set()

    def sweep(self, database: Database, *, deleted: Collection[str] = ()) -> None:
        """Remove what no source names; what another program holds open goes the next time.

        `deleted`: those of documents that were deleted; no kept archive keeps them.
        """
        if not self.folder.is_dir():
            return
        with database.reading() as db:
            named = set(db.exec_driver_sql("SELECT copy FROM sources").scalars())
        doomed = {*deleted, *self._doomed()}
        files = (one for one in self.folder.iterdir() if one.name != _DOOMED)
        unnamed = [one for one in files if one.name not in named]
        partial = [one for one in unnamed if one.name.endswith(_PARTIAL)]
        gone = [one for one in unnamed if one.name in doomed]
        left = [one for one in unnamed if one not in partial and one not in gone]
        kept = _named_by_kept(self.backups) if left and self.backups else set()
        over = [] if kept is None else [one for one in left if one.name not in kept]
        for file in (*partial, *gone, *over):
            if file.name.removesuffix(_PARTIAL) not in named:
                with suppress(OSError):
                    file.unlink()
        if not any(file.exists() for file in gone):
            with suppress(OSError):
                self._doomed_note().unlink(missing_ok=True)


def _named_by_kept(backups: Path) -> set[str] | None:
    """None where one of the kept archives cannot be read: it may name any."""
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
