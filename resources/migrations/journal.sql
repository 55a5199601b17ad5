CREATE TABLE sync_state (
    device TEXT NOT NULL,
    clock INTEGER NOT NULL,
    number INTEGER NOT NULL,
    is_applying INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY (device)
)
 WITHOUT ROWID;
CREATE TABLE sync_devices (
    "key" INTEGER,
    id TEXT NOT NULL,
    received INTEGER DEFAULT 0 NOT NULL,
    clock INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY ("key"),
    UNIQUE (id)
);
CREATE TABLE changed_entities (
    kind TEXT NOT NULL,
    entity BLOB NOT NULL,
    sent INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY (kind, entity)
)
 WITHOUT ROWID;
CREATE TABLE synced_entities (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    entity BLOB,
    clock INTEGER NOT NULL,
    device INTEGER NOT NULL,
    fields TEXT NOT NULL,
    packs TEXT DEFAULT '' NOT NULL,
    pending TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (kind, id)
)
 WITHOUT ROWID;
CREATE INDEX synced_gone ON synced_entities (kind) WHERE entity IS NULL;
CREATE INDEX synced_pending ON synced_entities (kind) WHERE pending <> '';
CREATE INDEX synced_by_row ON synced_entities (kind, entity);
CREATE TABLE tombstones (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    clock INTEGER NOT NULL,
    device INTEGER NOT NULL,
    packs TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (kind, id)
)
 WITHOUT ROWID;
CREATE TABLE outgoing_packs (
    number INTEGER,
    pack BLOB NOT NULL,
    PRIMARY KEY (number)
);
CREATE TABLE sync_conflicts (
    "key" INTEGER,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    clock INTEGER NOT NULL,
    device INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY ("key"),
    UNIQUE (id)
)
