ALTER TABLE sessions ADD COLUMN archived_at TEXT;
ALTER TABLE compacts ADD COLUMN is_reserve INTEGER DEFAULT 0 NOT NULL;
ALTER TABLE sessions ADD COLUMN corrected TEXT;
CREATE TABLE annotations (
    message_id INTEGER,
    intent TEXT NOT NULL,
    confidence REAL NOT NULL,
    entities TEXT DEFAULT '[]' NOT NULL,
    project TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (message_id),
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE TABLE contexts (
    id INTEGER,
    session_id TEXT NOT NULL,
    message_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    relevance REAL NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    project TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (id),
    CHECK (type IN ('time', 'amount', 'entity')),
    FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE,
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE INDEX contexts_by_end ON contexts (expires_at);
CREATE INDEX contexts_of_message ON contexts (message_id);
CREATE INDEX contexts_of_session ON contexts (session_id);
CREATE TABLE preferences (
    "key" INTEGER,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    words TEXT DEFAULT '' NOT NULL,
    is_on INTEGER DEFAULT 1 NOT NULL,
    created_at TEXT NOT NULL,
    edited_at TEXT,
    deleted_at TEXT,
    project TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY ("key"),
    CHECK (kind IN ('tone', 'detail', 'form', 'language', 'subject')),
    UNIQUE (id)
);
CREATE INDEX preferences_by_value ON preferences (kind, value);
CREATE TABLE preference_evidence (
    preference_id TEXT NOT NULL,
    message_id INTEGER NOT NULL,
    source TEXT NOT NULL,
    is_against INTEGER DEFAULT 0 NOT NULL,
    at TEXT NOT NULL,
    words TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (preference_id, message_id, source),
    CHECK (source IN ('wish', 'thumb', 'habit')),
    FOREIGN KEY(preference_id) REFERENCES preferences (id) ON DELETE CASCADE,
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX preference_evidence_of_message ON preference_evidence (message_id);
CREATE TABLE patterns (
    "key" INTEGER,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    next_value TEXT DEFAULT '' NOT NULL,
    count INTEGER NOT NULL,
    confidence REAL NOT NULL,
    first_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    ended_at TEXT,
    project TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY ("key"),
    CHECK (kind IN ('days', 'hours', 'subject', 'open_question', 'sequence')),
    UNIQUE (id)
);
CREATE INDEX patterns_by_value ON patterns (kind, value);
CREATE TABLE pattern_evidence (
    pattern_id TEXT NOT NULL,
    message_id INTEGER NOT NULL,
    PRIMARY KEY (pattern_id, message_id),
    FOREIGN KEY(pattern_id) REFERENCES patterns (id) ON DELETE CASCADE,
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX pattern_evidence_of_message ON pattern_evidence (message_id);
CREATE TABLE diary_entries (
    "key" INTEGER,
    id TEXT NOT NULL,
    day TEXT NOT NULL,
    text TEXT NOT NULL,
    written_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    project TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY ("key"),
    CHECK (written_by IN ('extraction', 'model', 'user')),
    UNIQUE (id)
);
CREATE UNIQUE INDEX diary_by_day ON diary_entries (day, project);
CREATE TABLE diary_items (
    id INTEGER,
    entry_key INTEGER NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    session_id TEXT,
    message_id INTEGER,
    done_at TEXT,
    PRIMARY KEY (id),
    CHECK (kind IN ('asked', 'found', 'decided', 'open', 'next_step')),
    FOREIGN KEY(entry_key) REFERENCES diary_entries ("key") ON DELETE CASCADE,
    FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX diary_items_of_entry ON diary_items (entry_key);
CREATE INDEX diary_items_of_session ON diary_items (session_id);
CREATE TABLE recalled_items (
    message_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session_id TEXT,
    target TEXT NOT NULL,
    PRIMARY KEY (message_id, place),
    CHECK (kind IN ('message', 'session', 'fact', 'source', 'diary')),
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE,
    FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX recalled_items_of_session ON recalled_items (session_id);
CREATE TABLE removed_originals (
    session_id TEXT NOT NULL,
    removed_at TEXT NOT NULL,
    final_at TEXT,
    exported_to TEXT DEFAULT '' NOT NULL,
    messages INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (session_id),
    FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE TABLE daily_figures (
    day TEXT NOT NULL,
    name TEXT NOT NULL,
    project TEXT NOT NULL,
    count INTEGER DEFAULT 0 NOT NULL,
    total REAL NOT NULL,
    PRIMARY KEY (day, name, project)
)
 WITHOUT ROWID;
CREATE TABLE housekeeping (
    task TEXT NOT NULL,
    begun_at TEXT,
    done_at TEXT,
    position TEXT DEFAULT '' NOT NULL,
    count INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY (task)
)
 WITHOUT ROWID;
CREATE VIRTUAL TABLE diary_index USING fts5(
    words, content='', contentless_delete=1, tokenize='unicode61'
);
