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
