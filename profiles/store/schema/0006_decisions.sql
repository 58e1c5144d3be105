-- What the user decided about credentials that were found, each known by its note and the keyed digest of its value.
CREATE TABLE decision (
    vault    TEXT NOT NULL,
    path     TEXT NOT NULL,
    digest   TEXT NOT NULL, -- hex, keyed with the installation's key
    standing TEXT NOT NULL CHECK (standing IN ('allowed', 'done')),
    PRIMARY KEY (vault, path, digest)
) STRICT, WITHOUT ROWID;

-- 'open' and 'done' are hidden; 'allowed' stands in the note, 'everywhere' in all notes of the profile.
ALTER TABLE redaction ADD COLUMN standing TEXT NOT NULL DEFAULT 'open';
