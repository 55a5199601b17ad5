CREATE TABLE watched_folders (
    id TEXT NOT NULL,
    path TEXT NOT NULL,
    project TEXT NOT NULL DEFAULT '',
    takes_notes INTEGER NOT NULL DEFAULT 0,
    is_paused INTEGER NOT NULL DEFAULT 0,
    added_at TEXT NOT NULL,
    trouble TEXT NOT NULL DEFAULT '',
    looked_at TEXT,
    deleted_at TEXT,
    PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE TABLE watched_files (
    folder_id TEXT NOT NULL,
    path TEXT NOT NULL,
    stamp TEXT NOT NULL,
    is_gone INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (folder_id, path),
    FOREIGN KEY(folder_id) REFERENCES watched_folders (id) ON DELETE CASCADE
)
 WITHOUT ROWID
