CREATE TABLE picture_texts (
    "key" INTEGER,
    sha256 TEXT NOT NULL,
    text TEXT NOT NULL,
    read_at TEXT NOT NULL,
    PRIMARY KEY ("key"),
    UNIQUE (sha256)
);
CREATE VIRTUAL TABLE picture_index USING fts5(words, content='', contentless_delete=1, tokenize='unicode61')
