-- Version 8: versions of notes that others have replaced, so that a machine with an old copy does not bring them back by a new date.
CREATE TABLE replaced (
    profile integer NOT NULL,
    vault   text COLLATE "C" NOT NULL,
    path    text COLLATE "C" NOT NULL,
    digest  bytea NOT NULL, -- of the file's bytes
    at      timestamptz NOT NULL DEFAULT clock_timestamp()
) PARTITION BY LIST (profile);
