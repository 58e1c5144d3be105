-- What the review has worked out of notes, to be had again as long as all that it depends on is the same. It goes with a
-- note, and with a note's text.
CREATE TABLE review_memo (
    note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    part    TEXT NOT NULL, -- what was worked out
    made_of BLOB NOT NULL, -- digest of all that it depends on
    made    BLOB NOT NULL, -- MessagePack
    PRIMARY KEY (note_id, part)
) STRICT;
