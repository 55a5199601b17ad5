CREATE TABLE sources (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('document', 'web')),
    title TEXT NOT NULL,
    address TEXT NOT NULL,
    added_at TEXT NOT NULL,
    read_at TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    language TEXT,
    pages INTEGER,
    state TEXT NOT NULL CHECK (state IN ('complete', 'partial')),
    passage_count INTEGER NOT NULL DEFAULT 0,
    copy TEXT,
    embedded_at TEXT,
    deleted_at TEXT
);
CREATE INDEX sources_by_hash ON sources (sha256);
CREATE INDEX sources_by_address ON sources (address);
CREATE INDEX sources_to_embed ON sources (added_at) WHERE embedded_at IS NULL;
CREATE TABLE source_passages (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    page INTEGER,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    replaced_at TEXT
);
CREATE INDEX passages_of_source ON source_passages (source_id, number);
CREATE INDEX passages_replaced ON source_passages (replaced_at) WHERE replaced_at IS NOT NULL;
CREATE VIRTUAL TABLE source_index USING fts5(
    words, heading, content='', contentless_delete=1, tokenize='unicode61'
);
CREATE TABLE source_vectors (
    id INTEGER PRIMARY KEY,
    passage_key INTEGER NOT NULL REFERENCES source_passages (key) ON DELETE CASCADE,
    numbers BLOB NOT NULL
);
CREATE INDEX vectors_of_passage ON source_vectors (passage_key);
