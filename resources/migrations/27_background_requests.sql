CREATE TABLE background_requests (
    "id" INTEGER,
    purpose TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_usd REAL,
    created_at TEXT NOT NULL,
    PRIMARY KEY ("id")
);
CREATE INDEX background_requests_by_time ON background_requests (created_at)
