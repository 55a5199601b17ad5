CREATE TABLE note_vectors (
    note_key INTEGER,
    numbers BLOB NOT NULL,
    PRIMARY KEY (note_key),
    FOREIGN KEY(note_key) REFERENCES notes ("key") ON DELETE CASCADE
)
