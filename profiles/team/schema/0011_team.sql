-- Version 11: members ask for words by hashes under the team's key (profiles/team/hashed_words.py), which the server never has.
ALTER TABLE posting
    ADD term_key  bigint, -- of the term
    ADD begin_key bigint; -- of its beginning, for words that are being typed
