CREATE TABLE literature_cache (
    service TEXT NOT NULL,
    doi TEXT NOT NULL,
    work TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    PRIMARY KEY (service, doi)
) WITHOUT ROWID;
CREATE INDEX literature_cache_by_time ON literature_cache (asked_at);
CREATE TABLE new_contacted_addresses (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    purpose TEXT NOT NULL,
    address TEXT NOT NULL,
    outcome TEXT NOT NULL,
    session_id TEXT,
    FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE,
    CHECK (purpose IN ('search', 'robots', 'page', 'literature'))
);
INSERT INTO new_contacted_addresses (id, at, purpose, address, outcome, session_id)
    SELECT id, at, purpose, address, outcome, session_id FROM contacted_addresses;
DROP TABLE contacted_addresses;
ALTER TABLE new_contacted_addresses RENAME TO contacted_addresses;
CREATE INDEX contacted_in_session ON contacted_addresses (session_id);
CREATE INDEX contacted_by_time ON contacted_addresses (at);
