CREATE TABLE source_references (
    source_id TEXT NOT NULL,
    csl TEXT NOT NULL,
    origins TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    first_author TEXT NOT NULL,
    doi TEXT NOT NULL,
    words TEXT NOT NULL,
    year INTEGER,
    finished_at TEXT,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (source_id),
    FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX references_by_author ON source_references (first_author);
CREATE INDEX references_by_year ON source_references (year);
CREATE INDEX references_by_title ON source_references (title);
CREATE INDEX references_by_kind ON source_references (kind);
CREATE INDEX references_by_reading ON source_references (finished_at);
CREATE INDEX references_by_doi ON source_references (doi) WHERE doi <> '';
