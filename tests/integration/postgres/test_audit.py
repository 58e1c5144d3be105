"""What owners do is kept in a table that only grows; a row that was changed or taken out is seen."""

import psycopg
import pytest

from scrubjay.profiles.errors import StoreDenied
from scrubjay.profiles.team.audit import audit
from scrubjay.profiles.team.members import revoke
from scrubjay.profiles.team.team_schema import create_profile, drop_profile
from tests.helpers.team_server import OWNER, TeamDatabase


def done(database: TeamDatabase) -> list[tuple[str, str, int | None]]:
    with database.as_owner() as owner:
        return [(each.action, each.about, each.profile) for each in audit(owner) if each.action != "upgrade"]


def test_what_owners_do_is_listed(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_owner() as owner:
        second = create_profile(owner, "second")
        revoke(owner, 1, "anna")
        drop_profile(owner, second)
        assert {each.who for each in audit(owner)} == {OWNER}
        assert all(each.is_whole for each in audit(owner))
        assert [each.at for each in audit(owner)] == sorted(each.at for each in audit(owner))
    assert done(team_database) == [
        ("create", "team", 1),
        ("grant", OWNER, 1),
        ("grant", "anna", 1),
        ("create", "second", second),
        ("grant", OWNER, second),
        ("revoke", "anna", 1),
        ("drop", "second", second),
        ("revoke", OWNER, second),
    ]


@pytest.mark.parametrize("attempt", ["UPDATE {} SET who = 'x'", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_table_only_grows(team_database: TeamDatabase, attempt: str) -> None:
    before = done(team_database)
    with team_database.as_owner() as owner, pytest.raises(psycopg.errors.RaiseException):
        owner.execute(attempt.format("scrubjay.team_audit").encode())
    assert done(team_database) == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE scrubjay.team_audit SET about = 'ben' WHERE about = 'anna'",
        "UPDATE scrubjay.team_audit SET at = at - interval '1 day' WHERE about = 'anna'",
        "DELETE FROM scrubjay.team_audit WHERE about = 'anna'",
    ],
)
def test_a_row_that_an_owner_has_changed_all_the_same_is_seen(team_database: TeamDatabase, change: str) -> None:
    for name in ("anna", "carl"):
        team_database.add_member(name, 1)
    with team_database.as_owner() as owner:
        owner.execute("ALTER TABLE scrubjay.team_audit DISABLE TRIGGER audit_only_grows")
        owner.execute(change.encode())
        entries = audit(owner)
    assert [each.is_whole for each in entries if each.about == "carl"] == [False]
    assert entries[0].is_whole


def test_a_member_sees_nothing_of_it(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_member("anna") as anna:
        with pytest.raises(StoreDenied):
            audit(anna)
        # Or a member would keep owners from revoking.
        with pytest.raises(psycopg.errors.InsufficientPrivilege), anna.transaction():
            anna.execute("LOCK TABLE scrubjay.team_audit")
        for table in ("team_audit", "operating"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                anna.execute(f"SELECT * FROM scrubjay.{table}".encode())


def test_an_operator_sees_sizes_and_who_was_there(team_database: TeamDatabase) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_member("anna") as anna:
        anna.execute("INSERT INTO machine (id) VALUES ('m')")
    with team_database.as_operator() as operator:
        rows = operator.execute(
            "SELECT name, bytes > 0, machines, last_seen_at <= now() FROM scrubjay.operating"
        ).fetchall()
    assert rows == [("team", True, 1, True)]
