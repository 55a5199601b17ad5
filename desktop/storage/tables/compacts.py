"""Tables of what is known of summaries that stand for older messages."""

from sqlalchemy import Connection

from desktop.storage.tables.run_ddl import run_statements

_COMPACT_FAILURES = """
CREATE TABLE compact_failures (
    session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    covered INTEGER NOT NULL,
    messages INTEGER NOT NULL
) WITHOUT ROWID;
"""


def add_compact_failures(db: Connection) -> None:
    """Where a summary was not good enough, so that it is not paid for again at every turn."""
    run_statements(db, _COMPACT_FAILURES)
