-- Who sees what of one profile's tables; {profile} is its number. Run after each version's scripts, and the same however often
-- it runs. The subquery is what makes a policy one question for each statement: what indexes can be used for stays as it was.

DO $$
DECLARE
    part record;
    own text;
BEGIN
    FOR part IN SELECT oid::regclass AS name, relname FROM pg_class
        WHERE relnamespace = 'scrubjay_p{profile}'::regnamespace AND relkind = 'r'
    LOOP
        own := CASE
            -- What somebody searched for is nobody else's to see.
            WHEN part.relname IN ('search_event', 'search_opened', 'hidden_note') THEN ' AND member = session_user'
            -- What can't be read on one machine says nothing about the same file on another. Any member may say that a
            -- connection is any machine's: so it is the member's own, too.
            WHEN part.relname = 'failure' THEN
                ' AND member = session_user AND machine = coalesce(current_setting(''scrubjay.machine'', true), '''')'
            ELSE '' END;
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part.name);
        EXECUTE format('DROP POLICY IF EXISTS of_member ON %s', part.name);
        EXECUTE format('CREATE POLICY of_member ON %s USING ((SELECT scrubjay.may_use({profile}))%s)', part.name, own);
    END LOOP;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA scrubjay_p{profile} FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA scrubjay_p{profile} FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA scrubjay_p{profile} FROM PUBLIC;

-- The planner guesses how many rows a statement will find from samples of all members' rows, and says so in EXPLAIN.
DO $$
DECLARE
    part record;
BEGIN
    FOR part IN SELECT attrelid::regclass AS name, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'scrubjay_p{profile}'::regnamespace AND relname IN ('search_event', 'search_opened', 'hidden_note', 'failure')
            AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER %I SET STATISTICS 0', part.name, part.attname);
    END LOOP;
END $$;
