-- Version 4: what the review has found to propose. Each machine finds for itself: its Scrubjay may be another version, and have
-- another folder as inbox. Made anew from the notes; what was said of it is in `review_answer`.
CREATE TABLE proposal (
    profile     integer NOT NULL,
    machine     text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    finder      bigint NOT NULL, -- which of them found it
    kind        bigint NOT NULL, -- its place in the order of kinds
    strength    double precision NOT NULL,
    vault_name  text COLLATE "C" NOT NULL,
    path        text COLLATE "C" NOT NULL,
    path_key    text COLLATE "C" NOT NULL, -- as note.path_key
    place       bigint NOT NULL, -- among those of its finder that are equal in kind, strength, vault and path
    vault       text COLLATE "C" NOT NULL,
    note_id     bigint NOT NULL, -- that it is about; this and all others that it names are in `proposal_note`
    digest      bytea NOT NULL,  -- note.digest of that note
    subject     bytea NOT NULL,  -- as review_answer.subject
    said        text COLLATE "C", -- review_answer.key of what was said of it, or of the same in an earlier text
    has_options bigint NOT NULL, -- 0 or 1
    made        bytea NOT NULL,  -- digest of all of this but `said`
    body        text COLLATE "C" NOT NULL -- JSON: as it is shown
) PARTITION BY LIST (profile);

CREATE TABLE proposal_note (
    profile integer NOT NULL,
    note_id bigint NOT NULL,
    machine text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL
) PARTITION BY LIST (profile);
