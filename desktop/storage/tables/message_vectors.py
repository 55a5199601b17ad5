"""Tables of vectors of messages."""

from sqlalchemy import Connection

from desktop.storage.tables.run_ddl import run_statements

_MEANINGS = """
ALTER TABLE sessions ADD COLUMN embedded_at TEXT;
CREATE INDEX sessions_to_embed ON sessions (updated_at)
    WHERE status = 'complete' AND embedded_at IS NULL;
CREATE TABLE vector_model (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    name TEXT NOT NULL,
    dimensions INTEGER NOT NULL
);
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    numbers BLOB NOT NULL
);
CREATE INDEX vectors_of_message ON vectors (message_id);
"""

_REFINED = """
ALTER TABLE sessions ADD COLUMN refined_at TEXT;
UPDATE sessions SET refined_at = embedded_at;
ALTER TABLE sources ADD COLUMN refined_at TEXT;
UPDATE sources SET refined_at = embedded_at;
"""


def add_meanings(db: Connection) -> None:
    """Vectors of messages; the table of their signs depends on the model that makes them."""
    run_statements(db, _MEANINGS)


def add_refined_vectors(db: Connection) -> None:
    """Tell apart what only the fast model has embedded from what the stronger one has, too."""
    run_statements(db, _REFINED)
