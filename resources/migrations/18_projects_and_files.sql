CREATE TABLE projects (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    instructions TEXT DEFAULT '' NOT NULL,
    variables TEXT DEFAULT '{}' NOT NULL,
    created_at TEXT NOT NULL,
    deleted_at TEXT,
    PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE TABLE tags (
    id INTEGER,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (folded)
);
CREATE TABLE session_tags (
    session_id TEXT NOT NULL,
    tag_id INTEGER NOT NULL,
    PRIMARY KEY (session_id, tag_id),
    FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE,
    FOREIGN KEY(tag_id) REFERENCES tags (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX sessions_of_tag ON session_tags (tag_id);
CREATE TABLE source_tags (
    source_id TEXT NOT NULL,
    tag_id INTEGER NOT NULL,
    PRIMARY KEY (source_id, tag_id),
    FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE,
    FOREIGN KEY(tag_id) REFERENCES tags (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX sources_of_tag ON source_tags (tag_id);
CREATE TABLE message_files (
    message_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (message_id, place),
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX message_files_by_hash ON message_files (sha256);
CREATE TABLE prompts (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    project TEXT DEFAULT '' NOT NULL,
    updated_at TEXT NOT NULL,
    used_at TEXT,
    PRIMARY KEY (id)
)
 WITHOUT ROWID;
ALTER TABLE sessions ADD COLUMN project TEXT DEFAULT '' NOT NULL;
ALTER TABLE facts ADD COLUMN project TEXT DEFAULT '' NOT NULL;
ALTER TABLE sources ADD COLUMN project TEXT DEFAULT '' NOT NULL;
ALTER TABLE sources ADD COLUMN session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE;
ALTER TABLE drafts ADD COLUMN files TEXT DEFAULT '[]' NOT NULL;
CREATE INDEX sessions_of_project ON sessions (project, updated_at);
CREATE INDEX sources_of_session ON sources (session_id);
