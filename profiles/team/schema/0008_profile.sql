CREATE TABLE replaced PARTITION OF scrubjay.replaced (PRIMARY KEY (vault, path, digest)) FOR VALUES IN ({profile});
ALTER TABLE replaced ALTER profile SET DEFAULT {profile};
CREATE INDEX replaced_at ON replaced (at);
