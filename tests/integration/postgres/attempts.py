"""What a member may try by SQL, and why it leads nowhere. Everything is tried as anna, who has a grant for profile 1.

`search_event`, `search_opened`, `hidden_note` and `failure` hold rows of bob's; profile 2 and
its rows are not hers at all. Between the statements of an attempt stands " ;; ".
"""

from typing import NamedTuple

NOTHING = "nothing"
"""The last statement runs, and finds or changes no row."""
DENIED = "42501"


class Attempt(NamedTuple):
    """A way to get beyond a grant. outcome: what comes of its last statement, a state or NOTHING."""

    outcome: str
    why: str
    statements: str


REFUSED = {
    "no USAGE on the other profile's schema": (
        "SELECT * FROM scrubjay_p2.note", "SET scrubjay.profile = '2' ;; SELECT * FROM scrubjay_p2.note",
        "COPY scrubjay_p2.note TO STDOUT", "TABLE scrubjay_p2.chunk",
        "SELECT * FROM ts_stat('SELECT words FROM scrubjay_p2.chunk_words')",
        "PREPARE theirs AS SELECT * FROM scrubjay_p2.note",
        "BEGIN ;; DECLARE theirs CURSOR FOR SELECT * FROM scrubjay_p2.note",
        "SELECT last_value FROM scrubjay_p2.note_id", "INSERT INTO scrubjay_p2.note (vault, path) VALUES ('v', 'p')",
        "BEGIN ;; LOCK TABLE scrubjay_p2.note", "GRANT SELECT ON scrubjay_p2.note TO anna",
        "ALTER TABLE meta ADD FOREIGN KEY (name) REFERENCES scrubjay_p2.meta (name)",
    ),
    "no privilege on the tables above the partitions": (
        "SELECT * FROM scrubjay.note", "SELECT * FROM scrubjay.chunk WHERE profile = 2",
        "COPY (SELECT * FROM scrubjay.note) TO STDOUT", "INSERT INTO scrubjay.meta VALUES (2, 'x', 'y')",
        "DELETE FROM scrubjay.note WHERE profile = 2",
    ),
    "a block runs as who starts it": ("DO $$ BEGIN PERFORM * FROM scrubjay_p2.note; END $$",),
    "it runs as the caller": ("SELECT query_to_xml('SELECT * FROM scrubjay_p2.note', true, true, '')",),
    "planning asks for privileges, too": ("EXPLAIN SELECT * FROM scrubjay_p2.note",),
    "it then fails, not shows": ("SET row_security = off ;; SELECT * FROM search_event",),
    "the owner's alone": ("SELECT * FROM scrubjay.team_member",),
    "for superusers and roles that were given it": (
        "SELECT rolpassword FROM pg_authid", "SELECT * FROM pg_statistic", "SELECT * FROM pg_statistic_ext_data",
        "SELECT pg_current_logfile()", "SET session_replication_role = replica", "SET SESSION AUTHORIZATION bob",
        "ALTER ROLE anna BYPASSRLS", "ALTER ROLE anna SUPERUSER", "CREATE FOREIGN DATA WRAPPER spy",
        "CREATE EVENT TRIGGER spy ON ddl_command_end EXECUTE FUNCTION spy()", "SELECT * FROM pg_hba_file_rules",
        "ALTER SYSTEM SET log_statement = 'all'", "SET log_statement = 'all'", "LOAD 'auto_explain'",
    ),
    "a large object is its owner's": ("SELECT lo_get(4711)",),
    "no USAGE on the sequence, however it is named": (
        "SELECT nextval(pg_class.oid::regclass) FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid"
        " WHERE relname = 'note_id' AND nspname = 'scrubjay_p2'",
    ),
    "the policy holds for new rows, too": (
        "INSERT INTO failure (member, vault, path, code, reason, mtime_ns, size) VALUES ('bob', '', '', '', '', 0, 0)",
        "INSERT INTO search_event (member, id, at_ns, query, mode, results, took_ms) VALUES ('bob', 8, 0, 'q', '',"
        " 0, 0)",
    ),
    "the policy holds for changed rows, too": (
        "INSERT INTO search_event (at_ns, query, mode, results, took_ms) VALUES (0, 'q', '', 0, 0) ;; UPDATE"
        " search_event SET member = 'bob'",
    ),
    "members may not empty, since policies can't hold for it": ("TRUNCATE search_event",),
    "members take from sequences": ("SELECT setval('note_id', 1)",),
    "members read it": (
        "BEGIN ;; LOCK TABLE scrubjay.team_version", "UPDATE scrubjay.team_version SET version = 99",
        "INSERT INTO scrubjay.team_grant VALUES (2, 'anna')", "UPDATE scrubjay.team_grant SET profile = 2",
        "DELETE FROM scrubjay.team_grant", "UPDATE scrubjay.team_key SET wrapped = ''",
    ),
    "it asks may_use": (
        "SELECT scrubjay.build_vector_index(2, 7, 3)",
        "SET scrubjay.profile = '2' ;; SELECT scrubjay.build_vector_index(2, 7, 3)",
    ),
    "files and programs of the server are for roles that were given them": (
        "SELECT lo_import('/etc/passwd')", "COPY meta FROM PROGRAM 'id'", "COPY meta TO PROGRAM 'cat'",
        "COPY meta FROM '/etc/passwd'", "COPY meta TO '/tmp/meta'", "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_read_binary_file('global/pg_filenode.map')", "SELECT pg_ls_dir('base')",
        "SELECT lo_export(4711, '/tmp/theirs')",
    ),
    "no grant option": ("GRANT USAGE ON SCHEMA scrubjay_p2 TO anna",),
    "a member is in no other role": (
        "SET ROLE olga", "SET ROLE bob", "SET ROLE pg_read_all_data", "REASSIGN OWNED BY olga TO anna",
        "ALTER DEFAULT PRIVILEGES FOR ROLE olga GRANT ALL ON TABLES TO anna",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bob'",
    ),
    "no ADMIN option": (
        "GRANT olga TO anna", "GRANT bob TO anna", "ALTER ROLE bob PASSWORD NULL",
        "ALTER ROLE bob SET search_path = public",
    ),
    "no CREATEROLE": ("CREATE ROLE dora SUPERUSER",),
    "only who owns a table changes what it is": (
        "ALTER TABLE search_event DISABLE ROW LEVEL SECURITY", "ALTER TABLE search_event NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY of_member ON search_event", "CREATE POLICY all_of_it ON search_event USING (true)",
        "ALTER POLICY of_member ON search_event USING (true)", "ALTER TABLE note OWNER TO anna",
        "ALTER TABLE scrubjay.note DETACH PARTITION scrubjay_p1.note", "DROP TABLE scrubjay_p1.note CASCADE",
        "DROP INDEX note_stem", "CREATE RULE spy AS ON INSERT TO note DO ALSO NOTHING",
        "CREATE INDEX mine ON note (title)", "DROP EXTENSION vector CASCADE",
        "ALTER DATABASE {database} SET row_security = off",
    ),
    "no CREATE in any schema, nor in the database": (
        "CREATE OR REPLACE FUNCTION scrubjay.may_use(profile integer) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        "CREATE VIEW public.theirs AS SELECT 1", "CREATE VIEW scrubjay_p1.theirs AS SELECT 1",
        "CREATE TABLE scrubjay.mine (id integer)",
        "CREATE TABLE scrubjay_p1.mine PARTITION OF scrubjay.note FOR VALUES IN (3)",
        "CREATE FUNCTION spy() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        "CREATE OPERATOR scrubjay_p1.= (LEFTARG = text, RIGHTARG = text, FUNCTION = textne)",
        "CREATE STATISTICS scrubjay_p1.mine ON vault, path FROM note", "CREATE SCHEMA mine",
        "CREATE PUBLICATION theirs FOR TABLE scrubjay_p1.note",
    ),
    "TEMP on the database was taken from PUBLIC": (
        "CREATE TEMP TABLE note (id integer)",
        "CREATE TEMP VIEW team_grant AS SELECT 2 AS profile, session_user AS member",
        "SELECT * INTO TEMP mine FROM note", "CREATE FUNCTION pg_temp.spy() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    ),
    "no TRIGGER on any table": (
        "CREATE TRIGGER spy AFTER INSERT ON note EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    ),
    "no CREATEDB": ("CREATE DATABASE mine",),
    "no REPLICATION": ("SELECT pg_create_logical_replication_slot('spy', 'pgoutput')",),
}  # fmt: skip

FRUITLESS = {
    "the policy names profile 1": ("SET scrubjay.profile = '2' ;; SELECT * FROM note",),
    "the setting is compared whole": ("SET scrubjay.profile = '1,2' ;; SELECT * FROM note",),
    "the setting is never SQL": ("SET scrubjay.profile = '1 OR true' ;; SELECT * FROM note",),
    "no profile has that number": ("SET scrubjay.profile = '' ;; SELECT * FROM note",),
    "it asks for the grant as well": ("SET scrubjay.profile = '2' ;; SELECT WHERE scrubjay.may_use(2)",),
    "the policy of the table": ("SELECT name FROM scrubjay.team_profile WHERE id <> 1",),
    "the policy of this table wants the member's own name": (
        "SELECT * FROM scrubjay.team_grant WHERE member <> 'anna'",
        "SELECT * FROM scrubjay.team_key WHERE member <> 'anna'", "SELECT * FROM search_event WHERE member = 'bob'",
        "SELECT * FROM search_opened",
        "SELECT set_config('scrubjay.machine', machine, FALSE) FROM note_lease ;; SELECT * FROM failure",
        "SELECT * FROM search_event WHERE ctid = '(0,1)'", "SELECT 1 FROM search_event HAVING max(at_ns) IS NOT NULL",
        "SELECT * FROM search_event FOR UPDATE", "UPDATE search_event SET query = 'x'",
        "UPDATE search_event SET query = 'x' WHERE ctid = '(0,1)'", "DELETE FROM search_event RETURNING *",
        "MERGE INTO search_event USING (SELECT 7 AS id) AS known ON search_event.id = known.id WHEN MATCHED THEN"
        " UPDATE SET query = 'x'",
    ),
    "hidden where policies hold": (
        "SELECT * FROM pg_stats WHERE schemaname ~ '^scrubjay' AND tablename <> 'team_version'",
    ),
    "queries are hidden from other roles": (
        "SELECT query FROM pg_stat_activity WHERE query ~* 'MERG' AND usename <> 'anna'",
    ),
    "shown to who may use the sequence": (
        "SELECT 1 FROM pg_sequences WHERE schemaname = 'scrubjay_p2' AND last_value IS NOT NULL",
    ),
    "the policy comes first": ("SELECT * FROM search_event WHERE query::integer = 1",),
    "the policy comes first, since dividing is not leakproof": (
        "SELECT * FROM search_event WHERE 1 / (CASE WHEN query ~ '^m' THEN 0 ELSE 1 END) = 1",
    ),
    "COPY obeys policies": ("COPY search_event TO STDOUT",),
    "no grant option: PostgreSQL warns, and changes nothing": (
        "GRANT SELECT ON note TO PUBLIC ;; SELECT 1 FROM pg_class, aclexplode(relacl) WHERE pg_class.oid ="
        " 'note'::regclass AND grantee = 0",
    ),
}  # fmt: skip

OTHERWISE = (
    Attempt("42P01", "a closed schema is passed over", "SET search_path = scrubjay_p2 ;; SELECT * FROM note"),
    Attempt("0A000", "COPY does not write past policies", "COPY search_event FROM STDIN"),
    Attempt(
        "23503",
        "the key has the member in it: an event of bob's is as one that is not there",
        "INSERT INTO search_opened (event_id, path, at_ns) VALUES (7, 'p', 0)",
    ),
    Attempt("23514", "no such partition", "INSERT INTO meta (profile, name, value) VALUES (2, 'x', 'y')"),
    Attempt("23514", "a row stays in its partition", "UPDATE meta SET profile = 2"),
    Attempt("22023", "vectors have 3 numbers", "SELECT scrubjay.build_vector_index(1, 7, 4)"),
)

ATTEMPTS = (
    *(Attempt(DENIED, why, each) for why, tried in REFUSED.items() for each in tried),
    *(Attempt(NOTHING, why, each) for why, tried in FRUITLESS.items() for each in tried),
    *OTHERWISE,
)
