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
