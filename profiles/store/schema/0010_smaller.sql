-- Smaller: texts are packed (profiles/store/packing.py), vectors have eight bits a dimension, one index less. What is
-- stored before this version is converted a few rows at a time, see profiles/store/repacking.py.
ALTER TABLE chunk ADD COLUMN packed BLOB NOT NULL DEFAULT x''; -- the text; the column `text` is empty since

-- embedding.vector: signed bytes, each a dimension's share of the largest one, in 127ths; the length says nothing.

DROP INDEX embedding_orphan;
DROP INDEX embedding_digest;
CREATE UNIQUE INDEX embedding_digest ON embedding (digest, model_id);

INSERT INTO meta SELECT 'repack', '{}' WHERE EXISTS (SELECT 1 FROM chunk) OR EXISTS (SELECT 1 FROM embedding);
