CREATE TABLE memory_proposals (
    id TEXT NOT NULL,
    program TEXT NOT NULL,
    content TEXT NOT NULL,
    project TEXT NOT NULL DEFAULT '',
    added_at TEXT NOT NULL,
    decided_at TEXT,
    PRIMARY KEY (id)
)
 WITHOUT ROWID
