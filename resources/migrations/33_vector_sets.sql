CREATE TABLE vector_model_new (
    number INTEGER,
    name TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    is_current INTEGER DEFAULT 0 NOT NULL,
    calibration BLOB NOT NULL,
    PRIMARY KEY (number),
    CHECK (number IN (1, 2))
);
INSERT INTO vector_model_new SELECT 1, name, dimensions, 1, x'' FROM vector_model;
DROP TABLE vector_model;
ALTER TABLE vector_model_new RENAME TO vector_model;
ALTER TABLE vectors ADD COLUMN model INTEGER DEFAULT 1 NOT NULL;
ALTER TABLE source_vectors ADD COLUMN model INTEGER DEFAULT 1 NOT NULL;
CREATE TABLE fact_vectors_new (
    fact_key INTEGER NOT NULL,
    model INTEGER NOT NULL,
    numbers BLOB NOT NULL,
    PRIMARY KEY (fact_key, model),
    FOREIGN KEY(fact_key) REFERENCES facts ("key") ON DELETE CASCADE
)
 WITHOUT ROWID;
INSERT INTO fact_vectors_new SELECT fact_key, 1, numbers FROM fact_vectors;
DROP TABLE fact_vectors;
ALTER TABLE fact_vectors_new RENAME TO fact_vectors;
CREATE TABLE note_vectors_new (
    note_key INTEGER NOT NULL,
    model INTEGER NOT NULL,
    numbers BLOB NOT NULL,
    PRIMARY KEY (note_key, model),
    FOREIGN KEY(note_key) REFERENCES notes ("key") ON DELETE CASCADE
)
 WITHOUT ROWID;
INSERT INTO note_vectors_new SELECT note_key, 1, numbers FROM note_vectors;
DROP TABLE note_vectors;
ALTER TABLE note_vectors_new RENAME TO note_vectors
