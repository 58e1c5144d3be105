CREATE TABLE former_chunk PARTITION OF scrubjay.former_chunk (
    PRIMARY KEY (note_id, digest), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
ALTER TABLE former_chunk ALTER profile SET DEFAULT {profile};
CREATE INDEX former_chunk_digest ON former_chunk (digest);
