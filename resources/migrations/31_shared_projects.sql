CREATE TABLE shared_items (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    project TEXT NOT NULL,
    member TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    is_own INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX shared_items_of_member ON shared_items (project, member);
CREATE TABLE shared_members (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (project, id)
)
 WITHOUT ROWID
