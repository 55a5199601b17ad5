ALTER TABLE sessions ADD COLUMN learned_at TEXT;
ALTER TABLE sessions ADD COLUMN learning_failures INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET learned_at = updated_at WHERE status = 'complete';
CREATE TABLE facts (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    topic TEXT NOT NULL,
    topic_folded TEXT NOT NULL,
    content TEXT NOT NULL,
    folded TEXT NOT NULL,
    about TEXT NOT NULL DEFAULT '',
    importance INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 10),
    origin TEXT NOT NULL CHECK (origin IN ('session', 'user', 'directive')),
    term TEXT NOT NULL CHECK (term IN ('short', 'long')),
    valid_from TEXT NOT NULL,
    valid_to TEXT,
    message_id INTEGER REFERENCES messages (id) ON DELETE SET NULL,
    weight INTEGER NOT NULL DEFAULT 1,
    used_at TEXT,
    pinned_at TEXT,
    replaced_by TEXT REFERENCES facts (id) ON DELETE SET NULL,
    deleted_at TEXT
);
CREATE INDEX facts_by_words ON facts (folded);
CREATE INDEX facts_by_term ON facts (term, valid_from);
CREATE INDEX facts_of_message ON facts (message_id);
CREATE INDEX facts_replaced ON facts (replaced_by);
CREATE TABLE fact_sources (
    fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (fact_id, message_id, start)
) WITHOUT ROWID;
CREATE INDEX fact_sources_of_message ON fact_sources (message_id);
CREATE TABLE forgotten_words (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (message_id, start, length)
) WITHOUT ROWID;
CREATE TABLE facts_sent (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    PRIMARY KEY (message_id, place)
) WITHOUT ROWID;
CREATE INDEX facts_sent_by_fact ON facts_sent (fact_id);
CREATE TABLE refused_facts (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (session_id, reason)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE fact_index USING fts5(
    topic, content, content='', contentless_delete=1, tokenize='unicode61'
);
CREATE TABLE fact_vectors (
    fact_key INTEGER PRIMARY KEY REFERENCES facts (key) ON DELETE CASCADE,
    numbers BLOB NOT NULL
);
