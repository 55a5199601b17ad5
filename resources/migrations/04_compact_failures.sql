CREATE TABLE compact_failures (
    session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    covered INTEGER NOT NULL,
    messages INTEGER NOT NULL
) WITHOUT ROWID;
