"""Grants are given and taken away; a session that is open has nothing left of what was taken."""

from functools import partial
from unittest.mock import patch

import psycopg
import pytest

from scrubjay.profiles.errors import InvalidProfile, ProfileNotFound, StoreBusy, StoreDenied
from scrubjay.profiles.team import members as members_module
from scrubjay.profiles.team.members import LONGEST_NAME, grant, members, put_key, revoke, set_password, wrapped_key
from scrubjay.profiles.team.server import ServerConnection, translated
from scrubjay.profiles.team.team_schema import LOCK, alone, create_profile, drop_profile, prepare, profiles
from tests.helpers.team_server import OWNER, TeamDatabase, fresh_database

TALE = "SELECT value FROM meta WHERE name = 'generation'"


def listed(owner: ServerConnection) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.name, each.profiles) for each in members(owner)]


def test_members_are_listed_with_their_profiles(team_database: TeamDatabase) -> None:
    with team_database.as_owner() as owner:
        second = create_profile(owner, "second")
        assert listed(owner) == [(OWNER, (1, second))]
        assert grant(owner, 1, "bob", "b" * 12)
        assert grant(owner, 1, "anna", "a" * 12)
        assert not grant(owner, second, "anna", None)
        assert not grant(owner, second, "anna", "another")
        assert listed(owner) == [("anna", (1, second)), ("bob", (1,)), (OWNER, (1, second))]
        assert profiles(owner) == [(1, "team"), (second, "second")]
    team_database.server.passwords["anna"] = "a" * 12  # the one that came first holds
    with team_database.as_member("anna", second) as anna:
        assert anna.execute(TALE).fetchall() == [("0",)]
        assert profiles(anna) == [(second, "second")]


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("", "x"),
        ("pg_monitor", "x"),
        ("public", "x"),
        ("none", "x"),
        ("a\nb", "x"),
        ("ä" * (LONGEST_NAME // 2 + 1), "x"),
        ("postgres", None),
        ("bypasser", None),
        ("replicator", None),
        ("deputy", None),
        ("nobody", None),
        ("nobody", ""),
    ],
)
def test_who_can_be_no_member_is_refused(team_database: TeamDatabase, name: str, password: str | None) -> None:
    with team_database.as_operator() as operator:
        operator.execute(
            "CREATE ROLE bypasser BYPASSRLS; CREATE ROLE replicator REPLICATION; CREATE ROLE deputy IN ROLE olga"
        )
    with team_database.as_owner() as owner:
        with pytest.raises(InvalidProfile):
            grant(owner, 1, name, password)
        assert listed(owner) == [(OWNER, (1,))]


@pytest.mark.parametrize("name", ["Anna Ü.", 'a"; DROP TABLE note; --', "select", "a'b", "%s", "x" * LONGEST_NAME])
def test_any_other_name_can_be_one(team_database: TeamDatabase, name: str) -> None:
    team_database.add_member(name, 1)
    with team_database.as_member(name) as member:
        assert member.execute(TALE).fetchall() == [("0",)]
    with team_database.as_owner() as owner:
        revoke(owner, 1, name)
        assert listed(owner) == [(OWNER, (1,))]


def test_a_grant_for_a_profile_that_is_not_there_makes_no_role(team_database: TeamDatabase) -> None:
    with team_database.as_owner() as owner:
        with pytest.raises(ProfileNotFound):
            grant(owner, 7, "anna", "a" * 12)
        assert owner.execute("SELECT FROM pg_roles WHERE rolname = 'anna'").rowcount == 0


def test_no_password_reaches_the_server(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_member("anna"):
        log = team_database.server.log
    assert "CREATE ROLE" in log  # every statement is in it
    assert team_database.server.passwords["anna"] not in log


def test_revoking_ends_sessions_and_takes_all(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_owner() as owner:
        anna = team_database.as_member("anna")
        assert anna.execute(TALE).fetchall() == [("0",)]
        revoke(owner, 1, "anna")
        with pytest.raises(psycopg.OperationalError):
            anna.execute(TALE)
        anna.close()
        assert owner.execute("SELECT FROM pg_roles WHERE rolname = 'anna'").rowcount == 0
        with pytest.raises(ProfileNotFound):
            revoke(owner, 1, "anna")
    with pytest.raises(StoreDenied):
        team_database.as_member("anna")


def test_who_holds_the_lock_of_the_schema_is_revoked_all_the_same(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_owner() as owner:
        anna = team_database.as_member("anna")
        anna.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        revoke(owner, 1, "anna")
        with pytest.raises(psycopg.OperationalError):
            anna.execute(TALE)
        anna.close()


def test_a_profile_is_gone_for_a_member_though_somebody_else_keeps_the_owner_from_tidying(
    team_database: TeamDatabase,
) -> None:
    for name in ("anna", "ben"):
        team_database.add_member(name, 1)
    with (
        patch.object(members_module, "alone", partial(alone, patience=0.2)),
        team_database.as_owner() as owner,
        team_database.as_member("ben") as ben,
    ):
        ben.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        with pytest.raises(StoreBusy, match="ben"):
            revoke(owner, 1, "anna")
        with team_database.as_member("anna") as anna:
            assert anna.execute(TALE).fetchall() == []
        ben.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        revoke(owner, 1, "anna")
        assert owner.execute("SELECT FROM pg_roles WHERE rolname = 'anna'").rowcount == 0


def test_another_password_ends_the_sessions_of_who_came_in_by_the_one_before(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    lost = team_database.as_member("anna")
    with team_database.as_owner() as owner:
        set_password(owner, "anna", "b" * 12)
    with pytest.raises(psycopg.OperationalError):
        lost.execute(TALE)
    lost.close()
    with pytest.raises(StoreDenied):
        team_database.as_member("anna")
    team_database.server.passwords["anna"] = "b" * 12
    with team_database.as_member("anna") as anna:
        assert anna.execute(TALE).fetchall() == [("0",)]


def test_with_one_grant_left_the_role_stays(team_database: TeamDatabase) -> None:
    with team_database.as_owner() as owner:
        second = create_profile(owner, "second")
        team_database.add_member("anna", 1, second)
        revoke(owner, 1, "anna")
    with team_database.as_member("anna", second) as anna:
        assert anna.execute(TALE).fetchall() == [("0",)]
    with team_database.as_member("anna", 1) as anna, pytest.raises(psycopg.errors.InsufficientPrivilege):
        anna.execute(TALE)


def test_a_role_that_the_operator_made_is_left_with_nothing(team_database: TeamDatabase) -> None:
    team_database.server.passwords["anna"] = "a" * 12
    with team_database.as_operator() as operator, team_database.as_owner() as owner:
        operator.execute("CREATE ROLE anna LOGIN PASSWORD 'aaaaaaaaaaaa'")
        assert not grant(owner, 1, "anna", None)
        with team_database.as_member("anna") as anna:
            # This owner may not end the sessions of a role that it did not make.
            revoke(owner, 1, "anna")
            with pytest.raises(psycopg.errors.UndefinedTable):
                anna.execute(TALE)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                anna.execute("SELECT * FROM scrubjay_p1.meta")
        assert operator.execute("SELECT FROM pg_roles WHERE rolname = 'anna'").rowcount == 1
        left = operator.execute(
            "SELECT FROM pg_shdepend WHERE refobjid = 'anna'::regrole AND refclassid = 'pg_authid'::regclass"
        )
        assert left.rowcount == 0
    with pytest.raises(StoreDenied):
        team_database.as_member("anna")


@pytest.mark.parametrize(
    ("begun", "then"),
    [
        ("BEGIN ISOLATION LEVEL REPEATABLE READ ;; SELECT count(*) FROM note", "SELECT * FROM meta"),
        ("PREPARE mine AS SELECT * FROM meta", "EXECUTE mine"),
        ("BEGIN ;; LOCK TABLE meta", "SELECT * FROM meta"),
        ("SELECT 1", "SET scrubjay.profile = '1' ;; SELECT * FROM scrubjay_p1.meta"),
    ],
)
def test_a_session_that_goes_on_after_revoking_sees_nothing(team_database: TeamDatabase, begun: str, then: str) -> None:
    with team_database.as_operator() as operator, team_database.as_owner() as owner:
        # Nobody ends its sessions, as in the test above.
        team_database.server.passwords["anna"] = "a" * 12
        operator.execute("CREATE ROLE anna LOGIN PASSWORD 'aaaaaaaaaaaa'")
        grant(owner, 1, "anna", None)
        anna = team_database.as_member("anna")
        _run(anna, begun)
        revoke(owner, 1, "anna")
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedTable)):
            _run(anna, then)
        anna.close()


def test_a_cursor_that_is_open_ends_with_the_grant(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    anna = team_database.as_member("anna")
    _run(anna, "BEGIN ;; DECLARE mine CURSOR FOR SELECT * FROM meta")
    with team_database.as_owner() as owner:
        revoke(owner, 1, "anna")
    with pytest.raises(psycopg.OperationalError):
        anna.execute("FETCH mine")
    anna.close()


def test_a_revocation_that_was_cut_short_goes_on(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)

    def cut(connection: ServerConnection, member: str) -> None:
        connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with (
        pytest.raises(psycopg.OperationalError),
        patch.object(members_module, "_end_sessions", cut),
        team_database.as_owner() as owner,
    ):
        revoke(owner, 1, "anna")
    with team_database.as_owner() as owner:
        assert listed(owner) == [(OWNER, (1,))]
        revoke(owner, 1, "anna")
        assert owner.execute("SELECT FROM pg_roles WHERE rolname = 'anna'").rowcount == 0


def test_a_member_whose_role_the_operator_dropped_can_be_revoked(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_operator() as operator, team_database.as_owner() as owner:
        operator.execute("DROP OWNED BY anna")
        operator.execute("DROP ROLE anna")
        prepare(owner)
        revoke(owner, 1, "anna")
        assert listed(owner) == [(OWNER, (1,))]


def test_a_role_with_something_elsewhere_is_left_there(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_operator() as operator, team_database.as_owner() as owner:
        operator.execute("GRANT CONNECT ON DATABASE postgres TO anna")
        revoke(owner, 1, "anna")
        assert operator.execute("SELECT FROM pg_roles WHERE rolname = 'anna'").rowcount == 1
        operator.execute("REVOKE CONNECT ON DATABASE postgres FROM anna")


def test_a_member_of_two_teams_leaves_one(team_database: TeamDatabase) -> None:
    with fresh_database(team_database.server) as other:
        for each in (team_database, other):
            each.add_member("anna", 1)
        with team_database.as_member("anna") as anna:
            anna.execute("SELECT lo_create(0)")
        with team_database.as_owner() as owner:
            assert not revoke(owner, 1, "anna")
        with pytest.raises(StoreDenied):
            team_database.as_member("anna")
        with team_database.as_operator() as operator:
            owned = "SELECT FROM pg_largeobject_metadata WHERE lomowner = 'anna'::regrole"
            assert operator.execute(owned).rowcount == 0
        with other.as_member("anna") as anna:
            assert anna.execute(TALE).fetchall() == [("0",)]


def test_dropping_a_profile_takes_its_grants_and_its_number(team_database: TeamDatabase) -> None:
    with team_database.as_owner() as owner:
        second = create_profile(owner, "second")
        team_database.add_member("anna", 1, second)
        drop_profile(owner, second)
        assert profiles(owner) == [(1, "team")]
        assert listed(owner) == [("anna", (1,)), (OWNER, (1,))]
        assert create_profile(owner, "second") > second
        with pytest.raises(ProfileNotFound):
            drop_profile(owner, second)


def test_only_the_owner_grants_revokes_and_makes_profiles(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    address = team_database.server.address("anna", team_database.name)
    with team_database.as_member("anna") as anna:
        for attempt in (
            lambda: grant(anna, 1, "bob", "b" * 12),
            lambda: revoke(anna, 1, "anna"),
            lambda: create_profile(anna, "mine"),
            lambda: drop_profile(anna, 1),
            lambda: put_key(anna, 1, "anna", b"key"),
        ):
            with pytest.raises(StoreDenied), translated(address):
                attempt()


def test_everybody_gets_the_key_that_was_wrapped_for_them(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    team_database.add_member("bob", 1)
    with team_database.as_owner() as owner:
        put_key(owner, 1, "anna", b"an older one")
        put_key(owner, 1, "anna", b"for anna")
        put_key(owner, 1, "bob", b"for bob")
        with pytest.raises(ProfileNotFound):
            put_key(owner, 1, "carla", b"for carla")
        assert wrapped_key(owner, 1) is None
    with team_database.as_member("anna") as anna, team_database.as_member("bob") as bob:
        assert (wrapped_key(anna, 1), wrapped_key(bob, 1)) == (b"for anna", b"for bob")
        assert anna.execute("SELECT wrapped FROM scrubjay.team_key").fetchall() == [(b"for anna",)]
    with team_database.as_owner() as owner:
        revoke(owner, 1, "anna")
        assert owner.execute("SELECT member FROM scrubjay.team_key").fetchall() == [("bob",)]


def test_an_owner_who_has_no_grant_sees_no_rows(team_database: TeamDatabase) -> None:
    with team_database.as_owner(1) as owner:
        assert owner.execute(TALE).fetchall() == [("0",)]
        revoke(owner, 1, OWNER)
        assert owner.execute(TALE).fetchall() == []


def _run(connection: ServerConnection, statements: str) -> None:
    for statement in statements.split(" ;; "):
        connection.execute(statement.encode())
