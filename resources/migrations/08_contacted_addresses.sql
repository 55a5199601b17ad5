CREATE TABLE contacted_addresses (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('search', 'robots', 'page')),
    address TEXT NOT NULL,
    outcome TEXT NOT NULL,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX contacted_in_session ON contacted_addresses (session_id);
CREATE INDEX contacted_by_time ON contacted_addresses (at);
