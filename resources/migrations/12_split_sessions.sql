CREATE TABLE split_sessions (
    session_id TEXT PRIMARY KEY,
    split_from TEXT NOT NULL
) WITHOUT ROWID;
