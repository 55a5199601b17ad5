"""Saving what can be read from a damaged file into a new one."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlcipher3.dbapi2
from sqlalchemy import Connection

from desktop.storage.database import Database
from desktop.storage.schema import migrate

# The index is not copied: it is made again from the rows.
_TABLES = (
    "sessions",
    "messages",
    "topics",
    "session_topics",
    "compacts",
    "citations",
    "ratings",
    "usage",
    "drafts",
)


def set_aside(path: Path, backups: Path, now: datetime) -> Path:
    """Move a damaged file, and its log, where nothing will overwrite them."""
    backups.mkdir(parents=True, exist_ok=True)
    kept = backups / f"damaged-{now:%Y%m%d-%H%M%S-%f}.db"
    path.replace(kept)
    for ending in ("-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        if beside.exists():
            beside.replace(kept.with_name(kept.name + ending))
    return kept


def salvage(damaged: Path, target: Path, *, backups: Path, now: datetime) -> int:
    """Copy every readable row of the damaged file into a new file; returns the messages saved."""
    database = Database(target)
    try:
        migrate(database, backups=backups, now=now)
        with database.writing() as db:
            db.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            for table in _TABLES:
                for columns, values in _readable_rows(damaged, table):
                    places = ", ".join("?" * len(columns))
                    db.exec_driver_sql(
                        f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({places})",
                        values,
                    )
            _drop_orphans(db)
            db.exec_driver_sql("UPDATE sessions SET indexed_at = NULL")
            saved = db.exec_driver_sql("SELECT count(*) FROM messages").scalar_one()
    finally:
        database.close()
    return int(saved)


def _drop_orphans(db: Connection) -> None:
    """A message whose session could not be read gets a session of its own."""
    db.exec_driver_sql(
        "INSERT INTO sessions (id, status, created_at, updated_at, ended_at, message_count, "
        "opening, description_due) SELECT session_id, 'complete', min(created_at), "
        "max(created_at), max(created_at), count(*), substr(content, 1, 120), 1 FROM messages "
        "WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id"
    )
    for table, column, parent in (
        ("session_topics", "session_id", "sessions (id)"),
        ("compacts", "session_id", "sessions (id)"),
        ("usage", "session_id", "sessions (id)"),
        ("session_topics", "topic_id", "topics (id)"),
        ("citations", "message_id", "messages (id)"),
        ("ratings", "message_id", "messages (id)"),
    ):
        owner, key = parent.removesuffix(")").split(" (")
        db.exec_driver_sql(
            f"DELETE FROM {table} WHERE {column} NOT IN (SELECT {key} FROM {owner})"
        )


# A row of a damaged file can hold anything; the new file's own checks sort it out.
def _readable_rows(damaged: Path, table: str) -> Iterator[tuple[list[str], tuple[Any, ...]]]:
    """Rows from the front as far as they can be read, then from the back."""
    seen: set[tuple[Any, ...]] = set()
    for order in ("ASC", "DESC"):
        connection = sqlcipher3.dbapi2.connect(f"file:{damaged.as_posix()}?mode=ro", uri=True)
        try:
            cursor = connection.execute(f"SELECT * FROM {table} ORDER BY 1 {order}")
            columns = [column[0] for column in cursor.description]
            for row in cursor:
                if row not in seen:
                    seen.add(row)
                    yield columns, row
        except sqlcipher3.dbapi2.DatabaseError:
            continue
        else:
            return
        finally:
            connection.close()
