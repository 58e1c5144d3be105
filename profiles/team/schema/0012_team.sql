-- Version 12: how much a member may bring, and another key for words after a laptop was lost, with a name by which the server tells it from the one before, and
-- nothing else of it; '' where none was lost. What is hashed by another key is refused, also from an older program.
ALTER TABLE team_profile ADD words_key text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE team_grant ADD most_passages bigint CHECK (most_passages >= 0); -- NULL: as many as the member has

CREATE FUNCTION refuse_other_words_key() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF coalesce(current_setting('scrubjay.words_key', true), '')
        IS DISTINCT FROM (SELECT words_key FROM scrubjay.team_profile WHERE id = TG_ARGV[0]::integer)
    THEN
        RAISE insufficient_privilege USING MESSAGE = 'the key of its words was changed: update Scrubjay, and join again';
    END IF;
    RETURN NULL;
END $$;

ALTER TABLE team_audit DROP CONSTRAINT team_audit_action_check,
    ADD CHECK (action IN ('grant', 'grant-read', 'revoke', 'create', 'drop', 'upgrade', 'new-key', 'quota'));

CREATE OR REPLACE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    changed jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
    LOCK TABLE scrubjay.team_audit IN SHARE ROW EXCLUSIVE MODE; -- which a member can't do, as with an advisory lock
    INSERT INTO scrubjay.team_audit (action, about, profile) VALUES (
        CASE
            WHEN TG_TABLE_NAME = 'team_version' THEN 'upgrade'
            WHEN TG_TABLE_NAME = 'team_profile' THEN CASE TG_OP WHEN 'INSERT' THEN 'create' WHEN 'UPDATE' THEN 'new-key' ELSE 'drop' END
            WHEN TG_OP = 'DELETE' THEN 'revoke'
            WHEN TG_OP = 'UPDATE' AND to_jsonb(OLD) -> 'most_passages' IS DISTINCT FROM changed -> 'most_passages' THEN 'quota'
            WHEN (changed ->> 'writes')::boolean THEN 'grant'
            ELSE 'grant-read' END,
        coalesce(changed ->> 'member', changed ->> 'name', changed ->> 'version'),
        coalesce(changed ->> 'profile', changed ->> 'id')::integer);
    RETURN NULL;
END $$;
DROP TRIGGER audited ON team_grant;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF writes, most_passages OR DELETE ON team_grant
    FOR EACH ROW EXECUTE FUNCTION audited();
DROP TRIGGER audited ON team_profile;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF words_key OR DELETE ON team_profile FOR EACH ROW EXECUTE FUNCTION audited();
