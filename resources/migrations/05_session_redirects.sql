CREATE TABLE moved_sessions (
    session_id TEXT PRIMARY KEY,
    now_in TEXT NOT NULL
) WITHOUT ROWID;
