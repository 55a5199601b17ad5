CREATE TABLE claim_checks (
    message_id INTEGER,
    asks_model INTEGER NOT NULL,
    model TEXT,
    judged_at TEXT,
    PRIMARY KEY (message_id),
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE INDEX claim_checks_due ON claim_checks (message_id) WHERE judged_at IS NULL;
CREATE TABLE claims (
    message_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    number INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    support TEXT NOT NULL,
    words TEXT NOT NULL,
    warnings TEXT NOT NULL,
    PRIMARY KEY (message_id, place, number),
    FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
