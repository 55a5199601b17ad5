CREATE TABLE sessions (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('active', 'complete')),
    title TEXT,
    summary TEXT,
    described_by TEXT,
    language TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    ended_at TEXT,
    end_reason TEXT,
    pinned_at TEXT,
    deleted_at TEXT,
    indexed_at TEXT,
    description_due INTEGER NOT NULL DEFAULT 0,
    message_count INTEGER NOT NULL DEFAULT 0,
    opening TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX one_active_session ON sessions (status) WHERE status = 'active';
CREATE INDEX sessions_by_time ON sessions (updated_at);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    parent_id INTEGER,
    is_current INTEGER NOT NULL DEFAULT 1,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    content TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('complete', 'streaming', 'stopped', 'interrupted', 'failed')),
    created_at TEXT NOT NULL,
    ref TEXT,
    model TEXT,
    error TEXT,
    duration_ms INTEGER
);
CREATE UNIQUE INDEX current_messages ON messages (session_id, number) WHERE is_current = 1;
CREATE INDEX messages_of_session ON messages (session_id);
CREATE INDEX messages_unfinished ON messages (state) WHERE state = 'streaming';
CREATE TABLE topics (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE
);
CREATE TABLE session_topics (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    topic_id INTEGER NOT NULL REFERENCES topics (id),
    PRIMARY KEY (session_id, place)
) WITHOUT ROWID;
CREATE INDEX sessions_of_topic ON session_topics (topic_id);
CREATE TABLE compacts (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    from_number INTEGER NOT NULL,
    to_number INTEGER NOT NULL,
    last_message_id INTEGER NOT NULL,
    summary TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CHECK (from_number <= to_number)
);
CREATE INDEX compacts_of_session ON compacts (session_id);
CREATE TABLE citations (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    quote TEXT NOT NULL,
    source_id TEXT NOT NULL,
    passage_id TEXT NOT NULL,
    title TEXT NOT NULL,
    PRIMARY KEY (message_id, number)
) WITHOUT ROWID;
CREATE INDEX citations_by_source ON citations (source_id);
CREATE TABLE ratings (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    thumb TEXT NOT NULL CHECK (thumb IN ('up', 'down')),
    words TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE TABLE usage (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_id INTEGER,
    purpose TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_usd REAL,
    created_at TEXT NOT NULL
);
CREATE INDEX usage_of_session ON usage (session_id);
CREATE TABLE drafts (
    session_id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    anchor_number INTEGER,
    anchor_offset INTEGER NOT NULL,
    updated_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE VIRTUAL TABLE message_index USING fts5(
    words, content='', contentless_delete=1, tokenize='unicode61'
);
CREATE VIRTUAL TABLE session_index USING fts5(
    title, summary, topics, content='', contentless_delete=1, tokenize='unicode61'
);
