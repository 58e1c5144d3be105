-- A suggestion outlives its note for a while: it waits for one at the same place, or of the same bytes.
ALTER TABLE review_suggestion
    ALTER note_id DROP NOT NULL, -- NULL: it waits, and the columns from `vault` on say for what
    ADD vault       text COLLATE "C",
    ADD path        text COLLATE "C",
    ADD note_digest bytea,       -- note.digest
    ADD until_ns    bigint;      -- when it waits no more
