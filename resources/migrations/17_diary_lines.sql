ALTER TABLE sessions ADD COLUMN diary_at TEXT;
ALTER TABLE housekeeping DROP COLUMN begun_at;
ALTER TABLE housekeeping DROP COLUMN count;
ALTER TABLE diary_items RENAME TO old_diary_items;
CREATE TABLE diary_items (
    id INTEGER,
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    session_id TEXT,
    message_id INTEGER,
    done_at TEXT,
    project TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (id),
    CHECK (kind IN ('note', 'asked', 'found', 'decided', 'open', 'next_step')),
    FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
INSERT INTO diary_items (day, kind, text, session_id, message_id, done_at, project)
    SELECT e.day, i.kind, i.text, i.session_id, i.message_id, i.done_at, e.project
    FROM old_diary_items AS i JOIN diary_entries AS e ON e."key" = i.entry_key
    ORDER BY e.day, i.place;
INSERT INTO diary_items (day, kind, text, project)
    SELECT day, 'note', text, project FROM diary_entries WHERE written_by = 'user' AND text <> '';
DROP TABLE old_diary_items;
DROP TABLE diary_entries;
CREATE INDEX diary_items_of_day ON diary_items (day, project);
CREATE INDEX diary_items_of_session ON diary_items (session_id);
INSERT INTO diary_index (diary_index) VALUES ('delete-all');
INSERT INTO diary_index (rowid, words)
    SELECT id, replace(replace(text, 'ı', 'i'), 'İ', 'i') FROM diary_items;
