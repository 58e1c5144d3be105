"""What a member may try by SQL, and why it leads nowhere. Everything is tried as anna, who has a grant for profile 1.

`search_event`, `search_opened`, `hidden_note` and `failure` hold rows of bob's; profile 2 and
its rows are not hers at all.
"""

from typing import NamedTuple

NOTHING = "nothing"
"""The statement runs, and finds or changes no row."""


class Attempt(NamedTuple):
    """One way to get beyond a grant.

    statements: with " ;; " between them. outcome: what comes of the last one, a state or NOTHING.
    """

    name: str
    statements: str
    outcome: str
    why: str


DENIED = "42501"
_NOTE = (
    "(vault, path, path_key, file_key, stem_key, title, title_tokens, mtime_ns, size, digest, fingerprint, lang,"
    + (" aliases, tags, properties, redactions)")
)
_VALUES = "('v', 'p', '', '', '', '', 0, 0, 0, '', '', '', '', '', '', 0)"
_EVENT = "(member, id, at_ns, query, mode, results, took_ms) VALUES ('bob', 8, 0, 'q', '', 0, 0)"

_NO_SCHEMA = "no USAGE on the other profile's schema"
_NO_PARENT = "no privilege on the tables above the partitions"
_NOT_OWNER = "only who owns a table changes what it is"
_NO_CREATE = "no CREATE in any schema, nor in the database"
_NO_TEMP = "TEMP on the database was taken from PUBLIC"
_SUPERUSER = "for superusers and roles that were given it"
_NO_MEMBER = "a member is in no other role"
_OWN_ROWS = "the policy of this table wants the member's own name"
_SERVER_FILE = "files and programs of the server are for roles that were given them"

READING = (
    Attempt("by the partition's name", "SELECT * FROM scrubjay_p2.note", DENIED, _NO_SCHEMA),
    Attempt("by the parent", "SELECT * FROM scrubjay.note", DENIED, _NO_PARENT),
    Attempt("by the parent with a condition", "SELECT * FROM scrubjay.chunk WHERE profile = 2", DENIED, _NO_PARENT),
    Attempt(
        "with the other's number set",
        "SET scrubjay.profile = '2' ;; SELECT * FROM scrubjay_p2.note",
        DENIED,
        _NO_SCHEMA,
    ),
    Attempt(
        "the other's number, for oneself",
        "SET scrubjay.profile = '2' ;; SELECT * FROM note",
        NOTHING,
        "the policy names profile 1",
    ),
    Attempt(
        "a list of numbers",
        "SET scrubjay.profile = '1,2' ;; SELECT * FROM note",
        NOTHING,
        "the setting is compared whole",
    ),
    Attempt(
        "a number as SQL",
        "SET scrubjay.profile = '1 OR true' ;; SELECT * FROM note",
        NOTHING,
        "the setting is never SQL",
    ),
    Attempt(
        "an empty setting", "SET scrubjay.profile = '' ;; SELECT * FROM note", NOTHING, "no profile has that number"
    ),
    Attempt(
        "with a search path",
        "SET search_path = scrubjay_p2 ;; SELECT * FROM note",
        "42P01",
        "a closed schema is passed over",
    ),
    Attempt("by COPY", "COPY scrubjay_p2.note TO STDOUT", DENIED, _NO_SCHEMA),
    Attempt("by COPY of a query", "COPY (SELECT * FROM scrubjay.note) TO STDOUT", DENIED, _NO_PARENT),
    Attempt("by TABLE", "TABLE scrubjay_p2.chunk", DENIED, _NO_SCHEMA),
    Attempt(
        "inside a block", "DO $$ BEGIN PERFORM * FROM scrubjay_p2.note; END $$", DENIED, "a block runs as who starts it"
    ),
    Attempt(
        "as XML",
        "SELECT query_to_xml('SELECT * FROM scrubjay_p2.note', true, true, '')",
        DENIED,
        "it runs as the caller",
    ),
    Attempt(
        "the statistics of texts",
        "SELECT * FROM ts_stat('SELECT words FROM scrubjay_p2.chunk_words')",
        DENIED,
        _NO_SCHEMA,
    ),
    Attempt("by a prepared statement", "PREPARE theirs AS SELECT * FROM scrubjay_p2.note", DENIED, _NO_SCHEMA),
    Attempt("by a cursor", "BEGIN ;; DECLARE theirs CURSOR FOR SELECT * FROM scrubjay_p2.note", DENIED, _NO_SCHEMA),
    Attempt("the plan", "EXPLAIN SELECT * FROM scrubjay_p2.note", DENIED, "planning asks for privileges, too"),
    Attempt(
        "with the policies off",
        "SET row_security = off ;; SELECT * FROM search_event",
        DENIED,
        "it then fails, not shows",
    ),
    Attempt(
        "may I",
        "SET scrubjay.profile = '2' ;; SELECT WHERE scrubjay.may_use(2)",
        NOTHING,
        "it asks for the grant as well",
    ),
    Attempt(
        "the names of profiles",
        "SELECT name FROM scrubjay.team_profile WHERE id <> 1",
        NOTHING,
        "the policy of the table",
    ),
    Attempt("the grants of others", "SELECT * FROM scrubjay.team_grant WHERE member <> 'anna'", NOTHING, _OWN_ROWS),
    Attempt("the keys of others", "SELECT * FROM scrubjay.team_key WHERE member <> 'anna'", NOTHING, _OWN_ROWS),
    Attempt("the members", "SELECT * FROM scrubjay.team_member", DENIED, "the owner's alone"),
    Attempt("the verifiers of passwords", "SELECT rolpassword FROM pg_authid", DENIED, _SUPERUSER),
)

STATISTICS = (
    Attempt(
        "common values",
        "SELECT * FROM pg_stats WHERE schemaname ~ '^scrubjay' AND tablename <> 'team_version'",
        NOTHING,
        "hidden where policies hold",
    ),
    Attempt("common values, raw", "SELECT * FROM pg_statistic", DENIED, _SUPERUSER),
    Attempt("common values of many columns", "SELECT * FROM pg_statistic_ext_data", DENIED, _SUPERUSER),
    Attempt(
        "what others run",
        "SELECT query FROM pg_stat_activity WHERE query ~* 'MERG' AND usename <> 'anna'",
        NOTHING,
        "queries are hidden from other roles",
    ),
    Attempt("the server's log", "SELECT pg_current_logfile()", DENIED, _SUPERUSER),
    Attempt("another's large object", "SELECT lo_get(4711)", DENIED, "a large object is its owner's"),
    Attempt(
        "a sequence's last number",
        "SELECT 1 FROM pg_sequences WHERE schemaname = 'scrubjay_p2' AND last_value IS NOT NULL",
        NOTHING,
        "shown to who may use the sequence",
    ),
    Attempt("a sequence as a table", "SELECT last_value FROM scrubjay_p2.note_id", DENIED, _NO_SCHEMA),
    Attempt(
        "a sequence by its number",
        "SELECT nextval(pg_class.oid::regclass) FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid"
        " WHERE relname = 'note_id' AND nspname = 'scrubjay_p2'",
        DENIED,
        "no USAGE on the sequence, however it is named",
    ),
)

HISTORY = (
    Attempt("another's searches", "SELECT * FROM search_event WHERE member = 'bob'", NOTHING, _OWN_ROWS),
    Attempt("what another opened", "SELECT * FROM search_opened", NOTHING, _OWN_ROWS),
    Attempt(
        "another's files that could not be read",
        "SELECT set_config('scrubjay.machine', machine, FALSE) FROM note_lease ;; SELECT * FROM failure",
        NOTHING,
        _OWN_ROWS,
    ),
    Attempt(
        "a file that could not be read, in another's name",
        "INSERT INTO failure (member, vault, path, code, reason, mtime_ns, size) VALUES ('bob', '', '', '', '', 0, 0)",
        DENIED,
        "the policy holds for new rows, too",
    ),
    Attempt("by the row's place", "SELECT * FROM search_event WHERE ctid = '(0,1)'", NOTHING, _OWN_ROWS),
    Attempt("the highest", "SELECT 1 FROM search_event HAVING max(at_ns) IS NOT NULL", NOTHING, _OWN_ROWS),
    Attempt("by locking", "SELECT * FROM search_event FOR UPDATE", NOTHING, _OWN_ROWS),
    Attempt(
        "by an error's text", "SELECT * FROM search_event WHERE query::integer = 1", NOTHING, "the policy comes first"
    ),
    Attempt(
        "by whether there is an error",
        "SELECT * FROM search_event WHERE 1 / (CASE WHEN query ~ '^m' THEN 0 ELSE 1 END) = 1",
        NOTHING,
        "the policy comes first, since dividing is not leakproof",
    ),
    Attempt("by COPY", "COPY search_event TO STDOUT", NOTHING, "COPY obeys policies"),
    Attempt("writing by COPY", "COPY search_event FROM STDIN", "0A000", "COPY does not write past policies"),
    Attempt("changing it", "UPDATE search_event SET query = 'x'", NOTHING, _OWN_ROWS),
    Attempt("changing it by its place", "UPDATE search_event SET query = 'x' WHERE ctid = '(0,1)'", NOTHING, _OWN_ROWS),
    Attempt("deleting it", "DELETE FROM search_event RETURNING *", NOTHING, _OWN_ROWS),
    Attempt(
        "writing in another's name", f"INSERT INTO search_event {_EVENT}", DENIED, "the policy holds for new rows, too"
    ),
    Attempt(
        "giving a row away",
        "INSERT INTO search_event (at_ns, query, mode, results, took_ms) VALUES (0, 'q', '', 0, 0) ;;"
        " UPDATE search_event SET member = 'bob'",
        DENIED,
        "the policy holds for changed rows, too",
    ),
    Attempt(
        "by merging",
        "MERGE INTO search_event USING (SELECT 7 AS id) AS known ON search_event.id = known.id"
        " WHEN MATCHED THEN UPDATE SET query = 'x'",
        NOTHING,
        _OWN_ROWS,
    ),
    Attempt(
        "by a foreign key",
        "INSERT INTO search_opened (event_id, path, at_ns) VALUES (7, 'p', 0)",
        "23503",
        "the key has the member in it: an event of bob's is as one that is not there",
    ),
)

WRITING = (
    Attempt("by the partition's name", f"INSERT INTO scrubjay_p2.note {_NOTE} VALUES {_VALUES}", DENIED, _NO_SCHEMA),
    Attempt("by the parent", "INSERT INTO scrubjay.meta VALUES (2, 'x', 'y')", DENIED, _NO_PARENT),
    Attempt(
        "by the number in a row",
        "INSERT INTO meta (profile, name, value) VALUES (2, 'x', 'y')",
        "23514",
        "no such partition",
    ),
    Attempt("by moving rows over", "UPDATE meta SET profile = 2", "23514", "a row stays in its partition"),
    Attempt("deleting by the parent", "DELETE FROM scrubjay.note WHERE profile = 2", DENIED, _NO_PARENT),
    Attempt(
        "emptying a table", "TRUNCATE search_event", DENIED, "members may not empty, since policies can't hold for it"
    ),
    Attempt("setting a sequence", "SELECT setval('note_id', 1)", DENIED, "members take from sequences"),
    Attempt("locking the other's table", "BEGIN ;; LOCK TABLE scrubjay_p2.note", DENIED, _NO_SCHEMA),
    Attempt("locking the version", "BEGIN ;; LOCK TABLE scrubjay.team_version", DENIED, "members read it"),
    Attempt("the version", "UPDATE scrubjay.team_version SET version = 99", DENIED, "members read it"),
    Attempt("without triggers", "SET session_replication_role = replica", DENIED, _SUPERUSER),
    Attempt(
        "an index on the other's vectors", "SELECT scrubjay.build_vector_index(2, 7, 3)", DENIED, "it asks may_use"
    ),
    Attempt(
        "an index with the other's number set",
        "SET scrubjay.profile = '2' ;; SELECT scrubjay.build_vector_index(2, 7, 3)",
        DENIED,
        "it asks may_use",
    ),
    Attempt(
        "an index that stops all writing",
        "SELECT scrubjay.build_vector_index(1, 7, 4)",
        "22023",
        "vectors have 3 numbers",
    ),
    Attempt("a large object from a file", "SELECT lo_import('/etc/passwd')", DENIED, _SERVER_FILE),
)

WIDENING = (
    Attempt("a grant for oneself", "INSERT INTO scrubjay.team_grant VALUES (2, 'anna')", DENIED, "members read it"),
    Attempt("a grant changed", "UPDATE scrubjay.team_grant SET profile = 2", DENIED, "members read it"),
    Attempt("a grant that others lose", "DELETE FROM scrubjay.team_grant", DENIED, "members read it"),
    Attempt("a key replaced", "UPDATE scrubjay.team_key SET wrapped = ''", DENIED, "members read it"),
    Attempt("GRANT on a table", "GRANT SELECT ON scrubjay_p2.note TO anna", DENIED, _NO_SCHEMA),
    Attempt("GRANT on a schema", "GRANT USAGE ON SCHEMA scrubjay_p2 TO anna", DENIED, "no grant option"),
    Attempt(
        "passing one's grant on",
        "GRANT SELECT ON note TO PUBLIC ;;"
        " SELECT 1 FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = 'note'::regclass AND grantee = 0",
        NOTHING,
        "no grant option: PostgreSQL warns, and changes nothing",
    ),
    Attempt("the owner's role", "SET ROLE olga", DENIED, _NO_MEMBER),
    Attempt("another member's role", "SET ROLE bob", DENIED, _NO_MEMBER),
    Attempt("the role that reads all", "SET ROLE pg_read_all_data", DENIED, _NO_MEMBER),
    Attempt("another session user", "SET SESSION AUTHORIZATION bob", DENIED, _SUPERUSER),
    Attempt("into the owner's role", "GRANT olga TO anna", DENIED, "no ADMIN option"),
    Attempt("into another's role", "GRANT bob TO anna", DENIED, "no ADMIN option"),
    Attempt("bypassing policies", "ALTER ROLE anna BYPASSRLS", DENIED, _SUPERUSER),
    Attempt("a superuser", "ALTER ROLE anna SUPERUSER", DENIED, _SUPERUSER),
    Attempt("another's password", "ALTER ROLE bob PASSWORD NULL", DENIED, "no ADMIN option"),
    Attempt("a new role", "CREATE ROLE dora SUPERUSER", DENIED, "no CREATEROLE"),
    Attempt("policies off", "ALTER TABLE search_event DISABLE ROW LEVEL SECURITY", DENIED, _NOT_OWNER),
    Attempt("policies not forced", "ALTER TABLE search_event NO FORCE ROW LEVEL SECURITY", DENIED, _NOT_OWNER),
    Attempt("a policy dropped", "DROP POLICY of_member ON search_event", DENIED, _NOT_OWNER),
    Attempt("a policy more", "CREATE POLICY all_of_it ON search_event USING (true)", DENIED, _NOT_OWNER),
    Attempt("a policy changed", "ALTER POLICY of_member ON search_event USING (true)", DENIED, _NOT_OWNER),
    Attempt(
        "may_use replaced",
        "CREATE OR REPLACE FUNCTION scrubjay.may_use(profile integer) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        DENIED,
        _NO_CREATE,
    ),
    Attempt("another owner", "REASSIGN OWNED BY olga TO anna", DENIED, _NO_MEMBER),
    Attempt("a table's owner", "ALTER TABLE note OWNER TO anna", DENIED, _NOT_OWNER),
    Attempt(
        "rights on what will be",
        "ALTER DEFAULT PRIVILEGES FOR ROLE olga GRANT ALL ON TABLES TO anna",
        DENIED,
        _NO_MEMBER,
    ),
    Attempt("a partition taken out", "ALTER TABLE scrubjay.note DETACH PARTITION scrubjay_p1.note", DENIED, _NOT_OWNER),
    Attempt("a table dropped", "DROP TABLE scrubjay_p1.note CASCADE", DENIED, _NOT_OWNER),
    Attempt("an index dropped", "DROP INDEX note_stem", DENIED, _NOT_OWNER),
)

MAKING = (
    Attempt("a view", "CREATE VIEW public.theirs AS SELECT 1", DENIED, _NO_CREATE),
    Attempt("a view in one's profile", "CREATE VIEW scrubjay_p1.theirs AS SELECT 1", DENIED, _NO_CREATE),
    Attempt("a table in the team's schema", "CREATE TABLE scrubjay.mine (id integer)", DENIED, _NO_CREATE),
    Attempt(
        "a partition of one's own",
        "CREATE TABLE scrubjay_p1.mine PARTITION OF scrubjay.note FOR VALUES IN (3)",
        DENIED,
        _NO_CREATE,
    ),
    Attempt("a temporary table", "CREATE TEMP TABLE note (id integer)", DENIED, _NO_TEMP),
    Attempt(
        "a temporary view",
        "CREATE TEMP VIEW team_grant AS SELECT 2 AS profile, session_user AS member",
        DENIED,
        _NO_TEMP,
    ),
    Attempt("a temporary copy", "SELECT * INTO TEMP mine FROM note", DENIED, _NO_TEMP),
    Attempt(
        "a temporary function",
        "CREATE FUNCTION pg_temp.spy() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        DENIED,
        _NO_TEMP,
    ),
    Attempt("a function", "CREATE FUNCTION spy() RETURNS integer LANGUAGE sql AS 'SELECT 1'", DENIED, _NO_CREATE),
    Attempt(
        "a trigger",
        "CREATE TRIGGER spy AFTER INSERT ON note EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        DENIED,
        "no TRIGGER on any table",
    ),
    Attempt(
        "an operator",
        "CREATE OPERATOR scrubjay_p1.= (LEFTARG = text, RIGHTARG = text, FUNCTION = textne)",
        DENIED,
        _NO_CREATE,
    ),
    Attempt(
        "a foreign key",
        "ALTER TABLE meta ADD FOREIGN KEY (name) REFERENCES scrubjay_p2.meta (name)",
        DENIED,
        _NO_SCHEMA,
    ),
    Attempt("a rule", "CREATE RULE spy AS ON INSERT TO note DO ALSO NOTHING", DENIED, _NOT_OWNER),
    Attempt("an index", "CREATE INDEX mine ON note (title)", DENIED, _NOT_OWNER),
    Attempt("statistics", "CREATE STATISTICS scrubjay_p1.mine ON vault, path FROM note", DENIED, _NO_CREATE),
    Attempt("a schema", "CREATE SCHEMA mine", DENIED, _NO_CREATE),
    Attempt("a database", "CREATE DATABASE mine", DENIED, "no CREATEDB"),
    Attempt("an extension", "DROP EXTENSION vector CASCADE", DENIED, _NOT_OWNER),
    Attempt("a foreign server", "CREATE FOREIGN DATA WRAPPER spy", DENIED, _SUPERUSER),
    Attempt(
        "an event trigger", "CREATE EVENT TRIGGER spy ON ddl_command_end EXECUTE FUNCTION spy()", DENIED, _SUPERUSER
    ),
    Attempt("a publication", "CREATE PUBLICATION theirs FOR TABLE scrubjay_p1.note", DENIED, _NO_CREATE),
    Attempt(
        "a replication slot", "SELECT pg_create_logical_replication_slot('spy', 'pgoutput')", DENIED, "no REPLICATION"
    ),
)

SERVER = (
    Attempt("a program's output", "COPY meta FROM PROGRAM 'id'", DENIED, _SERVER_FILE),
    Attempt("a program's input", "COPY meta TO PROGRAM 'cat'", DENIED, _SERVER_FILE),
    Attempt("a file read", "COPY meta FROM '/etc/passwd'", DENIED, _SERVER_FILE),
    Attempt("a file written", "COPY meta TO '/tmp/meta'", DENIED, _SERVER_FILE),
    Attempt("pg_read_file", "SELECT pg_read_file('/etc/passwd')", DENIED, _SERVER_FILE),
    Attempt("pg_read_binary_file", "SELECT pg_read_binary_file('global/pg_filenode.map')", DENIED, _SERVER_FILE),
    Attempt("pg_ls_dir", "SELECT pg_ls_dir('base')", DENIED, _SERVER_FILE),
    Attempt("a large object into a file", "SELECT lo_export(4711, '/tmp/theirs')", DENIED, _SERVER_FILE),
    Attempt("who may come in", "SELECT * FROM pg_hba_file_rules", DENIED, _SUPERUSER),
    Attempt("the server's settings", "ALTER SYSTEM SET log_statement = 'all'", DENIED, _SUPERUSER),
    Attempt("the log", "SET log_statement = 'all'", DENIED, _SUPERUSER),
    Attempt("the database's settings", "ALTER DATABASE {database} SET row_security = off", DENIED, _NOT_OWNER),
    Attempt("others' settings", "ALTER ROLE bob SET search_path = public", DENIED, "no ADMIN option"),
    Attempt(
        "another's session",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bob'",
        DENIED,
        _NO_MEMBER,
    ),
    Attempt("a library", "LOAD 'auto_explain'", DENIED, _SUPERUSER),
)

ATTEMPTS = {
    "reading": READING,
    "statistics": STATISTICS,
    "history": HISTORY,
    "writing": WRITING,
    "widening": WIDENING,
    "making": MAKING,
    "server": SERVER,
}
