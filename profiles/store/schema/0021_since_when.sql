-- From when on and until when what an entry of the journal says holds, where it says so; and when it was replaced, so that
-- it can be told what held before.
ALTER TABLE journal ADD COLUMN valid_from_ns INTEGER; -- Unix nanoseconds; NULL: from when it was first said
ALTER TABLE journal ADD COLUMN valid_to_ns INTEGER;   -- not included; NULL: no end is known
ALTER TABLE journal ADD COLUMN replaced_ns INTEGER;   -- from when on what replaced it holds; NULL: nothing did
UPDATE journal SET replaced_ns = coalesce(
    (SELECT coalesce(later.first_ns, later.at_ns) FROM journal AS later WHERE later.key = journal.replaced_by), at_ns
) WHERE replaced_by IS NOT NULL;

DROP TRIGGER journal_never_changes;
CREATE TRIGGER journal_never_changes
    BEFORE UPDATE OF id, key, author, client, tags, text, redactions, valid_from_ns, valid_to_ns ON journal
BEGIN
    SELECT RAISE (ABORT, 'a journal entry never changes');
END;

-- The note's time of change when an edit brought this passage; NULL: it stood there when the note was first read.
ALTER TABLE chunk ADD COLUMN since_ns INTEGER;
