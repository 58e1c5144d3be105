"""A team is owned by a role without login, of which persons are members: they come, hand over and leave."""

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from scrubjay.profiles.errors import StoreDenied
from scrubjay.profiles.store import reads
from scrubjay.profiles.team.administration import connected
from scrubjay.profiles.team.members import grant, members, revoke, set_password
from scrubjay.profiles.team.server import ServerConnection, connect, translated
from scrubjay.profiles.team.team_schema import create_profile, prepare
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.team_server import OWNER, TeamDatabase, TeamServer, drop_groups
from tests.integration.docs.examples import examples_of
from tests.integration.packaging.scripts import ROOT

TEAM = "notes_team"
PERSONS = ("dora", "carl")


@pytest.fixture
def database(team_server: TeamServer) -> Generator[TeamDatabase]:
    """As docs/team-operating.md has the operator make it: a role's that nobody logs in as, with two persons in it."""
    made = TeamDatabase(team_server, "owned")
    with team_server.as_operator() as operator:
        operator.execute(f"CREATE ROLE {TEAM} CREATEROLE".encode())
        for name in PERSONS:
            team_server.passwords[name] = name * 4
            operator.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{name * 4}' IN ROLE {TEAM}".encode())
        operator.execute(f"CREATE DATABASE {made.name} OWNER {TEAM}".encode())
    with made.as_operator() as operator:
        operator.execute("CREATE EXTENSION vector")
    try:
        with person(made, "dora") as dora:
            prepare(dora)
            assert create_profile(dora, "team") == made.profile
        yield made
    finally:
        with team_server.as_operator() as operator:
            operator.execute(f"DROP DATABASE {made.name} WITH (FORCE)".encode())
            drop_groups(operator)
            for name in (*PERSONS, "anna", "ben", TEAM):
                operator.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(name)))


def person(database: TeamDatabase, name: str) -> ServerConnection:
    return connect(database.server.address(name, database.name), database.server.passwords[name], timeout=30)


def let_in(database: TeamDatabase, by: str, name: str) -> None:
    database.server.passwords[name] = name * 4
    with person(database, by) as owner:
        grant(owner, database.profile, name, name * 4)


def test_all_belongs_to_the_team_whoever_made_it(database: TeamDatabase) -> None:
    let_in(database, "dora", "anna")
    with person(database, "carl") as carl:
        create_profile(carl, "second")
    with database.as_operator() as operator:
        owners = (
            "SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relnamespace::regnamespace::text ~ 'scrubjay'"
        )
        assert operator.execute(owners).fetchall() == [(TEAM,)]
        administrators = "SELECT DISTINCT member::regrole::text FROM pg_auth_members WHERE roleid = 'anna'::regrole"
        assert operator.execute(administrators).fetchall() == [(TEAM,)]


def test_each_owner_can_do_what_the_other_began(database: TeamDatabase, tmp_path: Path) -> None:
    let_in(database, "dora", "anna")
    with person(database, "carl") as carl:
        assert not grant(carl, database.profile, "carl", None)
        set_password(carl, "anna", "b" * 12)
        assert [each.name for each in members(carl)] == ["anna", "carl", "dora"]
        prepare(carl)
    database.server.passwords["anna"] = "b" * 12
    for name in ("anna", "carl"):
        address = database.server.address(name, database.name)
        store = TeamStore.open(tmp_path / name, address, database.server.passwords[name], database.profile)
        store.set_meta(name, "was here")
        assert store.read(reads.meta, name) == "was here"
        store.close()
    with person(database, "carl") as carl:
        assert revoke(carl, database.profile, "anna")
    with pytest.raises(StoreDenied):
        database.as_member("anna")


def test_an_owner_who_leaves_has_nothing_left(database: TeamDatabase) -> None:
    let_in(database, "dora", "anna")
    with database.as_operator() as operator:
        operator.execute(f"REVOKE {TEAM} FROM dora".encode())
    address = database.server.address("dora", database.name)
    with person(database, "carl") as carl:
        revoke(carl, database.profile, "dora")
    with database.as_operator() as operator:
        operator.execute("ALTER ROLE dora LOGIN")  # while the operator has not dropped the role
        operator.execute(f"GRANT CONNECT ON DATABASE {database.name} TO dora".encode())
    with person(database, "dora") as dora:
        for attempt in ("ALTER ROLE anna PASSWORD 'x'", f"GRANT {TEAM} TO dora", "SET ROLE anna"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                dora.execute(attempt.encode())
        with pytest.raises(StoreDenied), translated(address):
            grant(dora, database.profile, "ben", "b" * 12)
        assert dora.execute("SELECT has_schema_privilege('scrubjay_p1', 'USAGE')").fetchall() == [(False,)]
    with database.as_operator() as operator:
        operator.execute(f"REVOKE CONNECT ON DATABASE {database.name} FROM dora".encode())


def test_a_member_becomes_an_owner(database: TeamDatabase) -> None:
    let_in(database, "dora", "anna")
    with database.as_operator() as operator:
        operator.execute(f"REVOKE anna FROM {TEAM} GRANTED BY {TEAM}".encode())
        operator.execute(f"REVOKE anna FROM {TEAM}".encode())
        operator.execute(f"GRANT {TEAM} TO anna".encode())
    let_in(database, "anna", "ben")
    with person(database, "carl") as carl:
        revoke(carl, database.profile, "ben")


def test_what_a_member_owned_goes_with_the_role(database: TeamDatabase) -> None:
    let_in(database, "dora", "anna")
    with database.as_member("anna") as anna:
        anna.execute("SELECT lo_create(0), lo_create(0)")
    with person(database, "dora") as dora:
        assert revoke(dora, database.profile, "anna")
    with database.as_operator() as operator:
        assert operator.execute("SELECT FROM pg_roles WHERE rolname = 'anna'").rowcount == 0
        assert operator.execute("SELECT FROM pg_largeobject_metadata").rowcount == 0


def test_a_role_that_stays_is_told(database: TeamDatabase) -> None:
    let_in(database, "dora", "anna")
    with database.server.as_operator() as operator, person(database, "dora") as dora:
        operator.execute("GRANT CONNECT ON DATABASE postgres TO anna")
        assert not revoke(dora, database.profile, "anna")
        operator.execute("REVOKE CONNECT ON DATABASE postgres FROM anna")


def test_an_owner_lists_members_as_a_member_of_the_profile(database: TeamDatabase) -> None:
    address = database.server.address("dora", database.name)
    with connected(address, database.server.passwords["dora"], profile=1, seconds=15) as dora:
        assert [each.name for each in members(dora)] == ["dora"]


def test_a_team_with_one_owner_gets_owners_by_the_page(
    team_server: TeamServer, team_database: TeamDatabase, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "team-operating.md").read_text(encoding="utf-8")
    (script,) = (
        each.text
        for each in examples_of("docs/team-operating.md", page)
        if each.text.startswith("CREATE ROLE notes_team")
    )
    for name in ("anna", "ben"):
        team_database.add_member(name, team_database.profile)
    (tmp_path / "script.sql").write_text(script)
    environment = os.environ | {
        "PGHOST": team_database.owner.host,
        "PGUSER": "postgres",
        "PGDATABASE": team_database.name,
    }
    try:
        subprocess.run(
            [f"{team_server.handle.bin_path}/psql", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--file=script.sql"],
            env=environment,
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )
        with team_database.as_owner() as olga:
            prepare(olga)
            assert revoke(olga, team_database.profile, "ben")
        team_server.passwords["carl"] = "carl" * 4
        with team_database.as_operator() as operator:
            operator.execute(
                f"CREATE ROLE carl LOGIN PASSWORD '{'carl' * 4}' IN ROLE {TEAM}; REVOKE {TEAM} FROM olga".encode()
            )
        with person(team_database, "carl") as carl:
            revoke(carl, team_database.profile, OWNER)
            assert revoke(carl, team_database.profile, "anna")
            grant(carl, team_database.profile, "anna", "a" * 12)
    finally:
        with team_database.as_operator() as operator:
            operator.execute(
                f"ALTER DATABASE {team_database.name} OWNER TO olga; DROP OWNED BY {TEAM} CASCADE".encode()
            )
        team_server.make_owner()
        with team_server.as_operator() as operator:
            operator.execute("ALTER ROLE olga CREATEROLE")
