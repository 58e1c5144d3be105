-- What is known of a few files, without a look at all notes of their vault.
CREATE INDEX note_place ON note (vault, path_key);
