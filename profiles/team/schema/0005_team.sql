-- Version 5: a program that has stopped in the middle of writing blocks nobody.

-- Ends the session that has written a row and not committed, if its program has not said anything for ten seconds; the name
-- of its role, or NULL where nothing was ended. locker: xmax of the row, as who waits for it sees it.
-- A session that waits for its client between the statements of a pipeline is "active", and no timeout of PostgreSQL's
-- counts then: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
CREATE FUNCTION end_stopped(locker xid) RETURNS name
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    stopped record;
BEGIN
    SELECT activity.pid, usename INTO stopped
        FROM pg_locks JOIN pg_stat_activity AS activity USING (pid)
        WHERE locktype = 'transactionid' AND transactionid = locker AND granted AND mode = 'ExclusiveLock'
            AND datname = current_database() AND application_name = 'scrubjay' AND wait_event = 'ClientRead'
            AND greatest(query_start, state_change) < clock_timestamp() - interval '10 s';
    IF stopped IS NULL OR NOT pg_terminate_backend(stopped.pid, 1000) THEN
        RETURN NULL;
    END IF;
    RETURN stopped.usename;
EXCEPTION WHEN insufficient_privilege THEN
    RETURN NULL;
END $$;
