-- Notes that people do not want among the results of searches: of every search, or of one query. What they typed has been
-- through the credential filter, and is known again by its keyed digest.
CREATE TABLE hidden_note (
    vault       TEXT NOT NULL,
    path        TEXT NOT NULL,
    asked       BLOB NOT NULL, -- digest of the query as it is compared; empty: hidden from every search
    query       TEXT NOT NULL,
    at_ns       INTEGER NOT NULL,
    note_digest BLOB,          -- note.digest, where the note is gone: one of the same bytes takes its place
    PRIMARY KEY (vault, path, asked)
) STRICT, WITHOUT ROWID;
