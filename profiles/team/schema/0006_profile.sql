UPDATE journal SET replaced_ns = coalesce(
    (SELECT coalesce(later.first_ns, later.at_ns) FROM journal AS later WHERE later.key = journal.replaced_by), at_ns
) WHERE replaced_by IS NOT NULL;

DROP TRIGGER journal_never_changes ON journal;
CREATE TRIGGER journal_never_changes
    BEFORE UPDATE OF id, key, author, client, tags, text, redactions, valid_from_ns, valid_to_ns ON journal
    FOR EACH ROW EXECUTE FUNCTION never_changes();
