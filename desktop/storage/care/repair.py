"""Finds out what a damaged file needs: nothing, its indexes rebuilt, or a salvage.

Text SQL: PRAGMA and REINDEX.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from sqlalchemy import Connection, select
from sqlalchemy.exc import OperationalError
from sqlcipher3.dbapi2 import SQLITE_ERROR

from desktop.domain.errors import DatabaseDamagedError, StorageError
from desktop.storage.repositories.diary import index_diary
from desktop.storage.repositories.fact_rows import index_facts
from desktop.storage.repositories.notes import index_notes
from desktop.storage.repositories.sources import index_sources
from desktop.storage.schema.columns import METADATA
from desktop.storage.schema.database import Database
from desktop.storage.schema.migrations import INDEXES, create_indexes
from desktop.storage.schema.row_mapping import is_readable
from desktop.storage.search.source_index import index_pictures
from desktop.storage.search.vector_sets import drop_every_vector

_MOST_FINDINGS = 100
_DERIVED = (*INDEXES, "vector", "source_vector", "fact_vector", "note_vector")
"""Name prefixes of the tables that can be rebuilt from the others."""
MADE_ANEW = {"vector_model", "vectors", "fact_vectors", "source_vectors", "note_vectors"}


def check_root_pages(database: Database) -> None:
    """Read the first page of each table and index: damage there makes the file suspect.

    Without this, only a write days later would meet damage in an index that no query reads.
    """
    with suppress(DatabaseDamagedError), database.reading() as db:
        trees = db.exec_driver_sql(
            "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE rootpage > 0"
        ).all()
        looks = " + ".join(["1", *(_look(*tree) for tree in trees)])  # a new file has no trees
        try:
            db.exec_driver_sql(f"SELECT {looks}")
        except OperationalError as exc:
            if getattr(exc.orig, "sqlite_errorcode", 0) != SQLITE_ERROR:
                raise
            database.suspect()  # a name in the schema was altered


def _look(kind: str, name: str, table: str, sql: str) -> str:
    """Return an expression that reads one row of a table itself, or of an index."""
    if kind == "table":
        return f'EXISTS (SELECT 1 FROM "{table}" NOT INDEXED)'
    _, where, condition = sql.partition(" WHERE ")  # of an index over some of the rows
    return f'EXISTS (SELECT 1 FROM "{table}" INDEXED BY "{name}"{where}{condition})'


def repair_indexes(database: Database) -> bool:
    """Check everything; rebuild the indexes if only they are damaged, and return True.

    Raises DatabaseDamagedError if rows are damaged, or if an operation met damage that no check
    finds.
    """
    with database.reading() as db:
        findings = _findings(db)
        derived = _derived(db)
    if not findings and not database.suspicion.exists():
        return False
    named = [_named(finding, derived) for finding in findings]
    # An index with more rows than its table means that the table lost rows.
    is_longer = any("wrong # of" in finding for finding in findings)
    if is_longer and not any("missing from" in finding for finding in findings):
        raise DatabaseDamagedError
    if not named or not all(named):
        raise DatabaseDamagedError
    try:
        with database.writing() as db:
            if any("vector" in name for name in named):
                drop_every_vector(db)
            rebuild_indexes(db)
            # Freeing the pages of a damaged index can damage those of a table.
            if _findings(db):
                raise DatabaseDamagedError
    except StorageError as exc:
        if type(exc) is StorageError:  # an extension calls damage of its tables a logic error
            raise DatabaseDamagedError from exc
        raise
    database.suspicion.unlink(missing_ok=True)
    return True


def rebuild_indexes(db: Connection) -> None:
    """Rebuild every index from the rows; the next background run indexes sessions again."""
    db.exec_driver_sql("REINDEX")
    for name in INDEXES:
        db.exec_driver_sql(f"DROP TABLE {name}")
    create_indexes(db)
    fill_indexes(db)


def fill_indexes(db: Connection) -> None:
    db.exec_driver_sql("UPDATE sessions SET indexed_at = NULL")
    index_facts(db)
    index_diary(db)
    index_sources(db)
    index_notes(db)
    index_pictures(db)


def count_unreadable(database: Database) -> int:
    """Return how many rows have a value that cannot be read."""
    with database.reading() as db:
        return sum(
            not is_readable(table, row)
            for table in METADATA.sorted_tables
            if table.name not in MADE_ANEW
            for row in db.execute(select(table))
        )


def _findings(db: Connection) -> Sequence[str]:
    findings = db.exec_driver_sql(f"PRAGMA integrity_check({_MOST_FINDINGS})").scalars().all()
    lines = [line for finding in findings for line in str(finding).splitlines()]
    return [line for line in lines if line != "ok" and not line.startswith("***")]


def _derived(db: Connection) -> Mapping[str, str]:
    """Return what can be rebuilt, by its name and by the root of its tree."""
    rows = db.exec_driver_sql("SELECT name, type, rootpage FROM sqlite_schema").all()
    made = [row for row in rows if row.type == "index" or row.name.startswith(_DERIVED)]
    return {row.name: row.name for row in made} | {
        f"Tree {row.rootpage}": row.name for row in made
    }


def _named(finding: str, derived: Mapping[str, str]) -> str:
    """Return which of these a finding names; empty for all others."""
    words = finding.replace("main.", "").replace(":", " ").split()
    if words[:1] == ["Tree"]:
        return derived.get(" ".join(words[:2]), "")
    return next((word for word in words if word in derived), "")
