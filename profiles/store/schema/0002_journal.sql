-- Version 2: the journal, what people and agents had remembered. It comes from nowhere else, so nothing that rebuilds
-- or repairs the index touches these tables. All text in here has been through the credential filter.

CREATE TABLE journal (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    key        TEXT NOT NULL UNIQUE, -- 12 hex digits at random: what clients call the entry
    at_ns      INTEGER NOT NULL,     -- when it was saved, Unix nanoseconds
    author     TEXT NOT NULL,        -- name of the client that saved it
    client     TEXT NOT NULL,        -- its id: names can change hands
    tags       TEXT NOT NULL,        -- JSON array
    text       TEXT NOT NULL,
    redactions INTEGER NOT NULL,     -- credentials hidden in `text`
    terms      TEXT NOT NULL         -- `text` and `tags` as profiles/analysis.py reads them, with spaces between
) STRICT;
CREATE INDEX journal_at ON journal (at_ns);

-- What was said stays as it was said; it can only be forgotten.
CREATE TRIGGER journal_never_changes BEFORE UPDATE OF id, key, at_ns, author, client, tags, text, redactions ON journal
BEGIN
    SELECT RAISE (ABORT, 'a journal entry never changes');
END;

CREATE TABLE journal_vector (
    entry_id INTEGER PRIMARY KEY REFERENCES journal (id) ON DELETE CASCADE,
    model    TEXT NOT NULL, -- fingerprint
    vector   BLOB NOT NULL  -- little-endian float32, L2-normalised
) STRICT;

CREATE VIRTUAL TABLE journal_fts USING fts5 (
    terms, content = 'journal', content_rowid = 'id',
    tokenize = 'ascii' -- `terms` are analysed already: cut at the spaces, and nothing else
);
INSERT INTO journal_fts (journal_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER journal_saved AFTER INSERT ON journal
BEGIN
    INSERT INTO journal_fts (rowid, terms) VALUES (new.id, new.terms);
END;
CREATE TRIGGER journal_forgotten AFTER DELETE ON journal
BEGIN
    INSERT INTO journal_fts (journal_fts, rowid, terms) VALUES ('delete', old.id, old.terms);
END;
CREATE TRIGGER journal_analysed AFTER UPDATE OF terms ON journal
BEGIN
    INSERT INTO journal_fts (journal_fts, rowid, terms) VALUES ('delete', old.id, old.terms);
    INSERT INTO journal_fts (rowid, terms) VALUES (new.id, new.terms);
END;
