"""What is taken from a backup: only what our own schema has, as somebody else may have written it.

Text SQL: the schema itself is read and changed.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection

from desktop.domain.errors import NotAnArchiveError, StorageError
from desktop.storage.database import Database
from desktop.storage.schema import STEPS, create_schema, version_of

_VECTORS = ("vector_bits", "source_vector_bits")
"""Made when the model is known, so that no fresh file has them."""
_FILES = "kept_files"
_VIRTUAL = "createvirtualtable"
_SCHEMES = ("http", "https")

_Objects = dict[str, tuple[str, str]]
"""By name: type, and SQL without spaces."""


def remove_foreign(database: Database, source: Path) -> None:
    """Remove from a copy of a backup what is not of our making; raises NotAnArchiveError.

    Triggers, views, tables and indexes that no archive has are dropped; a table with other columns
    than ours is refused. Sources lose an address that is none of the web, and a copy whose name
    is not that of a file in the library.
    """
    version = version_of(database)
    with TemporaryDirectory(prefix="bellek-") as folder:
        model = Database(Path(folder, "model.db"))
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
        finally:
            model.close()
    with database.writing() as db:
        _clean_sources(db)


def _drop_foreign(db: Connection, ours: _Objects) -> None:
    for kind in ("trigger", "view", "index", "table"):
        # Virtual tables first: they drop their own tables, which they need for that.
        objects = sorted(_objects(db).items(), key=lambda one: _VIRTUAL not in one[1][1])
        for name, (found, sql) in objects:
            if found == kind and not (name.startswith("sqlite_") or _is_ours(name, kind, ours)):
                if _VIRTUAL in sql and name in ours:
                    raise StorageError  # it stands where one of our tables should be
                quoted = name.replace('"', '""')
                db.exec_driver_sql(f'DROP {kind} IF EXISTS "{quoted}"')


def _is_ours(name: str, kind: str, ours: _Objects) -> bool:
    return (
        (name in ours and ours[name][0] == kind)
        or name == _FILES
        or (kind == "table" and any(name == one or name.startswith(f"{one}_") for one in _VECTORS))
    )


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
    """Return name, type and whether it is computed of each column; ours have none that are."""
    rows = db.exec_driver_sql("SELECT name, type, hidden FROM pragma_table_xinfo(?)", (table,))
    return {(str(name), str(kind).upper(), int(hidden)) for name, kind, hidden in rows}


def _clean_sources(db: Connection) -> None:
    columns = set(db.exec_driver_sql("SELECT name FROM pragma_table_info('sources')").scalars())
    if "address" in columns:
        for row_id, address in db.exec_driver_sql(
            "SELECT id, address FROM sources WHERE address IS NOT NULL"
        ).all():
            scheme = str(address).partition("/")[0].partition(":")
            # A letter is a drive of Windows.
            if scheme[1] and len(scheme[0]) != 1 and scheme[0].lower() not in _SCHEMES:
                db.exec_driver_sql("UPDATE sources SET address = '' WHERE id = ?", (row_id,))
    if "copy" in columns:
        for row_id, copy in db.exec_driver_sql(
            "SELECT id, copy FROM sources WHERE copy IS NOT NULL"
        ).all():
            name, _, ending = str(copy).partition(".")
            if not name.isalnum() or {"/", "\\"} & set(ending):
                db.exec_driver_sql("UPDATE sources SET copy = NULL WHERE id = ?", (row_id,))
