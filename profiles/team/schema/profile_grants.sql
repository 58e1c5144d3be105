-- What members of one profile may do with its tables; {profile} is its number. Run whenever a grant or a table is new, or one is
-- taken away, and the same however often it runs. Sequences may be taken from, not set; tables not emptied, referred to, or given
-- triggers.
-- Readers are in one group and writers in another, which have the rights: with rights of its own, each member would cost as much
-- as there are members before. Where the owner may not make roles, members have rights of their own all the same.

DO $$
DECLARE
    has_groups boolean := (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user);
    types text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'vector');
    given regrole[] := '{}';
    may record;
    who regrole;
BEGIN
    FOR may IN SELECT DISTINCT writes, CASE WHEN has_groups THEN scrubjay.group_of({profile}, writes) ELSE member END AS role
        FROM scrubjay.team_grant JOIN pg_roles ON rolname = member WHERE profile = {profile} AND member <> current_user
    LOOP
        IF has_groups AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = may.role) THEN
            EXECUTE format('CREATE ROLE %I', may.role);
            EXECUTE format('GRANT %I TO CURRENT_USER WITH INHERIT TRUE, SET FALSE', may.role); -- or it could not take all from it
        END IF;
        given := given || to_regrole(quote_ident(may.role));
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), may.role);
        EXECUTE format('GRANT USAGE ON SCHEMA scrubjay, %s, scrubjay_p{profile} TO %I', types, may.role);
        EXECUTE format(
            'GRANT SELECT ON scrubjay.team_version, scrubjay.team_profile, scrubjay.team_grant, scrubjay.team_key TO %I', may.role);
        EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA scrubjay TO %I', may.role);
        EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA scrubjay_p{profile} TO %I', may.role);
        IF may.writes THEN
            EXECUTE format('GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA scrubjay_p{profile} TO %I', may.role);
            EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA scrubjay_p{profile} TO %I', may.role);
        ELSE -- of its own it may have more, from when it wrote
            EXECUTE format('REVOKE EXECUTE ON FUNCTION scrubjay.build_vector_index, scrubjay.end_stopped FROM %I', may.role);
            EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA scrubjay_p{profile} FROM %I', may.role);
            EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA scrubjay_p{profile} FROM %I', may.role);
        END IF;
    END LOOP;

    -- Who has lost the profile, had rights of its own before there were groups, or is a group that nobody is in any more, or of
    -- the database that this one was copied from.
    FOR who IN SELECT DISTINCT acl.grantee::regrole FROM pg_namespace, aclexplode(nspacl) AS acl
        WHERE nspname = 'scrubjay_p{profile}' AND acl.grantee NOT IN (0, nspowner) AND acl.grantee <> ALL (given::oid[])
    LOOP
        EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA scrubjay_p{profile} FROM %s', who);
        EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA scrubjay_p{profile} FROM %s', who);
        EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA scrubjay_p{profile} FROM %s', who);
        EXECUTE format('REVOKE ALL ON SCHEMA scrubjay_p{profile} FROM %s', who);
        IF has_groups THEN
            EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA scrubjay FROM %s', who);
        END IF;
    END LOOP;

    FOR may IN SELECT roleid::regrole AS role, pg_auth_members.member::regrole AS member
        FROM pg_auth_members, unnest(ARRAY[TRUE, FALSE]) AS writes
        WHERE roleid = to_regrole(quote_ident(scrubjay.group_of({profile}, writes))) AND pg_auth_members.member <> current_user::regrole
            AND NOT EXISTS (SELECT FROM scrubjay.team_grant AS granted WHERE profile = {profile}
                AND to_regrole(quote_ident(granted.member)) = pg_auth_members.member AND granted.writes = writes.writes)
    LOOP
        EXECUTE format('REVOKE %s FROM %s', may.role, may.member);
    END LOOP;
    FOR may IN SELECT scrubjay.group_of({profile}, writes) AS role, member
        FROM scrubjay.team_grant JOIN pg_roles ON rolname = member
        WHERE has_groups AND profile = {profile} AND member <> current_user AND NOT EXISTS (SELECT FROM pg_auth_members AS known
            WHERE known.roleid = to_regrole(quote_ident(scrubjay.group_of({profile}, writes))) AND known.member = pg_roles.oid)
    LOOP
        EXECUTE format('GRANT %I TO %I WITH INHERIT TRUE, SET FALSE', may.role, may.member);
    END LOOP;
END $$;
