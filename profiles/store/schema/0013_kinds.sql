-- Files beside notes: PDFs, office documents, canvases, pictures. Each is a row of `note`, and is told apart by its kind.
ALTER TABLE note ADD COLUMN kind TEXT NOT NULL DEFAULT '';         -- 'pdf', 'sheet', 'image'…; '' is a Markdown note
ALTER TABLE note ADD COLUMN parts INTEGER NOT NULL DEFAULT 0;      -- pages, slides, sheets or chapters of a file
ALTER TABLE note ADD COLUMN passages INTEGER NOT NULL DEFAULT 0;   -- rows in `chunk` of a file; not counted for notes
ALTER TABLE note ADD COLUMN scans INTEGER NOT NULL DEFAULT 0;      -- its pages, or itself, that are pictures not yet read
ALTER TABLE chunk ADD COLUMN place TEXT NOT NULL DEFAULT '';       -- page, slide, sheet or chapter; '' in a note
ALTER TABLE redaction ADD COLUMN place TEXT NOT NULL DEFAULT '';   -- likewise
ALTER TABLE failure ADD COLUMN kind TEXT NOT NULL DEFAULT '';      -- as in `note`; '' is a note, a folder or a vault

-- Counts by kind, without a look at the notes themselves.
CREATE INDEX note_kind ON note (kind, scans, parts, passages, size);

-- What was recognised in a picture or a scan, by the digest of the file's bytes: reading it takes seconds a page.
CREATE TABLE recognised (
    digest BLOB NOT NULL,  -- as in `note`
    reader TEXT NOT NULL,  -- what recognised it, with its version
    packed BLOB NOT NULL,  -- the parts as JSON, credentials taken out
    PRIMARY KEY (digest, reader)
) STRICT, WITHOUT ROWID;
