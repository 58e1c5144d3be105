-- One profile's partitions, in its own schema; {profile} is its number. Keys and indexes are as in profiles/store/schema/.

CREATE SEQUENCE note_id;
CREATE SEQUENCE link_id;
CREATE SEQUENCE embedding_id;
CREATE SEQUENCE model_id;
CREATE SEQUENCE journal_id;
CREATE SEQUENCE search_event_id;

CREATE TABLE meta PARTITION OF scrubjay.meta (PRIMARY KEY (name)) FOR VALUES IN ({profile});

CREATE TABLE note PARTITION OF scrubjay.note (
    id DEFAULT nextval('note_id'), PRIMARY KEY (id), UNIQUE (vault, path)
) FOR VALUES IN ({profile});
CREATE INDEX note_stem ON note (stem_key);
CREATE INDEX note_place ON note (vault, path_key);
CREATE INDEX note_newest ON note (mtime_ns DESC, file_key);
CREATE INDEX note_kind ON note (kind, scans, parts, passages, size);
CREATE INDEX note_lang ON note (lang);
CREATE INDEX note_version ON note (version);

CREATE TABLE note_alias PARTITION OF scrubjay.note_alias (
    PRIMARY KEY (alias_key, note_id), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE INDEX note_alias_note ON note_alias (note_id);

CREATE TABLE note_tag PARTITION OF scrubjay.note_tag (
    PRIMARY KEY (tag_key, note_id), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE INDEX note_tag_note ON note_tag (note_id);

CREATE TABLE note_property PARTITION OF scrubjay.note_property (
    PRIMARY KEY (name_key, note_id, position), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE INDEX note_property_note ON note_property (note_id);

CREATE TABLE chunk PARTITION OF scrubjay.chunk (
    PRIMARY KEY (id), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE INDEX chunk_note ON chunk (note_id, position);
CREATE INDEX chunk_digest ON chunk (digest);
CREATE INDEX chunk_version ON chunk (version);

CREATE TABLE chunk_words PARTITION OF scrubjay.chunk_words (
    PRIMARY KEY (chunk_id), FOREIGN KEY (chunk_id) REFERENCES chunk (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});

CREATE TABLE note_words PARTITION OF scrubjay.note_words (
    PRIMARY KEY (note_id), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});

CREATE TABLE link PARTITION OF scrubjay.link (
    id DEFAULT nextval('link_id'), PRIMARY KEY (id), CHECK (kind IN ('wiki', 'markdown', 'embed')),
    FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE INDEX link_note ON link (note_id);
CREATE INDEX link_target ON link (target_key);

CREATE TABLE stale_anchor PARTITION OF scrubjay.stale_anchor (PRIMARY KEY (target_key)) FOR VALUES IN ({profile});

CREATE TABLE redaction PARTITION OF scrubjay.redaction (
    PRIMARY KEY (note_id, line, "column", rule), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});

CREATE TABLE failure PARTITION OF scrubjay.failure (
    PRIMARY KEY (member, machine, vault, path)
) FOR VALUES IN ({profile});

CREATE TABLE model PARTITION OF scrubjay.model (
    id DEFAULT nextval('model_id'), PRIMARY KEY (id), UNIQUE (fingerprint)
) FOR VALUES IN ({profile});

CREATE TABLE embedding PARTITION OF scrubjay.embedding (
    id DEFAULT nextval('embedding_id'), PRIMARY KEY (id), UNIQUE (digest, model_id),
    FOREIGN KEY (model_id) REFERENCES model (id)
) FOR VALUES IN ({profile});

CREATE TABLE pending_embedding PARTITION OF scrubjay.pending_embedding (
    PRIMARY KEY (mtime_ns, digest), UNIQUE (digest)
) FOR VALUES IN ({profile});

-- A row grows with each batch of notes: where its page has room it is rewritten beside itself, and no index is touched.
CREATE TABLE posting PARTITION OF scrubjay.posting (PRIMARY KEY (shard, term, field)) FOR VALUES IN ({profile})
    WITH (fillfactor = 70);
ALTER TABLE posting ALTER entries SET STORAGE EXTERNAL;
CREATE INDEX posting_term ON posting (term);

CREATE TABLE gone PARTITION OF scrubjay.gone (PRIMARY KEY (version, kind, id)) FOR VALUES IN ({profile});

CREATE TABLE journal PARTITION OF scrubjay.journal (
    id DEFAULT nextval('journal_id'), PRIMARY KEY (id), UNIQUE (key)
) FOR VALUES IN ({profile});
CREATE INDEX journal_at ON journal (at_ns);

CREATE TABLE journal_vector PARTITION OF scrubjay.journal_vector (
    PRIMARY KEY (entry_id), FOREIGN KEY (entry_id) REFERENCES journal (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});

-- The member is in the keys, since a key that is taken, and a row that is referred to, are told to those who can't see it.
CREATE TABLE search_event PARTITION OF scrubjay.search_event (
    id DEFAULT nextval('search_event_id'), PRIMARY KEY (member, id)
) FOR VALUES IN ({profile});

CREATE TABLE search_opened PARTITION OF scrubjay.search_opened (
    PRIMARY KEY (member, event_id, path),
    FOREIGN KEY (member, event_id) REFERENCES search_event (member, id) ON DELETE CASCADE
) FOR VALUES IN ({profile});

CREATE TABLE decision PARTITION OF scrubjay.decision (
    PRIMARY KEY (vault, path, digest), CHECK (standing IN ('allowed', 'done'))
) FOR VALUES IN ({profile});
CREATE INDEX decision_gone ON decision (vault, note_digest) WHERE note_digest IS NOT NULL;

CREATE TABLE recognised PARTITION OF scrubjay.recognised (PRIMARY KEY (digest, reader)) FOR VALUES IN ({profile});
CREATE TABLE query_matrix PARTITION OF scrubjay.query_matrix (PRIMARY KEY (model)) FOR VALUES IN ({profile});
CREATE TABLE stemmed_language PARTITION OF scrubjay.stemmed_language (PRIMARY KEY (code)) FOR VALUES IN ({profile});

CREATE TABLE review_answer PARTITION OF scrubjay.review_answer (
    PRIMARY KEY (key), CHECK (answer IN ('yes', 'no', 'later', 'done'))
) FOR VALUES IN ({profile});
CREATE INDEX review_answer_place ON review_answer (vault, path);

CREATE TABLE review_suggestion PARTITION OF scrubjay.review_suggestion (
    PRIMARY KEY (key), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE INDEX review_suggestion_note ON review_suggestion (note_id);

CREATE TABLE note_sketch PARTITION OF scrubjay.note_sketch (
    PRIMARY KEY (note_id), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE TABLE stale_sketch PARTITION OF scrubjay.stale_sketch (
    PRIMARY KEY (note_id), FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE TABLE shared_runs PARTITION OF scrubjay.shared_runs (PRIMARY KEY (id), CHECK (id = 1)) FOR VALUES IN ({profile});
CREATE TABLE near_copy PARTITION OF scrubjay.near_copy (
    PRIMARY KEY (note_id, other_id),
    FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE CASCADE,
    FOREIGN KEY (other_id) REFERENCES note (id) ON DELETE CASCADE
) FOR VALUES IN ({profile});
CREATE INDEX near_copy_other ON near_copy (other_id);

CREATE TABLE machine PARTITION OF scrubjay.machine (PRIMARY KEY (id)) FOR VALUES IN ({profile});
CREATE TABLE note_lease PARTITION OF scrubjay.note_lease (PRIMARY KEY (vault, path)) FOR VALUES IN ({profile});
CREATE INDEX note_lease_machine ON note_lease (machine);
CREATE TABLE tombstone PARTITION OF scrubjay.tombstone (PRIMARY KEY (vault, path)) FOR VALUES IN ({profile});

-- Rows say which generation wrote them, and what is gone is noted, so that other members read only what changed.
-- scrubjay.generation is set by the transaction that writes. Names are whole, since a search_path is the caller's.

CREATE FUNCTION written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := current_setting('scrubjay.generation')::bigint;
    RETURN NEW;
END $$;
CREATE TRIGGER note_written BEFORE UPDATE ON note FOR EACH ROW EXECUTE FUNCTION written();
CREATE TRIGGER chunk_written BEFORE UPDATE ON chunk FOR EACH ROW EXECUTE FUNCTION written();
ALTER TABLE note ALTER version SET DEFAULT current_setting('scrubjay.generation')::bigint;
ALTER TABLE chunk ALTER version SET DEFAULT current_setting('scrubjay.generation')::bigint;

CREATE FUNCTION note_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scrubjay_p{profile}.gone (profile, version, kind, id)
        SELECT {profile}, current_setting('scrubjay.generation')::bigint, 1, id FROM old_rows ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER note_gone AFTER DELETE ON note REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION note_gone();

CREATE FUNCTION chunk_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scrubjay_p{profile}.gone (profile, version, kind, id)
        SELECT {profile}, current_setting('scrubjay.generation')::bigint, 2, id FROM old_rows ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER chunk_gone AFTER DELETE ON chunk REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION chunk_gone();

-- By the statement, since a row that one transaction changes for each of many notes costs more each time.
CREATE FUNCTION languages_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scrubjay_p{profile}.stemmed_language AS known (profile, code, notes)
        SELECT {profile}, stemmed, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM these GROUP BY stemmed
        ON CONFLICT (code) DO UPDATE SET notes = known.notes + excluded.notes;
    RETURN NULL;
END $$;
CREATE TRIGGER note_language_added AFTER INSERT ON note REFERENCING NEW TABLE AS these
    FOR EACH STATEMENT EXECUTE FUNCTION languages_counted();
CREATE TRIGGER note_language_gone AFTER DELETE ON note REFERENCING OLD TABLE AS these
    FOR EACH STATEMENT EXECUTE FUNCTION languages_counted();

CREATE FUNCTION language_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scrubjay_p{profile}.stemmed_language AS known (profile, code, notes)
        VALUES ({profile}, OLD.stemmed, -1), ({profile}, NEW.stemmed, 1)
        ON CONFLICT (code) DO UPDATE SET notes = known.notes + excluded.notes;
    RETURN NULL;
END $$;
CREATE TRIGGER note_language_changed AFTER UPDATE OF stemmed ON note FOR EACH ROW
    WHEN (OLD.stemmed <> NEW.stemmed) EXECUTE FUNCTION language_changed();

CREATE FUNCTION sketches_missing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scrubjay_p{profile}.stale_sketch (profile, note_id)
        SELECT {profile}, id FROM new_rows WHERE kind = '' ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER note_sketches_missing AFTER INSERT ON note REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION sketches_missing();

CREATE FUNCTION sketch_outdated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO scrubjay_p{profile}.stale_sketch (profile, note_id) VALUES ({profile}, NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER sketch_outdated AFTER UPDATE OF digest, fingerprint ON note FOR EACH ROW
    WHEN (NEW.kind = '' AND (NEW.digest, NEW.fingerprint) IS DISTINCT FROM (OLD.digest, OLD.fingerprint))
    EXECUTE FUNCTION sketch_outdated();

CREATE FUNCTION never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a journal entry never changes';
END $$;
CREATE TRIGGER journal_never_changes BEFORE UPDATE OF id, key, author, client, tags, text, redactions ON journal
    FOR EACH ROW EXECUTE FUNCTION never_changes();

DO $$
DECLARE part regclass;
BEGIN
    FOR part IN SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        WHERE nspname = current_schema AND relkind = 'r'
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER profile SET DEFAULT {profile}', part);
    END LOOP;
END $$;

INSERT INTO meta (name, value) VALUES ('generation', '0'), ('tokens', '0'), ('chunks', '0');
