"""Grants are given and taken away; a session that is open has nothing left of what was taken."""

from contextlib import closing
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
LEFT = "SELECT FROM pg_shdepend WHERE refobjid = 'anna'::regrole AND refclassid = 'pg_authid'::regclass"


def listed(owner: ServerConnection) -> dict[str, tuple[int, ...]]:
    return {each.name: each.profiles for each in members(owner)}


def is_there(database: TeamDatabase, role: str = "anna") -> bool:
    with database.as_operator() as operator:
        return bool(operator.execute("SELECT FROM pg_roles WHERE rolname = %s", (role,)).rowcount)


def operators_anna(database: TeamDatabase) -> None:
    """Her role is not the owner's to end the sessions of, nor to drop."""
    database.server.passwords["anna"] = "a" * 12
    with database.as_operator() as operator, database.as_owner() as owner:
        operator.execute("CREATE ROLE anna LOGIN PASSWORD 'aaaaaaaaaaaa'")
        assert not grant(owner, 1, "anna", None)


def test_who_is_granted_again_keeps_the_first_password(team_database: TeamDatabase) -> None:
    with team_database.as_owner() as owner:
        second = create_profile(owner, "second")
        assert grant(owner, 1, "anna", "a" * 12)
        assert [grant(owner, second, "anna", password) for password in (None, "another")] == [False, False]
        assert listed(owner) == {"anna": (1, second), OWNER: (1, second)}
    team_database.server.passwords["anna"] = "a" * 12
    with team_database.as_member("anna", second) as anna:
        assert anna.execute(TALE).fetchall() == [("0",)]
        assert profiles(anna) == [(second, "second")]


def test_who_can_be_no_member_is_refused(team_database: TeamDatabase) -> None:
    with team_database.as_operator() as operator, team_database.as_owner() as owner:
        operator.execute(
            "CREATE ROLE bypasser BYPASSRLS; CREATE ROLE replicator REPLICATION; CREATE ROLE deputy IN ROLE olga"
        )
        for name in ("", "pg_monitor", "public", "none", "a\nb", "ä" * (LONGEST_NAME // 2 + 1)):
            with pytest.raises(InvalidProfile):
                grant(owner, 1, name, "x")
        for name, password in [(each, None) for each in ("postgres", "bypasser", "replicator", "deputy", "nobody")]:
            with pytest.raises(InvalidProfile):
                grant(owner, 1, name, password)
        with pytest.raises(InvalidProfile):
            grant(owner, 1, "nobody", "")
        with pytest.raises(ProfileNotFound):
            grant(owner, 7, "anna", "a" * 12)
        assert listed(owner) == {OWNER: (1,)}
    assert not is_there(team_database)


def test_any_other_name_can_be_one(team_database: TeamDatabase) -> None:
    for name in ("Anna Ü.", 'a"; DROP TABLE note; --', "select", "a'b", "%s", "x" * LONGEST_NAME):
        team_database.add_member(name, 1)
        with team_database.as_member(name) as member, team_database.as_owner() as owner:
            assert member.execute(TALE).fetchall() == [("0",)]
            revoke(owner, 1, name)
            assert listed(owner) == {OWNER: (1,)}


@pytest.mark.parametrize(
    "begun", ["SELECT 1", f"SELECT pg_advisory_lock({LOCK})", "BEGIN ;; DECLARE mine CURSOR FOR SELECT * FROM meta"]
)
def test_revoking_ends_sessions_and_takes_all(database: TeamDatabase, begun: str) -> None:
    with database.as_owner() as owner, closing(database.as_member("anna")) as anna:
        _run(anna, begun)
        revoke(owner, 1, "anna")
        with pytest.raises(psycopg.OperationalError):
            anna.execute("FETCH mine" if "CURSOR" in begun else TALE)
        assert not is_there(database)
        with pytest.raises(ProfileNotFound):
            revoke(owner, 1, "anna")
    with pytest.raises(StoreDenied):
        database.as_member("anna")


def test_a_profile_is_gone_for_a_member_though_somebody_else_keeps_the_owner_from_tidying(
    database: TeamDatabase,
) -> None:
    database.add_member("ben", 1)
    with (
        patch.object(members_module, "alone", partial(alone, patience=0.2)),
        database.as_owner() as owner,
        database.as_member("ben") as ben,
    ):
        ben.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        with pytest.raises(StoreBusy, match="ben"):
            revoke(owner, 1, "anna")
        with database.as_member("anna") as anna:
            assert anna.execute(TALE).fetchall() == []
        ben.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        revoke(owner, 1, "anna")
    assert not is_there(database)


def test_another_password_ends_the_sessions_of_who_came_in_by_the_one_before(database: TeamDatabase) -> None:
    with closing(database.as_member("anna")) as lost, database.as_owner() as owner:
        set_password(owner, "anna", "b" * 12)
        with pytest.raises(psycopg.OperationalError):
            lost.execute(TALE)
    with pytest.raises(StoreDenied):
        database.as_member("anna")
    database.server.passwords["anna"] = "b" * 12
    with database.as_member("anna") as anna:
        assert anna.execute(TALE).fetchall() == [("0",)]


def test_with_one_grant_left_the_role_stays(database: TeamDatabase) -> None:
    with database.as_owner() as owner:
        second = create_profile(owner, "second")
        database.add_member("anna", second)
        revoke(owner, 1, "anna")
    with database.as_member("anna", second) as anna:
        assert anna.execute(TALE).fetchall() == [("0",)]
    with database.as_member("anna", 1) as anna, pytest.raises(psycopg.errors.InsufficientPrivilege):
        anna.execute(TALE)


def test_a_role_that_the_operator_made_is_left_with_nothing(team_database: TeamDatabase) -> None:
    operators_anna(team_database)
    with team_database.as_operator() as operator, team_database.as_owner() as owner:
        with team_database.as_member("anna") as anna:
            revoke(owner, 1, "anna")
            with pytest.raises(psycopg.errors.UndefinedTable):
                anna.execute(TALE)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                anna.execute("SELECT * FROM scrubjay_p1.meta")
        assert is_there(team_database)
        assert operator.execute(LEFT).rowcount == 0
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
    operators_anna(team_database)
    with team_database.as_owner() as owner, closing(team_database.as_member("anna")) as anna:
        _run(anna, begun)
        revoke(owner, 1, "anna")
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedTable)):
            _run(anna, then)


def test_a_revocation_that_was_cut_short_goes_on(database: TeamDatabase) -> None:
    def cut(connection: ServerConnection, member: str) -> None:
        connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with (
        pytest.raises(psycopg.OperationalError),
        patch.object(members_module, "_end_sessions", cut),
        database.as_owner() as owner,
    ):
        revoke(owner, 1, "anna")
    with database.as_owner() as owner:
        assert listed(owner) == {OWNER: (1,)}
        revoke(owner, 1, "anna")
    assert not is_there(database)


def test_a_member_whose_role_the_operator_dropped_can_be_revoked(database: TeamDatabase) -> None:
    with database.as_operator() as operator, database.as_owner() as owner:
        operator.execute("DROP OWNED BY anna")
        operator.execute("DROP ROLE anna")
        prepare(owner)
        revoke(owner, 1, "anna")
        assert listed(owner) == {OWNER: (1,)}


def test_a_member_of_two_teams_leaves_one_with_what_was_owned_there(database: TeamDatabase) -> None:
    with fresh_database(database.server) as other:
        other.add_member("anna", 1)
        with database.as_member("anna") as anna:
            anna.execute("SELECT lo_create(0)")
        with database.as_owner() as owner:
            assert not revoke(owner, 1, "anna")
        with pytest.raises(StoreDenied):
            database.as_member("anna")
        with database.as_operator() as operator:
            owned = "SELECT FROM pg_largeobject_metadata WHERE lomowner = 'anna'::regrole"
            assert operator.execute(owned).rowcount == 0
        with other.as_member("anna") as anna:
            assert anna.execute(TALE).fetchall() == [("0",)]


def test_dropping_a_profile_takes_its_grants_and_its_number(database: TeamDatabase) -> None:
    with database.as_owner() as owner:
        second = create_profile(owner, "second")
        database.add_member("anna", second)
        drop_profile(owner, second)
        assert (profiles(owner), listed(owner)) == ([(1, "team")], {"anna": (1,), OWNER: (1,)})
        assert create_profile(owner, "second") > second
        with pytest.raises(ProfileNotFound):
            drop_profile(owner, second)


def test_only_the_owner_grants_revokes_and_makes_profiles(shared: TeamDatabase) -> None:
    with shared.as_member("ada") as ada:
        for attempt in (
            lambda: grant(ada, 1, "bob", "b" * 12),
            lambda: revoke(ada, 1, "ada"),
            lambda: create_profile(ada, "mine"),
            lambda: drop_profile(ada, 1),
            lambda: put_key(ada, 1, "ada", b"key"),
        ):
            with pytest.raises(StoreDenied), translated(shared.server.address("ada", shared.name)):
                attempt()


def test_everybody_gets_the_key_that_was_wrapped_for_them(database: TeamDatabase) -> None:
    database.add_member("bob", 1)
    with database.as_owner() as owner:
        for member, key in (("anna", b"an older one"), ("anna", b"for anna"), ("bob", b"for bob")):
            put_key(owner, 1, member, key)
        with pytest.raises(ProfileNotFound):
            put_key(owner, 1, "carla", b"for carla")
        assert wrapped_key(owner, 1) is None
        with database.as_member("anna") as anna, database.as_member("bob") as bob:
            assert (wrapped_key(anna, 1), wrapped_key(bob, 1)) == (b"for anna", b"for bob")
            assert anna.execute("SELECT wrapped FROM scrubjay.team_key").fetchall() == [(b"for anna",)]
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
