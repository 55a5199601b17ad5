ALTER TABLE sessions ADD COLUMN refined_at TEXT;
UPDATE sessions SET refined_at = embedded_at;
ALTER TABLE sources ADD COLUMN refined_at TEXT;
UPDATE sources SET refined_at = embedded_at;
