CREATE TABLE proposal PARTITION OF scrubjay.proposal (PRIMARY KEY (machine, key)) FOR VALUES IN ({profile});
ALTER TABLE proposal ALTER profile SET DEFAULT {profile};
CREATE INDEX proposal_order ON proposal (machine, kind, strength DESC, vault_name, path, finder, place);
CREATE INDEX proposal_finder ON proposal (machine, finder);
CREATE TABLE proposal_note PARTITION OF scrubjay.proposal_note (
    PRIMARY KEY (note_id, machine, key),
    FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE,
    FOREIGN KEY (machine, key) REFERENCES proposal (machine, key) ON DELETE CASCADE
) FOR VALUES IN ({profile});
ALTER TABLE proposal_note ALTER profile SET DEFAULT {profile};
CREATE INDEX proposal_note_key ON proposal_note (machine, key);
