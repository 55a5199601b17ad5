CREATE TABLE watches (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    every TEXT NOT NULL,
    project TEXT NOT NULL DEFAULT '',
    added_at TEXT NOT NULL,
    trouble TEXT NOT NULL DEFAULT '',
    is_paused INTEGER NOT NULL DEFAULT 0,
    looked_at TEXT,
    deleted_at TEXT,
    PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE TABLE watch_findings (
    "key" INTEGER,
    watch_id TEXT NOT NULL,
    found_at TEXT NOT NULL,
    items TEXT NOT NULL,
    left_out INTEGER NOT NULL,
    PRIMARY KEY ("key"),
    FOREIGN KEY(watch_id) REFERENCES watches (id) ON DELETE CASCADE
);
CREATE INDEX watch_findings_by_time ON watch_findings (found_at);
CREATE TABLE watch_seen (
    watch_id TEXT NOT NULL,
    item TEXT NOT NULL,
    PRIMARY KEY (watch_id, item),
    FOREIGN KEY(watch_id) REFERENCES watches (id) ON DELETE CASCADE
)
 WITHOUT ROWID
