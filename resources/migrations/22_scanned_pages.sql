CREATE TABLE scanned_pages (
    source_id TEXT NOT NULL,
    page INTEGER NOT NULL,
    words BLOB NOT NULL,
    PRIMARY KEY (source_id, page),
    FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
