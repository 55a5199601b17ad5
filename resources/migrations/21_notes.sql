CREATE TABLE notes (
    "key" INTEGER,
    id TEXT NOT NULL,
    source_id TEXT,
    message_id INTEGER,
    passage_id TEXT,
    page INTEGER,
    occurrence INTEGER DEFAULT 0 NOT NULL,
    quote TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    is_of_file INTEGER DEFAULT 0 NOT NULL,
    deleted_at TEXT,
    PRIMARY KEY ("key"),
    CHECK ((source_id IS NULL) <> (message_id IS NULL)),
    UNIQUE (id),
    FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE,
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE INDEX notes_of_source ON notes (source_id);
CREATE INDEX notes_of_message ON notes (message_id);
CREATE VIRTUAL TABLE note_index USING fts5(quote, text, content='', contentless_delete=1, tokenize='unicode61')
