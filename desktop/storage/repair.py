"""Finds out what a damaged file needs: nothing, its indexes made again, or a rescue.

Text SQL: PRAGMA and REINDEX.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from sqlalchemy import Connection, select
from sqlalchemy.exc import OperationalError
from sqlcipher3.dbapi2 import SQLITE_ERROR

from desktop.domain.errors import DatabaseDamagedError
from desktop.storage.columns import METADATA
from desktop.storage.database import Database
from desktop.storage.diary import index_diary
from desktop.storage.fact_rows import index_facts
from desktop.storage.row_mapping import is_readable
from desktop.storage.schema import INDEXES, create_indexes
from desktop.storage.sources import index_sources
from desktop.storage.vectors import drop_every_vector

_MOST_FINDINGS = 100
_DERIVED = (*INDEXES, "vector", "source_vector", "fact_vector")
"""How the names of tables begin that can be made again from the others."""
MADE_ANEW = {"vector_model", "vectors", "fact_vectors", "source_vectors"}


def look_at_trees(database: Database) -> None:
    """Read the first page of each table and index: damage there makes the file suspect.

    An index that no query reads would be met by a write, days later.
    """
    with suppress(DatabaseDamagedError), database.reading() as db:
        trees = db.exec_driver_sql(
            "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE rootpage > 0"
        )
        looks = ", ".join(["1", *(_look(*tree) for tree in trees)])  # a new file has none
        try:
            db.exec_driver_sql(f"SELECT {looks}")
        except OperationalError as exc:
            if getattr(exc.orig, "sqlite_errorcode", 0) != SQLITE_ERROR:
                raise
            database.suspect()  # a name in the schema is not as it was


def _look(kind: str, name: str, table: str, sql: str) -> str:
    """Return an expression that reads one row of a table itself, or of an index."""
    if kind == "table":
        return f'EXISTS (SELECT 1 FROM "{table}" NOT INDEXED)'
    _, where, condition = sql.partition(" WHERE ")  # of an index over some of the rows
    return f'EXISTS (SELECT 1 FROM "{table}" INDEXED BY "{name}"{where}{condition})'


def mend_indexes(database: Database) -> bool:
    """Check everything; make the indexes again if they alone are damaged, and return True.

    Raises DatabaseDamagedError if rows are damaged, or if an operation met damage of which no
    check tells.
    """
    with database.reading() as db:
        findings = _findings(db)
        derived = _derived(db)
    if not findings and not database.suspicion.exists():
        return False
    named = [_named(one, derived) for one in findings]
    # Where an index has more than its table, it is the table that lost rows.
    is_longer = any("wrong # of" in one for one in findings)
    if is_longer and not any("missing from" in one for one in findings):
        raise DatabaseDamagedError
    if not named or not all(named):
        raise DatabaseDamagedError
    with database.writing() as db:
        if any("vector" in one for one in named):
            drop_every_vector(db)
        rebuild_indexes(db)
        # What frees the pages of a damaged index can meet those of a table.
        if _findings(db):
            raise DatabaseDamagedError
    database.suspicion.unlink(missing_ok=True)
    return True


def rebuild_indexes(db: Connection) -> None:
    """Make every index again from the rows; sessions are indexed by the next who looks."""
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


def count_unreadable(database: Database) -> int:
    """Return how many rows have a value that nobody can read."""
    with database.reading() as db:
        return sum(
            not is_readable(table, row)
            for table in METADATA.sorted_tables
            if table.name not in MADE_ANEW
            for row in db.execute(select(table))
        )


def _findings(db: Connection) -> Sequence[str]:
    found = db.exec_driver_sql(f"PRAGMA integrity_check({_MOST_FINDINGS})").scalars().all()
    lines = [line for one in found for line in str(one).splitlines()]
    return [one for one in lines if one != "ok" and not one.startswith("***")]


def _derived(db: Connection) -> Mapping[str, str]:
    """Return what can be made again, by its name and by the root of its tree."""
    rows = db.exec_driver_sql("SELECT name, type, rootpage FROM sqlite_schema").all()
    made = [row for row in rows if row.type == "index" or row.name.startswith(_DERIVED)]
    return {row.name: row.name for row in made} | {
        f"Tree {row.rootpage}": row.name for row in made
    }


def _named(finding: str, derived: Mapping[str, str]) -> str:
    """Return which of these a finding is about; empty for all else."""
    words = finding.replace("main.", "").replace(":", " ").split()
    if words[:1] == ["Tree"]:
        return derived.get(" ".join(words[:2]), "")
    return next((one for one in words if one in derived), "")
