CREATE TABLE settled_conflicts (
    fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    other_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    PRIMARY KEY (fact_id, other_id)
) WITHOUT ROWID;
CREATE INDEX settled_conflicts_of_other ON settled_conflicts (other_id);
