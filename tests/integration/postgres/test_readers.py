"""Readers of a team's profile find all that writers do, and the server takes no row from them."""

from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from scrubjay.profiles.errors import InvalidProfile, ProfileNotFound, StoreReadOnly
from scrubjay.profiles.store import reads
from scrubjay.profiles.team.audit import audit
from scrubjay.profiles.team.members import change, grant, members, revoke
from scrubjay.profiles.team.server import schema_of
from scrubjay.profiles.team.team_schema import create_profile, drop_profile, prepare
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.team_server import OWNER, TeamDatabase, fresh_database
from tests.integration.postgres.seeded import tables

GROUPS = "SELECT CAST(rolname AS text) FROM pg_roles WHERE rolname ~ '_(readers|writers)$' ORDER BY 1"
RIGHTS = """SELECT CAST(relname AS text), CAST(acl.grantee::regrole AS text), privilege_type
    FROM pg_class, aclexplode(relacl) AS acl
    WHERE relnamespace = 'scrubjay_p1'::regnamespace AND acl.grantee <> relowner ORDER BY 1, 2, 3"""


@pytest.fixture(name="database")
def with_a_reader(database: TeamDatabase) -> TeamDatabase:
    """With anna, who writes, and rita, who reads."""
    database.server.passwords["rita"] = "r" * 12
    with database.as_owner() as owner:
        assert grant(owner, 1, "rita", "r" * 12, writes=False)
    return database


def opened(database: TeamDatabase, name: str, folder: Path) -> TeamStore:
    address = database.server.address(name, database.name)
    return TeamStore.open(folder / name, address, database.server.passwords[name], database.profile, f"{name}'s")


def test_a_reader_sees_every_row_and_the_server_takes_none(database: TeamDatabase) -> None:
    with database.as_operator() as operator:
        listed = [name for schema, name in tables(operator) if schema == schema_of(1)]
    with database.as_member("rita") as rita, database.as_member("anna") as anna:
        count = "SELECT count(*) FROM meta"
        assert rita.execute(count).fetchall() == anna.execute(count).fetchall()
        for name in listed:
            table = sql.Identifier(schema_of(1), name)
            for statement in ("INSERT INTO {} DEFAULT VALUES", "UPDATE {} SET profile = 1", "DELETE FROM {}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    rita.execute(sql.SQL(statement).format(table))  # type: ignore[arg-type]
    assert len(listed) > 30


def test_a_reader_gets_no_further(database: TeamDatabase) -> None:
    with database.as_owner() as owner:
        query = "SELECT CAST(scrubjay.group_of(1, FALSE) AS text), CAST(scrubjay.group_of(1, TRUE) AS text)"
        ((readers, writers),) = owner.execute(query).fetchall()
    with database.as_member("rita") as rita:
        for attempt in (
            "SELECT nextval('note_id')",
            "SELECT * FROM meta FOR UPDATE",
            "LOCK TABLE meta IN ROW EXCLUSIVE MODE",
            "SELECT scrubjay.build_vector_index(1, 1, 3)",
            "SELECT scrubjay.end_stopped('1'::xid)",
            "UPDATE scrubjay.team_grant SET writes = TRUE",
            f"SET ROLE {writers}",
            f"GRANT {writers} TO rita",
            f"GRANT {readers} TO rita",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), rita.transaction():
                rita.execute(attempt.encode())


def test_who_becomes_a_writer_and_a_reader_again_is_known_by_the_program_that_runs(
    database: TeamDatabase, tmp_path: Path
) -> None:
    store = opened(database, "rita", tmp_path)
    with database.as_owner() as owner:
        change(owner, 1, "rita", writes=True)
        assert [each for each in members(owner) if each.reader_of] == []
        store.read(reads.meta, "a")
        store.set_meta("a", "b")
        change(owner, 1, "rita", writes=False)
        assert [each.name for each in members(owner) if each.reader_of == (1,)] == ["rita"]
        said = [(each.action, each.is_whole) for each in audit(owner) if each.about == "rita"]
    assert said == [("grant-read", True), ("grant", True), ("grant-read", True)]
    store.read(reads.meta, "a")
    with pytest.raises(StoreReadOnly, match=r"rita is a reader .*`team change rita writer`"):
        store.set_meta("a", "c")
    assert store.read(reads.meta, "a") == "b"
    store.close()


def test_a_grant_of_anybody_leaves_a_reader_a_reader_and_rights_are_two_groups(database: TeamDatabase) -> None:
    with database.as_operator() as operator, database.as_owner() as owner:
        before = operator.execute(RIGHTS).fetchall()
        for name in ("ben", "carl", "dora"):
            grant(owner, 1, name, "p" * 12)
        grant(owner, 1, "rita", None)
        prepare(owner)
        assert operator.execute(RIGHTS).fetchall() == before
        assert len({grantee for _, grantee, _ in before}) == 2
    with database.as_member("rita") as rita, pytest.raises(psycopg.errors.InsufficientPrivilege):
        rita.execute("UPDATE meta SET value = 'x'")


def test_an_owner_writes_and_who_has_no_grant_is_made_neither(database: TeamDatabase) -> None:
    with database.as_owner() as owner:
        with pytest.raises(InvalidProfile, match="owns"):
            change(owner, 1, OWNER, writes=False)
        with pytest.raises(InvalidProfile, match="owns"):
            grant(owner, 1, OWNER, None, writes=False)
        assert [each for each in members(owner) if each.name == OWNER and each.reader_of] == []
        with pytest.raises(ProfileNotFound):
            change(owner, 1, "carl", writes=True)


def test_rights_that_a_member_has_from_before_there_were_groups_go(database: TeamDatabase) -> None:
    with database.as_operator() as operator, database.as_owner() as owner:
        operator.execute("GRANT ALL ON ALL TABLES IN SCHEMA scrubjay_p1 TO rita")
        operator.execute("GRANT USAGE ON SCHEMA scrubjay_p1 TO rita")
        operator.execute("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA scrubjay TO rita")
        prepare(owner)
        assert {grantee for _, grantee, _ in operator.execute(RIGHTS).fetchall()} == {
            name for (name,) in operator.execute(GROUPS).fetchall() if "_p1_" in name
        }
    with database.as_member("rita") as rita:
        for attempt in ("DELETE FROM meta", "SELECT scrubjay.end_stopped('1'::xid)"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                rita.execute(attempt.encode())


def test_an_owner_who_may_make_no_roles_gives_each_member_rights_of_its_own(database: TeamDatabase) -> None:
    with fresh_database(database.server) as other:
        with database.server.as_operator() as operator:
            operator.execute(f"ALTER ROLE {OWNER} NOCREATEROLE")
        try:
            with other.as_owner() as owner:
                assert not grant(owner, 1, "anna", None)
                assert not grant(owner, 1, "rita", None, writes=False)
                change(owner, 1, "anna", writes=False)
                change(owner, 1, "anna", writes=True)
                with other.as_member("anna") as anna, other.as_member("rita") as rita:
                    anna.execute("UPDATE meta SET value = '7' WHERE name = 'tokens'")
                    query = "SELECT value FROM meta WHERE name = 'tokens'"
                    assert rita.execute(query).fetchall() == [("7",)]
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        rita.execute("DELETE FROM meta")
                revoke(owner, 1, "rita")
        finally:
            with database.server.as_operator() as operator:
                operator.execute(f"ALTER ROLE {OWNER} CREATEROLE")


def test_groups_go_with_their_profile(database: TeamDatabase) -> None:
    with database.as_operator() as operator, database.as_owner() as owner:
        before = operator.execute(GROUPS).fetchall()
        second = create_profile(owner, "second")
        grant(owner, second, "anna", None)
        grant(owner, second, "rita", None, writes=False)
        assert len(operator.execute(GROUPS).fetchall()) == len(before) + 2
        drop_profile(owner, second)
        assert operator.execute(GROUPS).fetchall() == before
