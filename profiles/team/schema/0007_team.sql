-- Version 7: notes that a member does not want among results. As with searches, they are that member's to see.
CREATE TABLE hidden_note (
    profile     integer NOT NULL,
    member      name NOT NULL DEFAULT session_user,
    vault       text COLLATE "C" NOT NULL,
    path        text COLLATE "C" NOT NULL,
    asked       bytea NOT NULL, -- digest of the query as it is compared; empty: hidden from every search
    query       text COLLATE "C" NOT NULL,
    at_ns       bigint NOT NULL,
    note_digest bytea           -- note.digest, where the note is gone: one of the same bytes takes its place
) PARTITION BY LIST (profile);
