"""Bringing a team's database up to today's schema: by its owner, each version in one transaction.

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
from typing import Any

import psycopg
from psycopg import sql

from scrubjay.profiles.errors import (
    InvalidProfile,
    ProfileExists,
    ProfileNotFound,
    StoreBusy,
    StoreDenied,
    StoreError,
    StoreTooNew,
)
from scrubjay.profiles.postgres.server import ServerConnection, schema_of, set_up

OLDEST_SERVER = 16
OLDEST_VECTOR = "0.8.2"
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
    """Bring a team's database up to date, as its owner; does nothing where it is.

    Raises StoreTooNew for a database of a later version, which is left as it is; StoreError where the server or pgvector is
    too old; StoreDenied for who may not; StoreBusy where somebody is in the way for longer than `patience` seconds.
    """
    known = versions() if known is None else known
    if connection.info.server_version < OLDEST_SERVER * 10_000:
        raise StoreError(
            f"The server has PostgreSQL {connection.info.server_version // 10_000}; a team's profile needs"
            f" {OLDEST_SERVER} or newer. Ask the server's operator for an upgrade."
        )
    version = version_of(connection)
    _refuse_newer(version, len(known))
    _refuse_others(connection, version)
    with alone(connection, patience):
        _have_vector(connection)
        _close_doors(connection)
    for number, version in enumerate(known, 1):
        with alone(connection, patience):
            # Another command may have got here first.
            if version_of(connection) >= number:
                continue
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
    (there,) = _row(connection, "SELECT to_regclass('scrubjay.team_version') IS NOT NULL")
    return int(_row(connection, "SELECT version FROM scrubjay.team_version")[0]) if there else 0


def require_current(connection: ServerConnection, known: Sequence[Version] | None = None) -> None:
    """For whoever opens a profile: raises StoreTooNew, or StoreError where the owner has something to do first."""
    known = versions() if known is None else known
    version = version_of(connection)
    _refuse_newer(version, len(known))
    if version < len(known):
        where = f"{connection.info.dbname} on the team's server"
        raise StoreError(
            f"{where} is of an older Scrubjay (format {version}; this one needs {len(known)}). Its owner must run"
            " `scrubjay team upgrade` before members can use it with this one."
            if version
            else f"There is no team's database in {where}. Its owner makes one with `scrubjay profile create --server`."
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
            "INSERT INTO scrubjay.team_member (member, made_here) VALUES (current_user, false) ON CONFLICT DO NOTHING"
        )
        connection.execute("INSERT INTO scrubjay.team_grant (profile, member) VALUES (%s, current_user)", (profile,))
        _protect(connection, profile)
    return profile


def drop_profile(connection: ServerConnection, profile: int) -> None:
    """Delete a profile with all that is in it, as the database's owner. Raises ProfileNotFound.

    Members keep their roles: take their grants away first (`members.revoke`).
    """
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


def _row(connection: ServerConnection, query: str) -> tuple[Any, ...]:
    """The row of a query that has one."""
    (row,) = connection.execute(query.encode()).fetchall()
    return row


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
        "SELECT DISTINCT usename FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
        " AND pg_locks.objid = %s AND pg_locks.objsubid = 1",
        (LOCK,),
    )
    names = ", ".join(name for (name,) in held.fetchall())
    return StoreBusy(
        f"Somebody else ({names or 'gone now'}) has been changing the team's database for a while. Try again when that is done."
    )


def _refuse_newer(version: int, known: int) -> None:
    if version > known:
        raise StoreTooNew(
            f"The team's database was written by a newer Scrubjay (format {version}; this one knows {known}). It has not"
            " been touched: update Scrubjay to open it."
        )


def _refuse_others(connection: ServerConnection, version: int) -> None:
    """Raises StoreDenied for who neither has made the team's database nor may make one."""
    owns = "SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'scrubjay'"
    makes = "SELECT has_database_privilege(current_database(), 'CREATE')"
    (may,) = _row(connection, owns if version else makes)
    if not may:
        raise StoreDenied(
            f"The role {connection.info.user} does not own the team's database {connection.info.dbname}, so it can't change"
            " its tables. Ask the owner."
        )


def _have_vector(connection: ServerConnection) -> None:
    """Have pgvector in the database. Raises StoreError and StoreDenied."""
    there, offered = _row(
        connection,
        "SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector'),"
        " (SELECT default_version FROM pg_available_extensions WHERE name = 'vector')",
    )
    refuse_vector(there, offered)
    if there is None:
        try:
            with connection.transaction():
                connection.execute("CREATE EXTENSION vector SCHEMA public")
        except psycopg.errors.InsufficientPrivilege as error:
            raise StoreDenied(
                f"The role {connection.info.user} may not add the extension pgvector to {connection.info.dbname}. Ask the"
                " server's operator to run `CREATE EXTENSION vector` there."
            ) from error
    types, open_to_members = _row(
        connection,
        "SELECT nspname, has_schema_privilege(nspname, 'USAGE WITH GRANT OPTION')"
        " OR EXISTS (SELECT FROM aclexplode(nspacl) WHERE grantee = 0 AND privilege_type = 'USAGE')"
        " FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'",
    )
    if not open_to_members:
        raise StoreDenied(
            f"pgvector is in the schema {types}, which {connection.info.user} can't let members use. Ask the server's operator"
            f" to run `GRANT USAGE ON SCHEMA {types} TO {connection.info.user} WITH GRANT OPTION`."
        )


def refuse_vector(there: str | None, offered: str | None) -> None:
    """Raises StoreError where the version of pgvector that is in a database, or would be, is not new enough.

    there: the version in the database, if any; offered: the one that the server has.
    """
    if there is None and offered is None:
        raise StoreError(
            f"The server has no pgvector. Ask its operator to install pgvector {OLDEST_VECTOR} or newer (the extension"
            " `vector`)."
        )
    version = there or offered or ""
    if [int(number) for number in re.findall(r"\d+", version)] < [int(number) for number in OLDEST_VECTOR.split(".")]:
        raise StoreError(
            f"The server has pgvector {version}; a team's profile needs {OLDEST_VECTOR} or newer. Ask the server's operator"
            " to install it, and to run `ALTER EXTENSION vector UPDATE` in the database."
        )


def _close_doors(connection: ServerConnection) -> None:
    """Have nobody come into the database, or make things in it, without a grant. Raises StoreDenied.

    Each time, since who may come in is not part of a backup of one database.
    """
    database, public = _row(connection, "SELECT current_database(), to_regnamespace('public') IS NOT NULL")
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(database)))
    if public:
        connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
    # Where this role does not own what it takes away, PostgreSQL only warns.
    (left_open,) = _row(
        connection,
        "SELECT count(*) FROM (SELECT datacl, acldefault('d', datdba) FROM pg_database WHERE datname = current_database()"
        " UNION ALL SELECT nspacl, acldefault('n', nspowner) FROM pg_namespace WHERE nspname = 'public')"
        " AS doors (acl, usual), aclexplode(coalesce(acl, usual)) AS granted WHERE grantee = 0",
    )
    if left_open:
        raise StoreDenied(
            f"The role {connection.info.user} must own the database {database}, so that it can say who may come in. Ask the"
            f" server's operator to run `ALTER DATABASE {database} OWNER TO {connection.info.user}`."
        )
