"""What owners do is kept in a table that only grows; a row that was changed or taken out is seen."""

import psycopg
import pytest

from scrubjay.profiles.errors import StoreDenied
from scrubjay.profiles.team.audit import audit
from scrubjay.profiles.team.members import revoke
from scrubjay.profiles.team.team_schema import create_profile, drop_profile
from tests.helpers.team_server import OWNER, TeamDatabase


def test_what_owners_do_is_listed(database: TeamDatabase) -> None:
    with database.as_owner() as owner:
        second = create_profile(owner, "second")
        revoke(owner, 1, "anna")
        drop_profile(owner, second)
        entries = audit(owner)
    assert {(each.who, each.is_whole) for each in entries} == {(OWNER, True)}
    assert [each.at for each in entries] == sorted(each.at for each in entries)
    assert [(each.action, each.about, each.profile) for each in entries if each.action != "upgrade"] == [
        ("create", "team", 1),
        ("grant", OWNER, 1),
        ("grant", "anna", 1),
        ("create", "second", second),
        ("grant", OWNER, second),
        ("revoke", "anna", 1),
        ("drop", "second", second),
        ("revoke", OWNER, second),
    ]


def test_the_table_only_grows(shared: TeamDatabase) -> None:
    with shared.as_owner() as owner:
        before = audit(owner)
        for attempt in ("UPDATE {} SET who = 'x'", "DELETE FROM {}", "TRUNCATE {}"):
            with pytest.raises(psycopg.errors.RaiseException):
                owner.execute(attempt.format("scrubjay.team_audit").encode())
        assert audit(owner) == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE scrubjay.team_audit SET about = 'ben' WHERE about = 'anna'",
        "UPDATE scrubjay.team_audit SET at = at - interval '1 day' WHERE about = 'anna'",
        "DELETE FROM scrubjay.team_audit WHERE about = 'anna'",
    ],
)
def test_a_row_that_an_owner_has_changed_all_the_same_is_seen(database: TeamDatabase, change: str) -> None:
    database.add_member("carl", 1)
    with database.as_owner() as owner:
        owner.execute("ALTER TABLE scrubjay.team_audit DISABLE TRIGGER audit_only_grows")
        owner.execute(change.encode())
        entries = audit(owner)
    assert [each.is_whole for each in entries if each.about == "carl"] == [False]
    assert entries[0].is_whole


def test_a_member_sees_nothing_of_it(shared: TeamDatabase) -> None:
    with shared.as_member("ada") as ada:
        with pytest.raises(StoreDenied):
            audit(ada)
        for attempt in (
            "SELECT * FROM scrubjay.team_audit",
            "SELECT * FROM scrubjay.operating",
            "LOCK TABLE scrubjay.team_audit",  # or a member would keep owners from revoking
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), ada.transaction():
                ada.execute(attempt.encode())


def test_an_operator_sees_sizes_and_who_was_there(shared: TeamDatabase) -> None:
    with shared.as_member("ada") as ada, shared.as_operator() as operator:
        ada.execute("INSERT INTO machine (id) VALUES ('m')")
        query = "SELECT name, bytes > 0, machines, last_seen_at <= now() FROM scrubjay.operating"
        assert operator.execute(query).fetchall() == [("team", True, 1, True)]
