-- Version 9: what was granted, taken away, made, dropped and upgraded, in a table that only grows. Each row's digest is of the
-- row and of the digest before it: who changes or takes out one must change all after it.
CREATE TABLE team_audit (
    number   bigint PRIMARY KEY,
    at       timestamptz NOT NULL,
    who      name NOT NULL,
    action   text COLLATE "C" NOT NULL CHECK (action IN ('grant', 'revoke', 'create', 'drop', 'upgrade')),
    about    text COLLATE "C" NOT NULL, -- the member, the profile's name, or the version
    profile  integer,
    digest   bytea NOT NULL
);

CREATE FUNCTION audit_digest(entry team_audit, before bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT sha256(before || convert_to(jsonb_build_array(
        entry.number, extract(epoch FROM entry.at), entry.who, entry.action, entry.about, entry.profile)::text, 'UTF8'))
$$;

CREATE FUNCTION audit_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last scrubjay.team_audit;
BEGIN
    SELECT * INTO last FROM scrubjay.team_audit ORDER BY number DESC LIMIT 1;
    NEW.number := coalesce(last.number, 0) + 1;
    NEW.at := clock_timestamp();
    NEW.who := session_user;
    NEW.digest := scrubjay.audit_digest(NEW, coalesce(last.digest, ''));
    RETURN NEW;
END $$;
CREATE TRIGGER audit_entry BEFORE INSERT ON team_audit FOR EACH ROW EXECUTE FUNCTION audit_entry();

CREATE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit table only grows';
END $$;
CREATE TRIGGER audit_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON team_audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_only_grows();

CREATE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
    LOCK TABLE scrubjay.team_audit IN SHARE ROW EXCLUSIVE MODE; -- which a member can't do, as with an advisory lock
    INSERT INTO scrubjay.team_audit (action, about, profile) VALUES (
        CASE TG_TABLE_NAME || ' ' || TG_OP
            WHEN 'team_grant INSERT' THEN 'grant' WHEN 'team_grant DELETE' THEN 'revoke'
            WHEN 'team_profile INSERT' THEN 'create' WHEN 'team_profile DELETE' THEN 'drop' ELSE 'upgrade' END,
        coalesce(changed ->> 'member', changed ->> 'name', changed ->> 'version'),
        coalesce(changed ->> 'profile', changed ->> 'id')::integer);
    RETURN NULL;
END $$;
CREATE TRIGGER audited AFTER INSERT OR DELETE ON team_grant FOR EACH ROW EXECUTE FUNCTION audited();
CREATE TRIGGER audited AFTER INSERT OR DELETE ON team_profile FOR EACH ROW EXECUTE FUNCTION audited();
CREATE TRIGGER audited AFTER INSERT ON team_version FOR EACH ROW EXECUTE FUNCTION audited();

-- For who watches over the server: sizes and rows as PostgreSQL counts them, and who was there when. Machines are seen by a role
-- that rules for rows do not hold.
CREATE VIEW operating WITH (security_invoker) AS
    SELECT team_profile.id AS profile, name, bytes, notes, passages, dead_rows, vacuumed_at, machines, last_seen_at
    FROM team_profile
    LEFT JOIN LATERAL (
        SELECT CAST(sum(pg_total_relation_size(relid)) AS bigint) AS bytes,
            max(n_live_tup) FILTER (WHERE relname = 'note') AS notes,
            max(n_live_tup) FILTER (WHERE relname = 'chunk') AS passages,
            CAST(sum(n_dead_tup) AS bigint) AS dead_rows,
            max(greatest(last_vacuum, last_autovacuum)) AS vacuumed_at
        FROM pg_stat_all_tables WHERE schemaname = 'scrubjay_p' || team_profile.id
    ) AS of_tables ON TRUE
    LEFT JOIN LATERAL (
        SELECT count(*) AS machines, max(seen_at) AS last_seen_at FROM machine WHERE machine.profile = team_profile.id
    ) AS of_machines ON TRUE;
