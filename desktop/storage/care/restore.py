"""Replaces a profile's archive with a backup, completely or not at all.

Nothing changes until the new archive is ready beside the old one: copied, migrated to the newest
schema and checked. Then the old one is copied with its log, and one renaming puts the new one in
its place, so that there is an archive at any moment. Only tables and columns of our own schema are
accepted, as the backup may be foreign. Text SQL for that.
"""

import shutil
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from desktop.domain.backups import (
    ArchiveDamagedError,
    ArchiveTooNewError,
    BackupBrokenError,
    BackupPreview,
    Contents,
    NotAnArchiveError,
    Restored,
)
from desktop.domain.errors import DatabaseDamagedError, FileUnreadableError, StorageError
from desktop.settings.file_writing import raising_not_written, write_through, write_through_folder
from desktop.storage.care.backup import (
    beside,
    checked_contents,
    checkpoint_log,
    contents_of,
    free_place,
    remove_with_logs,
    sweep_partials,
    with_logs,
    write_backup,
)
from desktop.storage.care.salvage import finish_salvage, sweep_salvage
from desktop.storage.repositories.file_store import (
    FileStore,
    file_folder,
    files_beside,
    unpack_files,
)
from desktop.storage.schema.database import PLAIN_HEADER, Database, OpenMode, is_plain
from desktop.storage.schema.migrations import (
    STEPS,
    copy_under,
    create_schema,
    take_steps,
    version_of,
)

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey


@dataclass(frozen=True, slots=True)
class Keys:
    profile: "ProfileKey | None" = None  # The key with which the restored archive is written
    source: "ProfileKey | None" = None  # The key of the backup, if it is encrypted


NO_KEYS = Keys()
_TABLES = {"sessions", "messages", "topics", "session_topics", "compacts"}
"""Tables that every archive has had."""
_VECTORS = (
    "vector_bits",
    "source_vector_bits",
    "other_vector_bits",
    "other_source_vector_bits",
)
"""Made once the model is known, so that no new file has them."""
_OF_VECTORS = tuple(f"{table}_" for table in _VECTORS)
_FILES = "kept_files"
_VIRTUAL = "createvirtualtable"
_SCHEMES = ("http", "https")

_Objects = dict[str, tuple[str, str]]  # By name: type, and SQL without spaces


def restore_archive(
    source: Path, *, path: Path, backups: Path, now: datetime, keys: Keys = NO_KEYS
) -> Restored:
    """Replace `path` with a copy of `source`; only the owner of the profile may call it.

    Raises FileUnreadableError, NotAnArchiveError, ArchiveDamagedError, DatabaseTooNewError if
    `source` cannot be restored, DatabaseLockedError if another program has the archive open,
    FileNotWrittenError, StorageError. After an error the archive is as it was.
    """
    finish_salvage(path)
    sweep_unfinished(path, backups=backups)
    fresh = _fresh(path)
    try:
        with _looked_at(source, keys.source) as backup:
            backup.check()
            copy_under(backup, fresh, keys.profile)
            was_version = version_of(backup)
        contents = _made_current(
            Database(fresh, key=keys.profile),
            source,
            FileStore(file_folder(path), key=keys.profile),
            FileStore(files_beside(source.parent), key=keys.source),
        )
        with raising_not_written(path):
            write_through(fresh)
            previous_archive = _kept(path, backups, now, keys.profile) if path.exists() else None
            _put_in_place(fresh, path)
    finally:
        remove_with_logs(fresh)
    return Restored(contents, previous_archive, was_version)


def sweep_unfinished(path: Path, *, backups: Path) -> None:
    """Remove what a crash while copying left behind: later deletions would not reach its words."""
    remove_with_logs(_fresh(path))
    sweep_salvage(path)
    sweep_partials(path, backups=backups)


def _fresh(path: Path) -> Path:
    return path.with_name(path.name + "-restoring")


def preview_backup(source: Path, key: "ProfileKey | None" = None) -> BackupPreview:
    """Return what a backup contains, and change nothing; the backup is not checked for damage.

    Raises FileUnreadableError, NotAnArchiveError, ArchiveDamagedError, ArchiveTooNewError.
    """
    with _looked_at(source, key) as database:
        contents = contents_of(database)
        with database.reading() as db:
            first, last = db.exec_driver_sql(
                "SELECT min(created_at), max(updated_at) FROM sessions WHERE deleted_at IS NULL"
            ).one()
            has_any = db.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'sources'")
            counted = "SELECT count(*) FROM sources WHERE deleted_at IS NULL"
            documents = db.exec_driver_sql(counted).scalar_one() if has_any.first() else 0
    day = len("YYYY-MM-DD")
    return BackupPreview(
        contents,
        int(documents),
        str(first or "")[:day],
        str(last or "")[:day],
        source.stat().st_size,
    )


@contextmanager
def _looked_at(source: Path, key: "ProfileKey | None") -> Iterator[Database]:
    _refuse_other_files(source, key)
    # Nothing is written beside it unless it has a log there.
    log, *_ = beside(source)
    mode = OpenMode.FOR_READING if log.exists() else OpenMode.AS_IT_LIES
    database = Database(source, mode, key)
    was_suspected = database.suspicion.exists()
    # Without its key an encrypted file looks like one with a damaged beginning.
    is_archive = is_plain(source)
    try:
        with database.reading() as db:
            names = set(db.exec_driver_sql("SELECT name FROM sqlite_master").scalars())
        version = version_of(database)
        if not names >= _TABLES or version < 1:
            raise NotAnArchiveError(path=str(source))
        is_archive = True
        if version > len(STEPS):
            raise ArchiveTooNewError(path=str(source), found=version, known=len(STEPS))
        yield database
    except DatabaseDamagedError as exc:
        refused = ArchiveDamagedError if is_archive else NotAnArchiveError
        raise refused(path=str(source)) from exc
    finally:
        database.close()
        if not was_suspected:  # nobody will open a backup again
            database.suspicion.unlink(missing_ok=True)


def _refuse_other_files(source: Path, key: "ProfileKey | None") -> None:
    try:
        # Only of a regular file: reading a pipe or a device could block forever.
        if stat.S_ISREG(source.stat().st_mode):
            with source.open("rb") as file:
                if file.read(len(PLAIN_HEADER)) == PLAIN_HEADER or key:
                    return
    except OSError as exc:
        raise FileUnreadableError(path=str(source), detail=exc.strerror or "") from exc
    raise NotAnArchiveError(path=str(source))


def _made_current(
    database: Database, source: Path, files: FileStore, shared: FileStore
) -> Contents:
    try:
        with closing(database):
            remove_foreign(database, source)
            unpack_files(database, files, shared)
            take_steps(database)
            with database.writing() as db:  # the user confirms what is read of this computer
                db.exec_driver_sql("UPDATE watched_folders SET is_paused = 1")
            return checked_contents(database)
    except DatabaseDamagedError as exc:
        raise ArchiveDamagedError(path=str(source)) from exc


def _kept(path: Path, backups: Path, now: datetime, key: "ProfileKey | None") -> Path:
    """Copy the replaced archive and return the copy; nobody has it open, and it has no log."""
    backups.mkdir(parents=True, exist_ok=True)
    try:
        with closing(Database(path, key=key)) as database:
            checkpoint_log(database)
            previous_archive = free_place(backups, f"before-restore-{now:%Y%m%d-%H%M%S}")
            return write_backup(database, previous_archive).path
    except (DatabaseDamagedError, BackupBrokenError):  # copied byte by byte, with its log
        previous_archive = free_place(backups, f"damaged-{now:%Y%m%d-%H%M%S}")
        for file, place in with_logs(path, previous_archive):
            shutil.copyfile(file, place)
            write_through(place)
        write_through_folder(backups)
        return previous_archive


def _put_in_place(fresh: Path, path: Path) -> None:
    # The log beside it is in the archive by now, or in the copy of a damaged one. SQLite would
    # apply it to the new archive.
    for stale in beside(path):
        stale.unlink(missing_ok=True)
    fresh.replace(path)
    write_through_folder(path.parent)
    with suppress(OSError):  # without it every page is checked once more, that is all
        path.with_name(f"{path.name}-suspect").unlink(missing_ok=True)


def remove_foreign(database: Database, source: Path) -> None:
    """Remove from a copy of a backup everything that is not ours; raises NotAnArchiveError.

    Triggers, views, tables and indexes that no archive has are dropped; a table with other
    columns than ours is refused. A source loses an address that is not of the web, and a copy
    whose name is not a file name of the library.
    """
    version = version_of(database)
    with (
        TemporaryDirectory(prefix="bellek-") as folder,
        closing(Database(Path(folder, "model.db"))) as model,
    ):
        try:
            if version == len(STEPS):
                create_schema(model)
            else:
                with model.writing() as db:
                    for step in STEPS[:version]:
                        step(db)
            with model.reading() as ours, database.outside_transactions() as db:
                db.exec_driver_sql("PRAGMA foreign_keys = OFF")
                _drop_foreign(db, _objects(ours))
                _refuse_other_columns(db, ours, source)
                db.exec_driver_sql("PRAGMA foreign_keys = ON")
        except StorageError as exc:
            raise NotAnArchiveError(path=str(source)) from exc
    with database.writing() as db:
        _clean_sources(db)


def _drop_foreign(db: Connection, ours: _Objects) -> None:
    for kind in ("trigger", "view", "index", "table"):
        # Virtual tables first: dropping them needs their own tables.
        objects = sorted(_objects(db).items(), key=lambda entry: _VIRTUAL not in entry[1][1])
        for name, (object_kind, sql) in objects:
            is_vector = kind == "table" and f"{name}_".startswith(_OF_VECTORS)
            is_ours = name in ours and ours[name][0] == kind
            is_kept = is_ours or is_vector or name == _FILES or name.startswith("sqlite_")
            if object_kind == kind and not is_kept:
                if _VIRTUAL in sql and name in ours:
                    raise StorageError  # it has the name of one of our tables
                quoted = name.replace('"', '""')
                db.exec_driver_sql(f'DROP {kind} IF EXISTS "{quoted}"')


def _refuse_other_columns(db: Connection, ours: Connection, source: Path) -> None:
    theirs, model = _objects(db), _objects(ours)
    for name, (kind, sql) in model.items():
        if kind != "table" or name.startswith("sqlite_"):
            continue
        is_virtual = sql.startswith(_VIRTUAL)
        other = theirs.get(name, ("", ""))[1]
        is_other = other != sql if is_virtual else other.startswith(_VIRTUAL)
        if is_other or (not is_virtual and _columns(db, name) != _columns(ours, name)):
            raise NotAnArchiveError(path=str(source))
    for name in _VECTORS:
        if name in theirs and "usingvec0(" not in theirs[name][1]:
            raise NotAnArchiveError(path=str(source))


def _objects(db: Connection) -> _Objects:
    rows = db.exec_driver_sql("SELECT name, type, coalesce(sql, '') FROM sqlite_master").all()
    return {str(name): (str(kind), "".join(str(sql).lower().split())) for name, kind, sql in rows}


def _columns(db: Connection, table: str) -> set[tuple[str, str, int]]:
    """Return name, type and whether it is computed of each column; ours are never computed."""
    rows = db.exec_driver_sql("SELECT name, type, hidden FROM pragma_table_xinfo(?)", (table,))
    return {(str(name), str(kind).upper(), int(hidden)) for name, kind, hidden in rows}


def _clean_sources(db: Connection) -> None:
    columns = set(db.exec_driver_sql("SELECT name FROM pragma_table_info('sources')").scalars())
    if "address" in columns:
        for row_id, address in db.exec_driver_sql("SELECT id, address FROM sources").all():
            scheme = str(address).partition("/")[0].partition(":")
            # A letter is a drive of Windows.
            if scheme[1] and len(scheme[0]) != 1 and scheme[0].lower() not in _SCHEMES:
                db.exec_driver_sql("UPDATE sources SET address = '' WHERE id = ?", (row_id,))
    if "copy" in columns:
        copies = db.exec_driver_sql("SELECT id, copy FROM sources WHERE copy IS NOT NULL").all()
        for row_id, copy in copies:
            name, _, ending = str(copy).partition(".")
            if not name.isalnum() or {"/", "\\"} & set(ending):
                db.exec_driver_sql("UPDATE sources SET copy = NULL WHERE id = ?", (row_id,))
