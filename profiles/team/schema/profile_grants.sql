-- What each member of one profile may do with its tables; {profile} is its number. Run whenever a grant or a table is new.
-- Sequences may be taken from, not set; tables not emptied, referred to, or given triggers.

DO $$
DECLARE
    role name;
    types text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'vector');
BEGIN
    FOR role IN SELECT member FROM scrubjay.team_grant JOIN pg_roles ON rolname = member
        WHERE profile = {profile} AND member <> current_user
    LOOP
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), role);
        EXECUTE format('GRANT USAGE ON SCHEMA scrubjay, %s, scrubjay_p{profile} TO %I', types, role);
        EXECUTE format(
            'GRANT SELECT ON scrubjay.team_version, scrubjay.team_profile, scrubjay.team_grant, scrubjay.team_key TO %I', role);
        EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA scrubjay TO %I', role);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA scrubjay_p{profile} TO %I', role);
        EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA scrubjay_p{profile} TO %I', role);
    END LOOP;
END $$;
