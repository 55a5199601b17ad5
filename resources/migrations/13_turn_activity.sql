CREATE TABLE work_done (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    phase INTEGER NOT NULL,
    sort TEXT NOT NULL,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    state TEXT NOT NULL,
    found INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_usd REAL,
    duration_ms INTEGER NOT NULL,
    trouble TEXT NOT NULL,
    source_id TEXT NOT NULL,
    address TEXT NOT NULL,
    is_suspicious INTEGER NOT NULL,
    PRIMARY KEY (message_id, place)
) WITHOUT ROWID;
CREATE INDEX work_done_by_source ON work_done (source_id);
