CREATE TABLE review_memo PARTITION OF scrubjay.review_memo (
    PRIMARY KEY (note_id, part), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
ALTER TABLE review_memo ALTER profile SET DEFAULT {profile};
