"""What a member tries beyond a grant is refused, or finds nothing; and nobody else's rows change."""

import re
from collections.abc import Generator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from scrubjay.profiles.team.server import ServerConnection, schema_of
from tests.helpers.team_server import TeamServer
from tests.integration.postgres.attempts import ATTEMPTS, NOTHING, Attempt
from tests.integration.postgres.seeded import OTHER, OWN, SECRET, SeededTeam, seeded_team, tables

HERS = "DELETE FROM search_event"
"""Takes what she has added, and can take nothing else."""


@pytest.fixture(scope="module")
def team(team_server: TeamServer) -> Generator[SeededTeam]:
    with seeded_team(team_server) as seeded:
        before = seeded.others_rows()
        yield seeded
        assert seeded.others_rows() == before


@pytest.fixture(scope="module")
def bob(team: SeededTeam) -> Generator[ServerConnection]:
    """His session, the last statement of which has the word in it."""
    with team.database.as_member("bob") as bob:
        bob.execute(f"SELECT * FROM {schema_of(OWN)}.note WHERE title = '{SECRET}'".encode())
        yield bob


@pytest.fixture(scope="module")
def annas_session(team: SeededTeam) -> Generator[ServerConnection]:
    with team.database.as_member("anna") as session:
        session.prepare_threshold = None  # or DISCARD would lose what psycopg has prepared
        yield session


@pytest.fixture
def anna(annas_session: ServerConnection) -> Generator[ServerConnection]:
    """A session that is afterwards as it began."""
    ((path,),) = annas_session.execute("SHOW search_path").fetchall()
    yield annas_session
    for reset in ("ROLLBACK", "DISCARD ALL", f"SET search_path = {path}", f"SET scrubjay.profile = '{OWN}'", HERS):
        annas_session.execute(reset.encode())


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.statements[:70])
def test_a_member_gets_no_further_than_the_grant(
    team: SeededTeam, bob: ServerConnection, anna: ServerConnection, attempt: Attempt
) -> None:
    *first, last = attempt.statements.replace("{database}", team.database.name).split(" ;; ")
    for statement in first:
        anna.execute(statement.encode())
    outcome, told = _outcome(anna, last)
    assert outcome == attempt.outcome, f"{told}; expected since: {attempt.why}"
    assert SECRET not in told


def _outcome(connection: ServerConnection, statement: str) -> tuple[str, str]:
    """What comes of a statement, as an attempt has it, and all that was told."""
    try:
        if statement.endswith("TO STDOUT"):
            with connection.cursor().copy(statement.encode()) as copy:
                rows: list[Any] = [bytes(data) for data in copy]
        else:
            cursor = connection.execute(statement.encode())
            rows = cursor.fetchall() if cursor.description else [] if cursor.rowcount <= 0 else ["changed"]
    except psycopg.Error as error:
        return error.sqlstate or "lost", f"{error} {error.diag.message_detail} {error.diag.message_hint}"
    return (NOTHING, "") if not rows else ("rows", repr(rows))


def test_without_a_profile_set_no_table_shows_a_row(team: SeededTeam) -> None:
    with team.database.as_operator() as operator:
        listed = tables(operator)
    assert {schema for schema, _ in listed} == {"scrubjay", schema_of(OWN), schema_of(OTHER)}
    with team.database.as_member("bob", profile=None) as bob:
        counts = {f"{schema}.{table}": _rows_seen(bob, schema, table) for schema, table in listed}
    # The version of the schema is nobody's, and is read before anything else can be.
    assert {table for table, count in counts.items() if count} == {"scrubjay.team_version"}
    assert {table for table, count in counts.items() if count is None} == {
        "scrubjay.team_member",
        "scrubjay.team_audit",
    }


def test_with_the_profile_set_every_table_shows_its_rows(team: SeededTeam) -> None:
    with team.database.as_operator() as operator:
        listed = [table for schema, table in tables(operator) if schema == schema_of(OWN)]
    with team.database.as_member("bob") as bob, team.database.as_owner(OWN) as owner:
        assert all(_rows_seen(bob, schema_of(OWN), table) for table in listed)
        hidden = {table for table in listed if not _rows_seen(owner, schema_of(OWN), table)}
    # bob's; policies hold for the owner, too
    assert hidden == {"search_event", "search_opened", "hidden_note", "failure"}


def _rows_seen(connection: ServerConnection, schema: str, table: str) -> int | None:
    """How many rows a table shows; None where it may not be looked at."""
    try:
        cursor = connection.execute(sql.SQL("SELECT FROM {}").format(sql.Identifier(schema, table)))
    except psycopg.errors.InsufficientPrivilege:
        return None
    return cursor.rowcount


def test_every_table_has_policies_that_hold_for_its_owner_too(team: SeededTeam) -> None:
    with team.database.as_operator() as operator:
        bare = operator.execute(
            "SELECT pg_class.oid::regclass::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
            " WHERE nspname ~ '^scrubjay' AND relkind IN ('r', 'p') AND relname !~ '^team_'"
            " AND NOT (relrowsecurity AND relforcerowsecurity)"
        ).fetchall()
    assert bare == []


def test_whether_a_key_is_taken_by_somebody_else_is_not_told(team: SeededTeam) -> None:
    insert = (
        "INSERT INTO search_event (id, at_ns, query, mode, results, took_ms) VALUES (%s, 0, 'q', '', 0, 0)"
        " ON CONFLICT DO NOTHING RETURNING id"
    )
    with team.database.as_member("anna") as anna, anna.transaction(force_rollback=True):
        taken, free = 7, 8
        assert [anna.execute(insert, (event,)).fetchall() for event in (taken, free)] == [[(taken,)], [(free,)]]


def test_the_planner_does_not_tell_what_others_search_for(team_server: TeamServer) -> None:
    searches = (
        "INSERT INTO search_event (id, at_ns, query, mode, results, took_ms) SELECT 100 + n, n,"
        " CASE WHEN n %% 2 = 0 THEN %s ELSE 'q' || n END, '', 0, 0 FROM generate_series(1, 1000) AS n"
    )
    with seeded_team(team_server) as team:
        for member, often in {"bob": "bobs", "anna": "annas"}.items():
            with team.database.as_member(member) as searching:
                searching.execute(searches, (often,))
        with team.database.as_operator() as operator:
            operator.execute("ANALYZE")
        with team.database.as_member("anna") as anna:
            assert _rows_guessed(anna, "query = 'bobs'") == _rows_guessed(anna, "query = 'never'")


def _rows_guessed(connection: ServerConnection, condition: str) -> list[str]:
    """How many rows each step of a plan is thought to give."""
    plan = connection.execute(f"EXPLAIN SELECT * FROM search_event WHERE {condition}".encode()).fetchall()
    return re.findall(r"rows=[0-9]+", str(plan))


def test_a_generation_that_lies_stays_in_the_profile(team_server: TeamServer) -> None:
    """Others of the same profile then read rows too often, or not before the next change, as if she had not written."""
    with seeded_team(team_server) as team:
        before = team.others_rows()
        with team.database.as_member("anna") as anna:
            anna.execute("SET scrubjay.generation = '999999999'")
            anna.execute("UPDATE note SET title = 'changed'")
            anna.execute("DELETE FROM chunk")
            assert anna.execute("SELECT version FROM note").fetchall() == [(999999999,)]
            assert anna.execute("SELECT profile, kind FROM gone WHERE version = 999999999").fetchall() == [(OWN, 2)]
        assert team.others_rows() == before
