"""The files of a profile, each named by its hash: those of messages, and copies of documents.

A file that no row names is left over from a removal or a crash; the next purge removes it. A
source names its copy before the copy is made, and until it is removed; the file of a message
exists before its row. Files that a kept archive names stay for a later restore, unless their owner
was deleted since.

Text SQL: archives of every schema are read, and a backup has one table more.
"""

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO

from sqlalchemy import Connection

from desktop.domain.errors import FileNotWrittenError, FileUnreadableError, StorageError
from desktop.domain.messages import MessageFile
from desktop.domain.times import utc_text
from desktop.settings.file_writing import PARTIAL, raising_not_written, write_beside
from desktop.settings.paths import make_private_folder
from desktop.storage.schema.database import Database, OpenMode

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

AUTOMATIC = "auto-"  # The beginning of the names of automatic backups
_PRIVATE = 0o700
_UNNAMED_S = 600  # How long a new file needs no row: a draft names it within seconds
_PART = 4 << 20
_DOCUMENTS = (
    "SELECT copy FROM sources WHERE copy IS NOT NULL"
    " AND (deleted_at IS NULL OR deleted_at >= :until)"
)
_OTHERS = (
    " UNION SELECT f.sha256 FROM message_files f JOIN messages m ON m.id = f.message_id"
    " JOIN sessions s ON s.id = m.session_id"
    " WHERE (s.deleted_at IS NULL OR s.deleted_at >= :until)"
    " UNION SELECT json_extract(value, '$.sha256') FROM drafts, json_each(drafts.files)"
)
_ALWAYS = ""  # Earlier than every deletion: rows that are deleted but not purged count too


def file_folder(database: Path) -> Path:
    return database.parent / "library"


def files_beside(folder: Path) -> Path:
    """Return where automatic backups in a folder keep the files that they share."""
    return folder / "files"


class FileStore:
    """Any thread may call."""

    def __init__(
        self, folder: Path, backups: Path | None = None, key: "ProfileKey | None" = None
    ) -> None:
        """`backups`: where archives are kept that may refer to files as well."""
        self.folder = folder
        self.key = key
        self.backups = backups
        self._lock = Lock()
        self._added: dict[str, float] = {}
        self._in_memory: dict[str, bytes] = {}  # Of a temporary session: never on a disk

    def path(self, name: str) -> Path:
        return self.folder / Path(name).name

    def add(self, file: MessageFile, data: bytes, *, is_temporary: bool = False) -> None:
        """Store the bytes, on the disk on return. Raises FileNotWrittenError."""
        if is_temporary:
            self._in_memory[file.sha256] = data
            return
        with self._lock:
            self._added[file.sha256] = monotonic()
            if not self.path(file.stored_name).exists():
                self._write(file.stored_name, data)

    def _write(self, name: str, data: bytes) -> None:
        with self._written(name) as partial:
            partial.write_bytes(self.key.seal(data, name) if self.key else data)

    def read(self, file: MessageFile) -> bytes:
        """Raises FileUnreadableError."""
        data = self._in_memory.get(file.sha256)
        return self.read_copy(file.stored_name, shown=file.name) if data is None else data

    def read_copy(self, name: str, *, shown: str = "") -> bytes:
        """Return the bytes stored under a name; `shown`: its name in an error.

        Raises FileUnreadableError.
        """
        try:
            data = self.path(name).read_bytes()
            data = self.key.unseal(data, name) if self.key else data
            if sha256(data).hexdigest() != _hash(name):
                raise ValueError(name)  # noqa: TRY301 - as unsealing does
        except (OSError, ValueError) as exc:
            detail = getattr(exc, "strerror", None) or os.strerror(errno.EBADMSG)
            raise FileUnreadableError(path=shown or name, detail=detail) from exc
        return data

    def unsealed(self, name: str) -> BinaryIO | None:
        """Return an encrypted file open in memory alone; None if it is stored plain.

        Raises FileUnreadableError.
        """
        if self.key is None:
            return None
        # On a system without such memory: a file without a name.
        make = getattr(os, "memfd_create", None)
        at = make("bellek") if make else os.dup(TemporaryFile().fileno())  # noqa: SIM115
        file = os.fdopen(at, "w+b", 0)
        file.write(self.read_copy(name))
        file.seek(0)
        return file

    def shown_to_others(self, name: str) -> Path:
        """Return a path for other programs: a plain copy until the profile is closed."""
        if self.key is None:
            return self.path(name)
        target = self._plain / Path(name).name
        make_private_folder(self._plain)
        with raising_not_written(target), write_beside(target) as partial:
            partial.write_bytes(self.read_copy(name))
        return target

    def remove_shown(self) -> None:
        """Remove the copies for other programs; one that such a program holds open stays."""
        shutil.rmtree(self._plain, ignore_errors=True)

    @property
    def _plain(self) -> Path:
        return self.folder.parent / "opened"

    def has(self, file: MessageFile) -> bool:
        return file.sha256 in self._in_memory or self.path(file.stored_name).is_file()

    def keep_in_memory(self, files: Iterable[MessageFile], database: Database) -> None:
        """Keep files that a temporary session takes over off the disk, unless a row names them."""
        for file in files:
            with suppress(FileUnreadableError):
                self._in_memory[file.sha256] = self.read(file)
            with self._lock:
                self._added.pop(file.sha256, None)
        self.sweep(database)

    def forget_temporary(self, files: Iterable[MessageFile]) -> None:
        for file in files:
            self._in_memory.pop(file.sha256, None)

    def keep_bytes(self, data: bytes, name: str) -> None:
        """Store a document that is no file; raises FileNotWrittenError."""
        with self._lock:
            self._added[_hash(name)] = monotonic()
            if not self.path(name).exists():
                self._write(name, data)

    def keep(self, original: Path, name: str) -> None:
        """Store a copy of a document; raises FileNotWrittenError."""
        with self._written(name) as partial:
            if self.key is None:
                shutil.copyfile(original, partial)
            else:
                partial.write_bytes(self.key.seal(original.read_bytes(), name))

    def store_copy(self, name: str, data: bytes, digest: str) -> None:
        """Store what came from another device; raises ValueError if it is not that file."""
        if sha256(data).hexdigest() != digest or _hash(name) != digest or Path(name).name != name:
            raise ValueError(name)
        with self._lock:
            self._added[digest] = monotonic()
            self._write(name, data)

    @contextmanager
    def _written(self, name: str) -> Iterator[Path]:
        target = self.path(name)
        try:
            self.folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
            with write_beside(target) as partial:
                yield partial
        except OSError as exc:
            raise FileNotWrittenError(path=str(target), detail=exc.strerror or "") from exc

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; one that another program holds open stays until a sweep."""
        for name in names:
            with suppress(OSError):
                self.path(name).unlink(missing_ok=True)

    def remove_deleted(self, database: Database, before: datetime | None) -> None:
        """Remove files that only deleted rows name (deleted before a moment, if any)."""
        with database.reading() as db:
            named = _named(db, _ALWAYS)
            stays = _named(db, utc_text(before) if before else "9999")
        self.remove(file.name for file in self.files() if _hash(file.name) in named - stays)

    def count_damaged(self, database: Database) -> int:
        """Return how many files that rows name are missing, or are not what they were."""
        named = named_in(database)
        for file in self.files():
            with suppress(FileUnreadableError):
                self.read_copy(file.name)
                named.discard(_hash(file.name))
        return len(named)

    def sweep(self, database: Database) -> None:
        """Remove unreferenced files; one that another program holds open goes the next time."""
        with self._lock:
            since = monotonic() - _UNNAMED_S
            self._added = {name: at for name, at in self._added.items() if at > since}
            files = self.files()
            if not files:
                return
            with database.reading() as db:
                named = _named(db, _ALWAYS) | set(self._added)
            partial = {file.name for file in files if file.name.endswith(PARTIAL)}
            left = {file.name for file in files if _hash(file.name) not in named} - partial
            archives = self.backups.glob("*.db") if left and self.backups else ()
            # The files of automatic backups lie beside them.
            own = (archive for archive in archives if not archive.name.startswith(AUTOMATIC))
            hashes = named_by(own, self.key)
            self.remove(partial)
            if hashes is not None:
                self.remove(name for name in left if _hash(name) not in hashes)

    def files(self) -> list[Path]:
        return list(self.folder.iterdir()) if self.folder.is_dir() else []


def pack_files(database: Database, store: FileStore) -> None:
    """Put every file that the rows name into the archive, so that a backup is one file."""
    with database.writing() as db:
        db.exec_driver_sql("CREATE TABLE kept_files (name TEXT, part INTEGER, bytes BLOB)")
        named = _named(db, _ALWAYS)
        for name in sorted(path.name for path in store.files()):
            if _hash(name) not in named or name.endswith(PARTIAL):
                continue
            with suppress(FileUnreadableError):  # the backup is worth having without it
                data = store.read_copy(name)
                for part, start in enumerate(range(0, len(data), _PART)):
                    piece = data[start : start + _PART]
                    db.exec_driver_sql(
                        "INSERT INTO kept_files VALUES (?, ?, ?)", (name, part, piece)
                    )


def unpack_files(database: Database, store: FileStore, shared: FileStore) -> None:
    """Unpack the files of a backup that is restored; those whose hash is wrong are left out.

    `shared`: of the folder of files beside it, if it is an automatic one.
    """
    named = named_in(database)
    for file in shared.files():
        if _hash(file.name) not in named or store.path(file.name).exists():
            continue
        with suppress(FileUnreadableError):
            store._write(file.name, shared.read_copy(file.name))  # noqa: SLF001 - the same module
    with database.writing() as db:
        if not db.exec_driver_sql("PRAGMA table_info(kept_files)").all():
            return
        names = db.exec_driver_sql("SELECT DISTINCT name FROM kept_files").scalars().all()
        for name in map(str, names):
            parts = db.exec_driver_sql(
                "SELECT bytes FROM kept_files WHERE name = ? ORDER BY part", (name,)
            )
            data = b"".join(map(bytes, parts.scalars()))
            if sha256(data).hexdigest() == _hash(name) and not store.path(name).exists():
                store._write(name, data)  # noqa: SLF001 - the same module
        db.exec_driver_sql("DROP TABLE kept_files")


def _hash(name: str) -> str:
    return name.partition(".")[0]


def _named(db: Connection, until: str) -> set[str]:
    """Return the hashes that rows name, without rows deleted before a moment."""
    tables = set(db.exec_driver_sql("SELECT name FROM sqlite_master").scalars())
    columns = set(db.exec_driver_sql("SELECT name FROM pragma_table_info('sources')").scalars())
    if "copy" not in columns:  # older ones kept no copies
        return set()
    query = _DOCUMENTS + (_OTHERS if "message_files" in tables else "")
    return {_hash(str(value)) for value in db.exec_driver_sql(query, {"until": until}).scalars()}


def named_in(database: Database) -> set[str]:
    """Return the hashes of the files that the rows name."""
    with database.reading() as db:
        return _named(db, _ALWAYS)


def named_by(archives: Iterable[Path], key: "ProfileKey | None" = None) -> set[str] | None:
    """Return the hashes of several archives; None if one is unreadable, as it may name any."""
    named: set[str] = set()
    for file in archives:
        database = Database(file, OpenMode.AS_IT_LIES, key)
        try:
            named |= named_in(database)
        except StorageError:
            database.suspicion.unlink(missing_ok=True)
            return None
        finally:
            database.close()
    return named
