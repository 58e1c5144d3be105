-- Who sees what of a team's tables. Run after each version's scripts, and the same however often it runs.

DO $$
DECLARE
    part regclass;
BEGIN
    -- Partitions have policies of their own. Nobody needs the tables above them, and without a policy they show no row.
    FOR part IN SELECT oid FROM pg_class WHERE relnamespace = 'scrubjay'::regnamespace AND relkind = 'p' LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
    END LOOP;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA scrubjay FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA scrubjay FROM PUBLIC;

-- Whether this session is for this profile, and its member may use it. Asked once for each statement.
CREATE OR REPLACE FUNCTION may_use(profile integer) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN coalesce(current_setting('scrubjay.profile', true) = may_use.profile::text, false) AND EXISTS (
        SELECT FROM scrubjay.team_grant AS granted
        WHERE granted.profile = may_use.profile AND granted.member = session_user
    );
END $$;

ALTER TABLE team_profile ENABLE ROW LEVEL SECURITY;
ALTER TABLE team_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE team_grant ENABLE ROW LEVEL SECURITY;
ALTER TABLE team_key ENABLE ROW LEVEL SECURITY;

-- A member sees of the team what concerns the profile that the session is for: its name, and the member's own grant and key.
DROP POLICY IF EXISTS of_member ON team_grant;
CREATE POLICY of_member ON team_grant FOR SELECT
    USING (member = session_user AND profile::text = current_setting('scrubjay.profile', true));
DROP POLICY IF EXISTS of_member ON team_key;
CREATE POLICY of_member ON team_key FOR SELECT
    USING (member = session_user AND profile::text = current_setting('scrubjay.profile', true));
DROP POLICY IF EXISTS of_member ON team_profile;
CREATE POLICY of_member ON team_profile FOR SELECT USING (may_use(id));

-- The index for candidates by meaning, of one model's vectors. Members own nothing, so it is built in the owner's name.
-- False where it is there already.
CREATE OR REPLACE FUNCTION build_vector_index(profile integer, model bigint, dimensions integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    own text := format('scrubjay_p%s', profile);
    index_name text := format('embedding_near_%s', model);
    types text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'vector');
    known integer;
BEGIN
    IF profile IS NULL OR NOT scrubjay.may_use(profile) THEN
        RAISE insufficient_privilege USING MESSAGE = 'this session may not use this profile';
    END IF;
    PERFORM pg_advisory_xact_lock(profile, hashint8(model));
    IF to_regclass(format('%s.%I', own, index_name)) IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('SELECT %s.vector_dims(near) FROM %s.embedding WHERE model_id = $1 LIMIT 1', types, own)
        INTO known USING model;
    IF known IS DISTINCT FROM dimensions OR known IS NULL THEN
        RAISE invalid_parameter_value USING MESSAGE = 'no vectors of this model with so many dimensions';
    END IF;
    EXECUTE format(
        'CREATE INDEX %I ON %s.embedding USING hnsw ((near::%s.halfvec(%s)) %s.halfvec_cosine_ops)'
        ' WITH (m = 16, ef_construction = 128) WHERE model_id = %s',
        index_name, own, types, dimensions, types, model);
    RETURN true;
END $$;

REVOKE ALL ON FUNCTION may_use, build_vector_index FROM PUBLIC;
