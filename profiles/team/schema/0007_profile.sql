CREATE TABLE hidden_note PARTITION OF scrubjay.hidden_note (
    PRIMARY KEY (member, vault, path, asked)
) FOR VALUES IN ({profile});
ALTER TABLE hidden_note ALTER profile SET DEFAULT {profile};
