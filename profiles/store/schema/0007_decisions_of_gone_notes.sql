-- A note that is moved or renamed may be gone for a moment, or for as long as a program takes to write it again. What was
-- decided about it waits, and goes to whatever note has the same bytes.
ALTER TABLE decision ADD COLUMN note_digest BLOB;                    -- note.digest of a note that is gone; NULL: it is there
ALTER TABLE decision ADD COLUMN gone_ns INTEGER NOT NULL DEFAULT 0;  -- since when it is

CREATE INDEX decision_gone ON decision (vault, note_digest) WHERE note_digest IS NOT NULL;
