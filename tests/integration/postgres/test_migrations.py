"""A team's database is made and brought up to date by its owner, whole or not at all."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from secrets import token_hex

import psycopg
import pytest
from psycopg import sql

from scrubjay.profiles.errors import InvalidProfile, ProfileExists, StoreBusy, StoreDenied, StoreError, StoreTooNew
from scrubjay.profiles.team import team_schema
from scrubjay.profiles.team.server import connect
from scrubjay.profiles.team.team_schema import (
    OLDEST_SERVER,
    Version,
    create_profile,
    prepare,
    profiles,
    refuse_vector,
    require_current,
    version_of,
    versions,
)
from tests.helpers.team_server import OWNER, TeamDatabase, TeamServer, empty_database, running_server

NEXT = Version(
    team="ALTER TABLE note ADD extra text;"
    " CREATE TABLE added (profile integer NOT NULL, id bigint) PARTITION BY LIST (profile);",
    profile="CREATE TABLE added PARTITION OF scrubjay.added FOR VALUES IN ({profile}); UPDATE meta SET value = 'moved';"
    " CREATE INDEX note_extra ON note (extra); INSERT INTO added VALUES ({profile}, 7);",
)
# What PostgreSQL has in its catalogue of a database, as one number.
STATE = """
SELECT md5(string_agg(line, E'\\n' ORDER BY line)) FROM (
    SELECT format('%s %s %s %s %s %s', oid, relname, relkind, relacl, relrowsecurity, relforcerowsecurity) FROM pg_class
        WHERE relnamespace::regnamespace::text !~ '^pg_'
    UNION ALL SELECT format('%s %s %s', oid, nspname, nspacl) FROM pg_namespace WHERE nspname ~ '^scrubjay'
    UNION ALL SELECT format('%s %s', attrelid, attname) FROM pg_attribute WHERE attrelid > 16383
    UNION ALL SELECT format('%s %s', oid, polname) FROM pg_policy
    UNION ALL SELECT format('%s %s', oid, proname) FROM pg_proc WHERE oid > 16383
) AS lines (line)
"""


@contextmanager
def bare_database(server: TeamServer) -> Generator[TeamDatabase]:
    """A database as the operator hands it over."""
    name = f"bare_{token_hex(4)}"
    empty_database(server, name)
    try:
        yield TeamDatabase(server, name)
    finally:
        with server.as_operator() as operator:
            operator.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_a_prepared_database_is_current_and_preparing_again_changes_nothing(database: TeamDatabase) -> None:
    with database.as_owner(1) as owner, database.as_operator() as operator:
        assert version_of(owner) == len(versions())
        require_current(owner)
        assert owner.execute("SELECT value FROM meta WHERE name = 'generation'").fetchall() == [("0",)]
        before = operator.execute(STATE).fetchall()
        prepare(owner)
        assert operator.execute(STATE).fetchall() == before


def test_the_next_version_reaches_every_profile_and_its_members(database: TeamDatabase) -> None:
    with database.as_owner() as owner:
        second = create_profile(owner, "second")
        # The owner may use neither: a migration has to see rows that the owner does not.
        owner.execute("DELETE FROM scrubjay.team_grant WHERE member = %s", (OWNER,))
        prepare(owner, [*versions(), NEXT])
        assert version_of(owner) == len(versions()) + 1
    with database.as_operator() as operator:
        for profile in (1, second):
            moved = operator.execute(f"SELECT DISTINCT value FROM scrubjay_p{profile}.meta".encode()).fetchall()
            assert moved == [("moved",)]
        bare = operator.execute(
            "SELECT relname FROM pg_class WHERE relnamespace::regnamespace::text ~ '^scrubjay'"
            " AND relkind IN ('r', 'p') AND relname !~ '^team_' AND NOT (relrowsecurity AND relforcerowsecurity)"
        )
        assert bare.fetchall() == []
    with database.as_member("anna") as anna:
        assert anna.execute("SELECT id FROM added").fetchall() == [(7,)]
        anna.execute("SET scrubjay.profile = ''")
        assert anna.execute("SELECT id FROM added").fetchall() == []


def end_at_any_statement(
    database: TeamDatabase,
    how: str,
    statements: range,
    known: Sequence[Version],
    holds: Callable[[], object],
) -> None:
    """Have `prepare` fail at each of the statements, until it gets through: the database is as before, and `holds`."""
    with database.as_operator() as operator:
        _fail_at(operator, how)
        for count, statement in enumerate(statements):  # noqa: B007
            before = operator.execute(STATE).fetchall()
            operator.execute("SELECT setval('fault.countdown', %s)", (statement,))
            try:
                with database.as_owner() as owner:
                    prepare(owner, known)
                break
            except psycopg.Error:
                assert operator.execute(STATE).fetchall() == before
                holds()
        else:
            pytest.fail("it never got through")
        operator.execute("SELECT setval('fault.countdown', 1000000)")
    with database.as_owner() as owner:
        assert version_of(owner) == len(known)
    assert count > 1


@pytest.mark.parametrize("how", ["error", "kill"])
@pytest.mark.parametrize("statements", [range(5, 1000, 37), pytest.param(range(1, 1000), marks=pytest.mark.slow)])
def test_a_migration_that_ends_at_any_statement_leaves_the_version_before(
    team_server: TeamServer, how: str, statements: range
) -> None:
    with bare_database(team_server) as bare:
        end_at_any_statement(bare, how, statements, versions(), lambda: None)


@pytest.mark.parametrize("how", ["error", "kill"])
@pytest.mark.parametrize("statements", [range(7, 2000, 61), pytest.param(range(1, 2000), marks=pytest.mark.slow)])
def test_an_upgrade_that_ends_at_any_statement_leaves_the_version_before(
    database: TeamDatabase, how: str, statements: range
) -> None:
    def works() -> None:
        with database.as_member("anna") as anna:
            require_current(anna)
            assert anna.execute("SELECT value FROM meta WHERE name = 'generation'").fetchall() == [("0",)]

    end_at_any_statement(database, how, statements, [*versions(), NEXT], works)


def _fail_at(operator: psycopg.Connection[tuple[object, ...]], how: str) -> None:
    """Have a statement that changes the schema fail, or end the session: when the sequence has counted down to it."""
    end = "PERFORM pg_terminate_backend(pg_backend_pid())" if how == "kill" else "RAISE EXCEPTION 'a fault'"
    operator.execute(
        f"""
        CREATE SCHEMA fault;
        CREATE SEQUENCE fault.countdown INCREMENT -1 START 1000000 MAXVALUE 1000000 MINVALUE -1000000;
        CREATE FUNCTION fault.fail() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
            IF nextval('fault.countdown') = 0 THEN {end}; END IF;
        END $$;
        CREATE EVENT TRIGGER fault ON ddl_command_end EXECUTE FUNCTION fault.fail();
        """.encode()
    )


def test_of_two_that_prepare_at_once_one_waits_and_finds_it_done(team_server: TeamServer) -> None:
    def work(database: TeamDatabase) -> int:
        with database.as_owner() as owner:
            prepare(owner)
            return version_of(owner)

    with bare_database(team_server) as bare, ThreadPoolExecutor(4) as people:
        assert list(people.map(work, [bare] * 4)) == [len(versions())] * 4


def test_a_member_who_holds_the_lock_is_not_waited_for_forever(shared: TeamDatabase) -> None:
    with shared.as_member("ada") as ada, shared.as_owner() as owner:
        ada.execute("SELECT pg_advisory_lock(%s)", (team_schema.LOCK,))
        with pytest.raises(StoreBusy, match="ada"):
            prepare(owner, patience=0.2)


def test_a_member_prepares_nothing_and_is_told_to_ask_the_owner_for_an_upgrade(shared: TeamDatabase) -> None:
    with shared.as_member("ada") as ada:
        with pytest.raises(StoreDenied):
            prepare(ada, [*versions(), NEXT])
        with pytest.raises(StoreError, match="scrubjay team upgrade"):
            require_current(ada, [*versions(), NEXT])


def test_a_database_of_a_later_version_is_left_alone(database: TeamDatabase) -> None:
    with database.as_owner() as owner, database.as_operator() as operator, database.as_member("anna") as anna:
        owner.execute("UPDATE scrubjay.team_version SET version = 99")
        before = operator.execute(STATE).fetchall()
        with pytest.raises(StoreTooNew, match="99"):
            prepare(owner)
        assert operator.execute(STATE).fetchall() == before
        with pytest.raises(StoreTooNew, match="99"):
            require_current(anna)


def test_a_role_that_does_not_own_the_database_is_told_what_to_ask_for(team_server: TeamServer) -> None:
    with bare_database(team_server) as database:
        with database.as_owner() as owner, pytest.raises(StoreError, match="no team's database"):
            require_current(owner)
        with database.as_operator() as operator:
            operator.execute(f"ALTER DATABASE {database.name} OWNER TO postgres".encode())
            operator.execute(f"GRANT ALL ON DATABASE {database.name} TO {OWNER}".encode())
        with database.as_owner() as owner:
            with pytest.raises(StoreDenied, match="OWNER TO olga"):
                prepare(owner)
            assert version_of(owner) == 0


def test_who_may_not_add_the_extension_is_told_what_to_ask_for_and_a_superuser_does_all(
    team_server: TeamServer,
) -> None:
    with bare_database(team_server) as database:
        for allowed, asked in (
            ("DROP EXTENSION vector", "CREATE EXTENSION vector"),
            ("CREATE SCHEMA types; CREATE EXTENSION vector SCHEMA types", "GRANT USAGE ON SCHEMA types TO olga"),
        ):
            with database.as_operator() as operator, database.as_owner() as owner:
                operator.execute(allowed.encode())
                with pytest.raises(StoreDenied, match=asked):
                    prepare(owner)
        with database.as_operator() as operator, database.as_owner() as owner:
            operator.execute("GRANT USAGE ON SCHEMA types TO olga WITH GRANT OPTION")
            prepare(owner)
            create_profile(owner, "team")
        database.add_member("anna", 1)
        with database.as_member("anna") as anna:
            assert anna.execute("SELECT '[1,2]'::halfvec::text").fetchall() == [("[1,2]",)]
    with bare_database(team_server) as database:
        with database.as_operator() as operator:
            operator.execute("DROP EXTENSION vector")
            operator.execute(f"ALTER DATABASE {database.name} OWNER TO postgres".encode())
        with connect(team_server.address("postgres", database.name), None, timeout=30) as superuser:
            prepare(superuser)
            assert create_profile(superuser, "team") == 1


def test_pgvector_has_to_be_new_enough() -> None:
    for there, offered in (("0.8.2", "0.8.2"), (None, "0.8.5"), ("0.10.0", None), ("1.0", "1.0")):
        refuse_vector(there, offered)
    for there, offered in (("0.8.1", "0.8.5"), (None, "0.6.2"), (None, None)):
        with pytest.raises(StoreError, match="operator"):
            refuse_vector(there, offered)


def test_a_profile_needs_a_name_of_its_own(shared: TeamDatabase) -> None:
    with shared.as_owner() as owner:
        for name in ("team", "", " ", "a\nb"):
            with pytest.raises(ProfileExists if name == "team" else InvalidProfile):
                create_profile(owner, name)
        assert profiles(owner) == [(1, "team")]


def test_an_upgrade_closes_what_a_restored_database_has_open(database: TeamDatabase) -> None:
    # As PostgreSQL makes a database, since who may come in is not part of a backup.
    with database.as_operator() as operator:
        operator.execute(f"GRANT CONNECT, TEMP ON DATABASE {database.name} TO PUBLIC".encode())
        given = "SELECT CAST(grantee::regrole AS text) FROM pg_database, aclexplode(datacl) WHERE datname = %s"
        others = f"{given} AND grantee NOT IN (0, datdba)".encode()  # the group that anna is in
        for (role,) in operator.execute(others, (database.name,)).fetchall():
            operator.execute(f"REVOKE ALL ON DATABASE {database.name} FROM {role}".encode())
        operator.execute("CREATE ROLE stranger LOGIN PASSWORD 'ssssssssssss'")
    database.server.passwords["stranger"] = "s" * 12
    with database.as_member("stranger") as stranger:
        stranger.execute("CREATE TEMP TABLE mine (id integer)")
    with database.as_owner() as owner:
        prepare(owner)
    with pytest.raises(StoreDenied):
        database.as_member("stranger")
    database.as_member("anna").close()


def test_the_oldest_server_that_is_promised_will_do() -> None:
    with running_server(16) as server, bare_database(server) as database:
        with database.as_owner() as owner:
            assert owner.info.server_version // 10_000 == OLDEST_SERVER
            prepare(owner)
            create_profile(owner, "team")
        database.add_member("anna", 1)
        with database.as_member("anna") as anna:
            assert anna.execute("SELECT value FROM meta WHERE name = 'generation'").fetchall() == [("0",)]
            anna.execute("SET scrubjay.profile = '2'")
            assert anna.execute("SELECT * FROM meta").fetchall() == []
