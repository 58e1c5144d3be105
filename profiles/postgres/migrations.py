"""Bringing a team's database up to today's schema: by its owner, all that is missing in one transaction.

A version has a script for the whole team and one that runs for each profile; `scrubjay.team_version` says how far a
database has come. What members may do is in scripts without a number, which run whenever there is something new.

Errors of psycopg come through as they are: call these within `server.translated`.
"""

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources

from scrubjay.profiles.errors import (
    InvalidProfile,
    ProfileExists,
    ProfileNotFound,
    StoreBusy,
    StoreError,
    StoreTooNew,
)
from scrubjay.profiles.postgres.driver import psycopg, sql
from scrubjay.profiles.postgres.requirements import (
    close_doors,
    have_vector,
    only_row,
    refuse_old_server,
    refuse_others,
)
from scrubjay.profiles.postgres.server import ServerConnection, schema_of, set_up

PATIENCE = 60.0
"""Seconds to wait for somebody else's locks."""
LOCK = 0x53634A79  # "ScJy"
"""The advisory lock that who changes the schema or the grants has."""


@dataclass(frozen=True, slots=True)
class Version:
    """The scripts that bring a database from the version before to this one; `{profile}` in the second is a number."""

    team: str
    profile: str


@cache
def versions() -> tuple[Version, ...]:
    """All versions, from 1 on, without a gap."""
    found = _scripts()
    numbers = [int(match[1]) for name in found if (match := re.fullmatch(r"(\d{4})_team\.sql", name))]
    return tuple(
        Version(found[f"{number:04}_team.sql"], found[f"{number:04}_profile.sql"])
        for number in range(1, len(numbers) + 1)
    )


def prepare(
    connection: ServerConnection, known: Sequence[Version] | None = None, *, patience: float = PATIENCE
) -> None:
    """Bring a team's database up to date, as its owner; where it is, only who may come in is put right.

    Raises StoreTooNew for a database of a later version, which is left as it is; StoreError where the server or
    pgvector is too old; StoreDenied for who may not; StoreBusy where somebody is in the way for `patience` seconds.
    """
    known = versions() if known is None else known
    refuse_old_server(connection)
    found = version_of(connection)
    _refuse_newer(found, len(known))
    refuse_others(connection, makes_it=not found)
    with alone(connection, patience):
        have_vector(connection)
        close_doors(connection)
        # Who may come in is not part of a backup, either.
        for profile, _ in profiles(connection) if found else ():
            give_grants(connection, profile)
    with alone(connection, patience):
        there = version_of(connection)  # another command may have got here first
        for number, version in enumerate(known[there:], there + 1):
            if number == 1:
                connection.execute("CREATE SCHEMA scrubjay")
            _run(connection, version.team)
            _run(connection, _scripts()["team_policies.sql"])
            for profile, _ in profiles(connection):
                _lift_policies(connection, profile)
                _run(connection, version.profile, profile)
                _protect(connection, profile)
            connection.execute("DELETE FROM scrubjay.team_version")
            connection.execute("INSERT INTO scrubjay.team_version (version) VALUES (%s)", (number,))


def version_of(connection: ServerConnection) -> int:
    """The version of a database; 0 where nothing of ours is in it."""
    (there,) = only_row(connection, "SELECT to_regclass('scrubjay.team_version') IS NOT NULL")
    return int(only_row(connection, "SELECT version FROM scrubjay.team_version")[0]) if there else 0


def require_current(connection: ServerConnection, known: Sequence[Version] | None = None) -> None:
    """For whoever opens a profile: raises StoreTooNew, or StoreError where the owner has something to do first."""
    known = versions() if known is None else known
    version = version_of(connection)
    _refuse_newer(version, len(known))
    database = connection.info.dbname
    if not version:
        raise StoreError(
            f"There is no team's database in {database}. Its owner makes one with `scrubjay profile create --server`."
        )
    if version < len(known):
        raise StoreError(
            f"The team's database {database} is of an older Scrubjay (format {version}; this one needs {len(known)})."
            " Its owner must run `scrubjay team upgrade` before members can use it with this one."
        )


def profiles(connection: ServerConnection) -> list[tuple[int, str]]:
    """Numbers and names of all profiles, for the owner; for a member, the one that the connection is for."""
    return connection.execute("SELECT id, name FROM scrubjay.team_profile ORDER BY id").fetchall()


def create_profile(connection: ServerConnection, name: str) -> int:
    """Make a profile, as the database's owner, who may then use it; its number.

    Raises ProfileExists where the name is taken, and InvalidProfile for one that is empty or can't be shown.
    """
    if not name.strip() or not name.isprintable():
        raise InvalidProfile("A profile's name needs letters, and none that can't be seen.")
    with alone(connection):
        make = "INSERT INTO scrubjay.team_profile (name) VALUES (%s) ON CONFLICT DO NOTHING RETURNING id"
        row = connection.execute(make, (name,)).fetchone()
        if row is None:
            raise ProfileExists(f"The team has a profile named {name} already.")
        profile = int(row[0])
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema_of(profile))))
        for version in versions():
            _run(connection, version.profile, profile)
        connection.execute(
            "INSERT INTO scrubjay.team_member (member, made_here) VALUES (session_user, false) ON CONFLICT DO NOTHING"
        )
        connection.execute("INSERT INTO scrubjay.team_grant (profile, member) VALUES (%s, session_user)", (profile,))
        _protect(connection, profile)
    return profile


def drop_profile(connection: ServerConnection, profile: int) -> None:
    """Delete a profile with all that is in it, as the database's owner. Raises ProfileNotFound.

    Members keep their roles: take their grants away first (`members.revoke`).
    """
    refuse_others(connection)
    with alone(connection):
        if not connection.execute("DELETE FROM scrubjay.team_profile WHERE id = %s", (profile,)).rowcount:
            raise ProfileNotFound(f"The team has no profile {profile}.")
        connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema_of(profile))))


def give_grants(connection: ServerConnection, profile: int) -> None:
    """Let the members of a profile do what members may, with all tables that there are."""
    _run(connection, _scripts()["profile_grants.sql"], profile)


def _protect(connection: ServerConnection, profile: int) -> None:
    _run(connection, _scripts()["profile_policies.sql"], profile)
    give_grants(connection, profile)


def _lift_policies(connection: ServerConnection, profile: int) -> None:
    """Have a migration see all rows of a profile, whose policies hold for the owner, too; `_protect` puts them back."""
    partitions = "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r'"
    for (name,) in connection.execute(partitions, (schema_of(profile),)).fetchall():
        table = sql.Identifier(schema_of(profile), name)
        connection.execute(sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY").format(table))


@cache
def _scripts() -> dict[str, str]:
    folder = resources.files("scrubjay.profiles.postgres") / "schema"
    return {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir()}


def _run(connection: ServerConnection, script: str, profile: int | None = None) -> None:
    set_up(connection, profile, local=True)
    connection.execute(script.replace("{profile}", str(profile)).encode())


@contextmanager
def alone(connection: ServerConnection, patience: float = PATIENCE) -> Generator[None]:
    """A transaction while nobody else changes the schema. Raises StoreBusy."""
    with connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        connection.execute("SELECT set_config('lock_timeout', %s, true)", (f"{patience:f}s",))
        try:
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        except psycopg.errors.LockNotAvailable as error:
            raise _in_the_way(connection) from error
        yield


def _in_the_way(connection: ServerConnection) -> StoreBusy:
    """The error that says who has the lock; anybody who may come in can take it."""
    held = connection.execute(
        "SELECT DISTINCT usename FROM pg_locks JOIN pg_stat_activity USING (pid)"
        " WHERE locktype = 'advisory' AND granted AND pg_locks.objid = %s AND pg_locks.objsubid = 1",
        (LOCK,),
    )
    names = ", ".join(name for (name,) in held.fetchall())
    return StoreBusy(
        f"Somebody else ({names or 'gone now'}) has been changing the team's database for a while. Try again when that"
        " is done."
    )


def _refuse_newer(version: int, known: int) -> None:
    if version > known:
        raise StoreTooNew(
            f"The team's database was written by a newer Scrubjay (format {version}; this one knows {known}). It has"
            " not been touched: update Scrubjay to open it."
        )
