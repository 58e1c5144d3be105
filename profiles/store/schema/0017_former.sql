-- What a passage was called before it was edited: an id that somebody cited leads on to what took its place. Of the text
-- itself nothing is kept.
CREATE TABLE former_chunk (
    note_id  INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    digest   BLOB NOT NULL,    -- chunk.digest of the text that stood in the note
    heir     BLOB NOT NULL,    -- that of the note's passage that stands in its place
    heir_ns  INTEGER NOT NULL, -- since when that does, Unix nanoseconds
    until_ns INTEGER NOT NULL, -- when this may be forgotten
    PRIMARY KEY (note_id, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_chunk_digest ON former_chunk (digest);

-- When an entry of the journal was first said, where it was said again; NULL: at `at_ns`.
ALTER TABLE journal ADD COLUMN first_ns INTEGER;
