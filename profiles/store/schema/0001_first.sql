-- One profile's database, version 1. All text in here has been through the credential filter.
-- Times are Unix nanoseconds, paths vault-relative with "/" and NFC, digests 16-byte keyed blake2b.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE note (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again, so a stale id finds nothing
    vault       TEXT NOT NULL,                     -- VaultFolder.id
    path        TEXT NOT NULL,
    path_key    TEXT NOT NULL,                     -- path, case and diacritics folded; filters compare with it
    file_key    TEXT NOT NULL,                     -- last part of path_key
    stem_key    TEXT NOT NULL,                     -- file_key without .md: what links name
    title       TEXT NOT NULL,
    title_tokens INTEGER NOT NULL,                 -- BM25's field length
    mtime_ns    INTEGER NOT NULL,
    size        INTEGER NOT NULL,                  -- bytes on disk
    digest      BLOB NOT NULL,                     -- of the file's bytes
    fingerprint TEXT NOT NULL,                     -- of the rules and the chunker that prepared the note
    created_ns  INTEGER,
    lang        TEXT NOT NULL,
    aliases     TEXT NOT NULL,                     -- JSON array
    tags        TEXT NOT NULL,                     -- JSON array, as written
    properties  TEXT NOT NULL,                     -- JSON object
    anchors     TEXT NOT NULL DEFAULT '',          -- link texts of other notes that point here, one a line
    redactions  INTEGER NOT NULL,                  -- number of rows in `redaction`
    UNIQUE (vault, path)
) STRICT;
CREATE INDEX note_mtime ON note (mtime_ns);
CREATE INDEX note_stem ON note (stem_key);
CREATE INDEX note_tokens ON note (title_tokens);

CREATE TABLE note_alias (
    alias_key TEXT NOT NULL, -- folded
    note_id   INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    PRIMARY KEY (alias_key, note_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_alias_note ON note_alias (note_id);

CREATE TABLE note_tag (
    tag_key TEXT NOT NULL, -- folded
    note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    tag     TEXT NOT NULL,
    PRIMARY KEY (tag_key, note_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_tag_note ON note_tag (note_id);

CREATE TABLE note_property (
    name_key  TEXT NOT NULL, -- folded
    note_id   INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    name      TEXT NOT NULL,
    value_key TEXT NOT NULL, -- folded; one row for each value of a list
    number    REAL,          -- the value as a number, where it is one
    PRIMARY KEY (name_key, note_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_property_note ON note_property (note_id);

CREATE TABLE chunk (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    note_id  INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, -- 0-based in its note
    digest   BLOB NOT NULL,    -- of `text`
    headings TEXT NOT NULL,    -- JSON array, outermost first
    line     INTEGER NOT NULL, -- 1-based
    end_line INTEGER NOT NULL, -- inclusive
    tokens   INTEGER NOT NULL, -- BM25's field length of `text`
    text     TEXT NOT NULL
) STRICT;
CREATE INDEX chunk_note ON chunk (note_id, position, tokens);
CREATE INDEX chunk_digest ON chunk (digest);

CREATE TABLE link (
    id         INTEGER PRIMARY KEY,
    note_id    INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    target     TEXT NOT NULL, -- as written, percent-decoded
    target_key TEXT NOT NULL, -- last part, folded, without .md
    kind       TEXT NOT NULL CHECK (kind IN ('wiki', 'markdown', 'embed')),
    line       INTEGER NOT NULL,
    heading    TEXT NOT NULL,
    block      TEXT NOT NULL,
    text       TEXT NOT NULL
) STRICT;
CREATE INDEX link_note ON link (note_id);
CREATE INDEX link_target ON link (target_key, text);

-- Names whose links changed since note.anchors was last brought up to date.
CREATE TABLE stale_anchor (
    target_key TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE redaction (
    note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    line    INTEGER NOT NULL,
    column  INTEGER NOT NULL,
    rule    TEXT NOT NULL,
    length  INTEGER NOT NULL, -- code points hidden; what they were is nowhere
    PRIMARY KEY (note_id, line, column, rule)
) STRICT, WITHOUT ROWID;

CREATE TABLE failure (
    vault    TEXT NOT NULL,
    path     TEXT NOT NULL,
    code     TEXT NOT NULL,
    reason   TEXT NOT NULL,
    mtime_ns INTEGER NOT NULL,
    size     INTEGER NOT NULL,
    PRIMARY KEY (vault, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE model (
    id          INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE
) STRICT;

-- A text is embedded once for each model, however many chunks hold it.
CREATE TABLE embedding (
    id       INTEGER PRIMARY KEY,
    model_id INTEGER NOT NULL REFERENCES model (id),
    digest   BLOB NOT NULL, -- chunk.digest
    sketch   BLOB NOT NULL, -- sign bits of `vector`, 8 a byte, first dimension in the lowest bit
    vector   BLOB NOT NULL  -- little-endian float32, L2-normalised, as sqlite-vec reads it
) STRICT;
CREATE UNIQUE INDEX embedding_digest ON embedding (model_id, digest);
CREATE INDEX embedding_sketch ON embedding (model_id, id, sketch); -- loads all sketches without touching a vector
CREATE INDEX embedding_orphan ON embedding (digest);

CREATE TABLE pending_embedding (
    mtime_ns INTEGER NOT NULL, -- of the newest note that holds the text; newest first
    digest   BLOB NOT NULL UNIQUE,
    PRIMARY KEY (mtime_ns, digest)
) STRICT, WITHOUT ROWID;

-- The inverted index that BM25 reads; see profiles/posting.py for `entries`.
CREATE TABLE posting (
    term    TEXT NOT NULL,    -- analysed, see profiles/analysis.py
    field   INTEGER NOT NULL, -- posting.Field
    shard   INTEGER NOT NULL, -- document id >> 12
    entries BLOB NOT NULL,
    -- Shard first: a transaction then writes to the pages of the newest shard, not to all of the table.
    PRIMARY KEY (shard, term, field)
) STRICT, WITHOUT ROWID;

-- Word positions, for phrases and exclusions. Contentless: deletions hand the old text back.
CREATE VIRTUAL TABLE chunk_fts USING fts5 (
    body, headings, content = '',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
INSERT INTO chunk_fts (chunk_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE note_fts USING fts5 (
    title, aliases, tags, anchors, path, content = '',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
INSERT INTO note_fts (note_fts, rank) VALUES ('secure-delete', 1);

INSERT INTO meta VALUES ('generation', '0'), ('tokens', '0'), ('chunks', '0');
