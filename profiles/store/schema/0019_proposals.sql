-- What the review has found to propose. It is made anew from the notes; what was said of it is in `review_answer`.
CREATE TABLE proposal (
    machine     TEXT NOT NULL,    -- which found it, where several write; else ''
    key         TEXT NOT NULL,
    finder      INTEGER NOT NULL, -- which of them found it
    kind        INTEGER NOT NULL, -- its place in the order of kinds
    strength    REAL NOT NULL,
    vault_name  TEXT NOT NULL,
    path        TEXT NOT NULL,
    path_key    TEXT NOT NULL,    -- as note.path_key
    place       INTEGER NOT NULL, -- among those of its finder that are equal in kind, strength, vault and path
    vault       TEXT NOT NULL,
    note_id     INTEGER NOT NULL, -- that it is about; this and all others that it names are in `proposal_note`
    digest      BLOB NOT NULL,    -- note.digest of that note
    subject     BLOB NOT NULL,    -- as review_answer.subject
    said        TEXT,             -- review_answer.key of what was said of it, or of the same in an earlier text
    has_options INTEGER NOT NULL, -- 0 or 1
    made        BLOB NOT NULL,    -- digest of all of this but `said`
    body        TEXT NOT NULL,    -- JSON: as it is shown
    PRIMARY KEY (machine, key)
) STRICT;
CREATE INDEX proposal_order ON proposal (
    machine, kind, strength DESC, vault_name, path, finder, place, key, said, has_options
);
CREATE INDEX proposal_finder ON proposal (machine, finder, key, made, said);
CREATE TABLE proposal_note (
    note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    machine TEXT NOT NULL,
    key     TEXT NOT NULL,
    PRIMARY KEY (note_id, machine, key),
    FOREIGN KEY (machine, key) REFERENCES proposal (machine, key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_note_key ON proposal_note (machine, key);
