"""What a team's database needs, and bringing it up to today's schema: by its owner, each version in one transaction."""

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from scrubjay.profiles.errors import (
    InvalidProfile,
    ProfileExists,
    ProfileNotFound,
    StoreBusy,
    StoreDenied,
    StoreError,
    StoreTooNew,
)
from scrubjay.profiles.team.driver import psycopg, sql
from scrubjay.profiles.team.server import ServerConnection, schema_of, set_up

OLDEST_SERVER = 16
OLDEST_VECTOR = "0.8.2"


def refuse_old_server(connection: ServerConnection) -> None:
    """Raises StoreError for a server that is older than OLDEST_SERVER."""
    version = connection.info.server_version // 10_000
    if version < OLDEST_SERVER:
        raise StoreError(
            f"The server has PostgreSQL {version}; a team's profile needs {OLDEST_SERVER} or newer. Ask the server's"
            " operator for an upgrade."
        )


def refuse_others(connection: ServerConnection, *, makes_it: bool = False) -> None:
    """Raises StoreDenied for who does not own the team's tables; makes_it: for who may not make them."""
    owns = "SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'scrubjay'"
    makes = "SELECT has_database_privilege(current_database(), 'CREATE')"
    (may,) = only_row(connection, makes if makes_it else owns)
    if not may:
        raise StoreDenied(
            f"The role {connection.info.user} does not own the team's database {connection.info.dbname}, which alone"
            " may do that. Ask the team's owner."
        )


def have_vector(connection: ServerConnection) -> None:
    """Have pgvector in the database. Raises StoreError and StoreDenied."""
    there, offered = only_row(
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
                f"The role {connection.info.user} may not add the extension pgvector to {connection.info.dbname}. Ask"
                " the server's operator to run `CREATE EXTENSION vector` there."
            ) from error
    types, connection.types, open_to_members = only_row(
        connection,
        "SELECT nspname, CAST(quote_ident(nspname) AS text), has_schema_privilege(nspname, 'USAGE WITH GRANT OPTION')"
        " OR EXISTS (SELECT FROM aclexplode(nspacl) WHERE grantee = 0 AND privilege_type = 'USAGE')"
        " FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'",
    )
    if not open_to_members:
        raise StoreDenied(
            f"pgvector is in the schema {types}, which {connection.info.user} can't let members use. Ask the server's"
            f" operator to run `GRANT USAGE ON SCHEMA {types} TO {connection.info.user} WITH GRANT OPTION`."
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
    if _numbers(version) < _numbers(OLDEST_VECTOR):
        raise StoreError(
            f"The server has pgvector {version}; a team's profile needs {OLDEST_VECTOR} or newer. Ask the server's"
            " operator to install it, and to run `ALTER EXTENSION vector UPDATE` in the database."
        )


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def close_doors(connection: ServerConnection) -> None:
    """Have nobody come into the database, or make things in it, without a grant. Raises StoreDenied.

    Each time, since who may come in is not part of a backup of one database.
    """
    database, public = only_row(connection, "SELECT current_database(), to_regnamespace('public') IS NOT NULL")
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(database)))
    if public:
        connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
    # Where this role does not own what it takes away, PostgreSQL only warns.
    (left_open,) = only_row(
        connection,
        "SELECT count(*) FROM ("
        "SELECT datacl, acldefault('d', datdba) FROM pg_database WHERE datname = current_database()"
        " UNION ALL SELECT nspacl, acldefault('n', nspowner) FROM pg_namespace WHERE nspname = 'public')"
        " AS doors (acl, usual), aclexplode(coalesce(acl, usual)) AS granted WHERE grantee = 0",
    )
    if left_open:
        raise StoreDenied(
            f"The role {connection.info.user} must own the database {database}, so that it can say who may come in. Ask"
            f" the server's operator to run `ALTER DATABASE {database} OWNER TO {connection.info.user}`."
        )


def only_row(connection: ServerConnection, query: str) -> tuple[Any, ...]:
    """The row of a query that has one."""
    (row,) = connection.execute(query.encode()).fetchall()
    return row


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
        for profile, _ in profiles(connection) if found == len(known) else ():
            give_grants(connection, profile)
    with alone(connection, patience):
        there = version_of(connection)  # another command may have got here first
        for number, version in enumerate(known[there:], there + 1):
            if number == 1:
                connection.execute("CREATE SCHEMA scrubjay")
            _run(connection, version.team)
            for profile, _ in profiles(connection):
                _lift_policies(connection, profile)
                _run(connection, version.profile, profile)
            connection.execute("DELETE FROM scrubjay.team_version")
            connection.execute("INSERT INTO scrubjay.team_version (version) VALUES (%s)", (number,))
        if there < len(known):
            _run(connection, _scripts()["team_policies.sql"])
            for profile, _ in profiles(connection):
                _protect(connection, profile)


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
        groups = "SELECT rolname FROM pg_roles WHERE rolname = ANY (ARRAY[group_of(%s, TRUE), group_of(%s, FALSE)])"
        set_up(connection, None)
        for (group,) in connection.execute(groups, (profile, profile)).fetchall():
            take_team(connection, sql.Identifier(group))
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(group)))


def take_team(connection: ServerConnection, role: sql.Identifier) -> None:
    """Take from a role what it may in a team's database, but for what a profile's own schema has."""
    for kind in ("TABLES", "SEQUENCES", "FUNCTIONS"):
        connection.execute(sql.SQL("REVOKE ALL ON ALL {} IN SCHEMA scrubjay FROM {}").format(sql.SQL(kind), role))
    connection.execute(sql.SQL("REVOKE ALL ON SCHEMA scrubjay FROM {}").format(role))
    database, types = only_row(
        connection,
        "SELECT current_database(), nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace"
        " WHERE extname = 'vector'",
    )
    connection.execute(sql.SQL("REVOKE ALL ON SCHEMA {} FROM {}").format(sql.Identifier(types), role))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM {}").format(sql.Identifier(database), role))


def give_grants(connection: ServerConnection, profile: int) -> None:
    """Let the members of a profile do what members may, with all tables that there are, and nobody else."""
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
    folder = resources.files("scrubjay.profiles.team") / "schema"
    return {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir()}


def _run(connection: ServerConnection, script: str, profile: int | None = None) -> None:
    set_up(connection, profile)
    connection.execute(script.replace("{profile}", str(profile)).encode())


@contextmanager
def as_owner(connection: ServerConnection) -> Generator[None]:
    """A transaction as the role that owns the team's database, where who asks is a member of it.

    What is made in it is that role's: persons come and go.
    """
    with connection.transaction():
        owner = connection.execute(
            "SELECT rolname FROM pg_roles JOIN pg_database ON pg_roles.oid = coalesce("
            "(SELECT nspowner FROM pg_namespace WHERE nspname = 'scrubjay'), datdba)"
            " WHERE datname = current_database() AND pg_has_role(pg_roles.oid, 'SET') AND NOT rolsuper"
        ).fetchone()
        if owner is not None:
            connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(owner[0])))
        yield


@contextmanager
def alone(connection: ServerConnection, patience: float = PATIENCE) -> Generator[None]:
    """A transaction as the owner while nobody else changes the schema. Raises StoreBusy."""
    with as_owner(connection):
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
