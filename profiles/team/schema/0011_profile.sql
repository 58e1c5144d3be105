-- Who has the key hashes the words that are there already (profiles/team/word_hashing.py); what an older program writes from now
-- on is refused.
ALTER TABLE posting ADD CONSTRAINT posting_hashed CHECK (term_key IS NOT NULL AND begin_key IS NOT NULL) NOT VALID;
DROP INDEX posting_term;
CREATE INDEX posting_key ON posting (term_key);
CREATE INDEX posting_begin ON posting (begin_key, shard);
INSERT INTO meta (name, value) SELECT 'words_wait', '' WHERE EXISTS (SELECT FROM posting);
