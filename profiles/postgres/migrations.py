"""Bringing a team's database up to today's schema: by its owner, each version in one transaction.

A version has a script for the whole team and one that runs for each profile; `scrubjay.team_version` says how far a
database has come.
"""

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources

from psycopg import sql

from scrubjay.profiles.postgres.server import ServerConnection, schema_of, set_up

OLDEST_SERVER = 16
OLDEST_VECTOR = (0, 8, 2)
_LOCK = 0x53634A79  # "ScJy"


@dataclass(frozen=True, slots=True)
class Version:
    """The scripts that bring a database from the version before to this one."""

    team: str
    profile: str


def versions() -> tuple[Version, ...]:
    """All versions, from 1 on, without a gap."""
    folder = resources.files("scrubjay.profiles.postgres") / "schema"
    found = {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir()}
    count = sum(re.fullmatch(r"\d{4}_team\.sql", name) is not None for name in found)
    return tuple(
        Version(found[f"{number:04}_team.sql"], found[f"{number:04}_profile.sql"]) for number in range(1, count + 1)
    )


def prepare(connection: ServerConnection, known: Sequence[Version] | None = None) -> None:
    """Bring a team's database up to date, as its owner; does nothing where it is.

    Raises StoreTooNew for a database of a later version, and StoreError where the server or its extension is too old.
    """
    known = versions() if known is None else known
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    with _alone(connection):
        version = version_of(connection)
    for number in range(version + 1, len(known) + 1):
        with _alone(connection):
            if version_of(connection) >= number:
                continue
            if number == 1:
                connection.execute("CREATE SCHEMA scrubjay")
            _run(connection, known[number - 1].team)
            for (profile,) in connection.execute("SELECT id FROM scrubjay.team_profile ORDER BY id").fetchall():
                _run(connection, known[number - 1].profile, profile)
            connection.execute("DELETE FROM scrubjay.team_version")
            connection.execute("INSERT INTO scrubjay.team_version (version) VALUES (%s)", (number,))


def version_of(connection: ServerConnection) -> int:
    """The version of a database; 0 where nothing of ours is in it."""
    row = connection.execute("SELECT to_regclass('scrubjay.team_version') IS NOT NULL").fetchone()
    if row is None or not row[0]:
        return 0
    row = connection.execute("SELECT version FROM scrubjay.team_version").fetchone()
    return 0 if row is None else int(row[0])


def create_profile(connection: ServerConnection, name: str) -> int:
    """Make a profile with this name, as the database's owner; its number."""
    with _alone(connection):
        row = connection.execute(
            "INSERT INTO scrubjay.team_profile (id, name) SELECT coalesce(max(id), 0) + 1, %s FROM scrubjay.team_profile"
            " RETURNING id",
            (name,),
        ).fetchone()
        assert row is not None
        profile = int(row[0])
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema_of(profile))))
        for version in versions():
            _run(connection, version.profile, profile)
    return profile


@contextmanager
def _alone(connection: ServerConnection) -> Generator[None]:
    with connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        yield


def _run(connection: ServerConnection, script: str, profile: int | None = None) -> None:
    set_up(connection, profile, local=True)
    connection.execute(script.replace("{profile}", str(profile)).encode())
