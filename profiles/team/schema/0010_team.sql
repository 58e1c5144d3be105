-- Version 10: members who read and write nothing. What members may do is a group's, which they are in.
ALTER TABLE team_grant ADD writes boolean NOT NULL DEFAULT TRUE;

-- The role without login that the readers of a profile are in, or its writers. Roles are the server's: the name of the database
-- is in theirs.
CREATE FUNCTION group_of(profile integer, writes boolean) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT format('scrubjay_%s_p%s_%s', left(encode(sha256(convert_to(current_database(), 'UTF8')), 'hex'), 8), profile,
        CASE WHEN writes THEN 'writers' ELSE 'readers' END)
$$;

ALTER TABLE team_audit DROP CONSTRAINT team_audit_action_check,
    ADD CHECK (action IN ('grant', 'grant-read', 'revoke', 'create', 'drop', 'upgrade'));

CREATE OR REPLACE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
    LOCK TABLE scrubjay.team_audit IN SHARE ROW EXCLUSIVE MODE; -- which a member can't do, as with an advisory lock
    INSERT INTO scrubjay.team_audit (action, about, profile) VALUES (
        CASE
            WHEN TG_TABLE_NAME = 'team_version' THEN 'upgrade'
            WHEN TG_TABLE_NAME = 'team_profile' THEN CASE TG_OP WHEN 'INSERT' THEN 'create' ELSE 'drop' END
            WHEN TG_OP = 'DELETE' THEN 'revoke'
            WHEN (changed ->> 'writes')::boolean THEN 'grant'
            ELSE 'grant-read' END,
        coalesce(changed ->> 'member', changed ->> 'name', changed ->> 'version'),
        coalesce(changed ->> 'profile', changed ->> 'id')::integer);
    RETURN NULL;
END $$;
DROP TRIGGER audited ON team_grant;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF writes OR DELETE ON team_grant FOR EACH ROW EXECUTE FUNCTION audited();
