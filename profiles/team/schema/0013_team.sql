-- Version 13: what the review has worked out of notes, to be had again as long as all that it depends on is the same. It goes
-- with a note, and with a note's text. Whoever worked it out: other versions of Scrubjay have other digests.
CREATE TABLE review_memo (
    profile integer NOT NULL,
    note_id bigint NOT NULL,
    part    text COLLATE "C" NOT NULL, -- what was worked out
    made_of bytea NOT NULL, -- digest of all that it depends on
    made    bytea NOT NULL  -- MessagePack
) PARTITION BY LIST (profile);
