-- A suggestion outlives its note for a while: it waits for one at the same place, or of the same bytes.
CREATE TABLE waiting_suggestion (
    key         TEXT PRIMARY KEY,
    note_id     INTEGER REFERENCES note (id) ON DELETE SET NULL, -- NULL: it waits, and the columns from `vault` on say for what
    client      TEXT NOT NULL, -- id
    name        TEXT NOT NULL, -- of the client then
    at_ns       INTEGER NOT NULL,
    why         TEXT NOT NULL, -- this and the changes have been through the credential filter
    changes     TEXT NOT NULL, -- JSON array
    vault       TEXT,
    path        TEXT,
    note_digest BLOB,          -- note.digest
    until_ns    INTEGER        -- when it waits no more
) STRICT, WITHOUT ROWID;
INSERT INTO waiting_suggestion (key, note_id, client, name, at_ns, why, changes)
    SELECT key, note_id, client, name, at_ns, why, changes FROM review_suggestion;
DROP TABLE review_suggestion;
ALTER TABLE waiting_suggestion RENAME TO review_suggestion;
CREATE INDEX review_suggestion_note ON review_suggestion (note_id);
