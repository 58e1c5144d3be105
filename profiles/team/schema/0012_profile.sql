CREATE TRIGGER refuse_other_words_key BEFORE INSERT OR UPDATE ON posting
    FOR EACH STATEMENT EXECUTE FUNCTION scrubjay.refuse_other_words_key('{profile}');
CREATE TRIGGER refuse_other_words_key BEFORE INSERT OR UPDATE ON chunk_words
    FOR EACH STATEMENT EXECUTE FUNCTION scrubjay.refuse_other_words_key('{profile}');
CREATE TRIGGER refuse_other_words_key BEFORE INSERT OR UPDATE ON note_words
    FOR EACH STATEMENT EXECUTE FUNCTION scrubjay.refuse_other_words_key('{profile}');
