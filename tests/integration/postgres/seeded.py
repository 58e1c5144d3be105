"""A team's database with two profiles and a row in every table, whatever tables there are."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from scrubjay.profiles.team.server import schema_of
from scrubjay.profiles.team.team_schema import create_profile
from tests.helpers.team_server import TeamDatabase, TeamServer, fresh_database

OWN, OTHER = 1, 2
SECRET = "merger"
"""A word that all rows of others have; nothing that a member is told may have it."""
_VALUES: dict[str, Any] = {
    "bigint": 7,
    "integer": 7,
    "double precision": 0.5,
    "text": SECRET,
    "bytea": SECRET.encode(),
    "name": "bob",
    "halfvec": "[1,0,0]",
    "tsvector": SECRET,
}
_CHECKED: dict[tuple[str, str], Any] = {
    ("link", "kind"): "wiki",
    ("decision", "standing"): "done",
    ("review_answer", "answer"): "yes",
    ("shared_runs", "id"): 1,
    ("failure", "machine"): "",  # as a session that does not say which machine it is of
}


@dataclass(frozen=True, slots=True)
class SeededTeam:
    """anna may use the profile OWN; bob that and OTHER; carla neither any more."""

    database: TeamDatabase

    def others_rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that is not anna's, by table: what no attempt of hers may change."""
        kept: dict[str, list[tuple[Any, ...]]] = {}
        with self.database.as_operator() as operator:
            for schema, table in tables(operator):
                if schema == "scrubjay" or schema == schema_of(OTHER) or table.startswith("search_"):
                    name = sql.Identifier(schema, table)
                    others = sql.SQL("WHERE member <> 'anna'" if table.startswith("search_") else "")
                    rows = operator.execute(sql.SQL("SELECT ctid::text, * FROM {} {}").format(name, others)).fetchall()
                    kept[f"{schema}.{table}"] = rows
        return kept


@contextmanager
def seeded_team(server: TeamServer) -> Generator[SeededTeam]:
    """Make one, until the block ends."""
    with fresh_database(server) as database:
        with database.as_owner() as owner:
            assert create_profile(owner, f"the {SECRET}") == OTHER
        for member, profiles in {"anna": (OWN,), "bob": (OWN, OTHER)}.items():
            database.add_member(member, *profiles)
        with database.as_operator() as operator:
            operator.execute("SET session_replication_role = replica")
            for schema, table in tables(operator):
                if schema != "scrubjay":
                    _fill(operator, schema, table)
            operator.execute("RESET session_replication_role")
            operator.execute(
                "INSERT INTO scrubjay.team_key SELECT profile, member, %s FROM scrubjay.team_grant", (b"key",)
            )
            operator.execute("SELECT lo_from_bytea(4711, %s)", (SECRET.encode(),))
            operator.execute("ANALYZE")
        yield SeededTeam(database)


def tables(connection: psycopg.Connection[Any]) -> list[tuple[str, str]]:
    """Schema and name of all tables of ours, but for the empty ones that only have partitions."""
    query = (
        "SELECT nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
        " WHERE nspname ~ '^scrubjay' AND relkind = 'r' ORDER BY 1, 2"
    )
    return connection.execute(query).fetchall()


def _fill(operator: psycopg.Connection[Any], schema: str, table: str) -> None:
    """A row of bob's; where triggers and foreign keys are off."""
    described = operator.execute(
        "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
        " AND attname <> 'profile' AND format_type(atttypid, NULL) <> 'timestamp with time zone'",
        (f"{schema}.{table}",),
    ).fetchall()
    values = {name: _CHECKED.get((table, name), _VALUES[kind.rpartition(".")[2]]) for name, kind in described}
    operator.execute(
        sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
            sql.Identifier(schema, table),
            sql.SQL(", ").join(map(sql.Identifier, values)),
            sql.SQL(", ").join([sql.Placeholder()] * len(values)),
        ),
        list(values.values()),
    )
