-- What the user said of proposals to tidy notes, and what programs proposed. No text of a note is in `review_answer`.
CREATE TABLE review_answer (
    key     TEXT PRIMARY KEY, -- of the proposal: kind, subject and the notes' digests
    kind    TEXT NOT NULL,
    vault   TEXT NOT NULL,
    path    TEXT NOT NULL,
    subject BLOB NOT NULL,    -- digest of what tells the proposal from others of its kind about this note
    digest  BLOB NOT NULL,    -- note.digest then
    sketch  BLOB NOT NULL,    -- see note_sketch; of the note then
    answer  TEXT NOT NULL CHECK (answer IN ('yes', 'no', 'later', 'done')),
    chosen  TEXT NOT NULL,    -- JSON array of option ids
    at_ns   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX review_answer_place ON review_answer (vault, path);

CREATE TABLE review_suggestion (
    key     TEXT PRIMARY KEY,
    note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    client  TEXT NOT NULL, -- id
    name    TEXT NOT NULL, -- of the client then
    at_ns   INTEGER NOT NULL,
    why     TEXT NOT NULL, -- this and the changes have been through the credential filter
    changes TEXT NOT NULL  -- JSON array
) STRICT, WITHOUT ROWID;
CREATE INDEX review_suggestion_note ON review_suggestion (note_id);

-- Notes that say nearly the same: hashes of some of a note's runs of three words, and the pairs that were found.
CREATE TABLE note_sketch (
    note_id INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE,
    sketch  BLOB NOT NULL -- little-endian uint32, ascending
) STRICT;
CREATE TABLE stale_sketch ( -- notes that have another text than their sketch, or no sketch yet
    note_id INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE
) STRICT;
INSERT INTO stale_sketch SELECT id FROM note WHERE kind = '';
CREATE TRIGGER sketch_missing AFTER INSERT ON note WHEN new.kind = ''
BEGIN
    INSERT OR IGNORE INTO stale_sketch VALUES (new.id);
END;
CREATE TRIGGER sketch_outdated AFTER UPDATE OF digest, fingerprint ON note
WHEN new.kind = '' AND (new.digest, new.fingerprint) IS NOT (old.digest, old.fingerprint)
BEGIN
    INSERT OR IGNORE INTO stale_sketch VALUES (new.id);
END;
CREATE TABLE shared_runs ( -- one row: what was found when all notes were last compared
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version TEXT NOT NULL,    -- by which sketches and pairs were made
    runs    BLOB NOT NULL,    -- those that many notes share, as in note_sketch
    changed INTEGER NOT NULL  -- notes that were compared since
) STRICT;
CREATE TABLE near_copy (
    note_id  INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    other_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE, -- the larger id
    likeness REAL NOT NULL,                                           -- 0 to 1
    PRIMARY KEY (note_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX near_copy_other ON near_copy (other_id);
