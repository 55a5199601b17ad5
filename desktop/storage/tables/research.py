"""Tables of research that goes on, and of the addresses it contacted."""

from sqlalchemy import Connection

from desktop.storage.tables.run_ddl import run_statements

_CONTACTS = """
CREATE TABLE contacted_addresses (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('search', 'robots', 'page')),
    address TEXT NOT NULL,
    outcome TEXT NOT NULL,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX contacted_in_session ON contacted_addresses (session_id);
CREATE INDEX contacted_by_time ON contacted_addresses (at);
"""


def add_contacts(db: Connection) -> None:
    """Every address on the web that was contacted."""
    run_statements(db, _CONTACTS)


_RESEARCH_RUNS = """
CREATE TABLE research_runs (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    started_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX research_runs_of_session ON research_runs (session_id);
CREATE INDEX research_runs_of_message ON research_runs (message_id);
CREATE TABLE research_steps (
    run_id TEXT NOT NULL REFERENCES research_runs (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    result TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_usd REAL,
    searches INTEGER NOT NULL,
    fetches INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run_id, place)
) WITHOUT ROWID;
CREATE UNIQUE INDEX research_steps_by_name ON research_steps (run_id, name);
"""


def add_research_runs(db: Connection) -> None:
    """The finished steps of deep research that goes on, so that none is paid for twice."""
    run_statements(db, _RESEARCH_RUNS)
