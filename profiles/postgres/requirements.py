"""What a team's database needs before anything of ours is put into it, and whom to ask for what is missing."""

import re
from typing import Any

from scrubjay.profiles.errors import StoreDenied, StoreError
from scrubjay.profiles.postgres.driver import psycopg, sql
from scrubjay.profiles.postgres.server import ServerConnection

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
    types, open_to_members = only_row(
        connection,
        "SELECT nspname, has_schema_privilege(nspname, 'USAGE WITH GRANT OPTION')"
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
