-- What was remembered may be replaced: the older entry stays in the log and is recalled no more. And what is said again in
-- the same words is said later: only the time of an entry may change.
ALTER TABLE journal ADD COLUMN replaced_by TEXT; -- key of the entry that took its place; NULL: none did

DROP TRIGGER journal_never_changes;
CREATE TRIGGER journal_never_changes BEFORE UPDATE OF id, key, author, client, tags, text, redactions ON journal
BEGIN
    SELECT RAISE (ABORT, 'a journal entry never changes');
END;
