"""People on machines of their own, and a team's server between them."""

import json
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keyring
import pytest
from click.testing import CliRunner, Result
from psycopg import sql

from scrubjay.daemon.cli.app import scrubjay
from scrubjay.profiles.registry.registry import Profile, Registry
from tests.helpers.file_keyring import FileKeyring
from tests.helpers.installation import Installation
from tests.helpers.team_server import OWNER, TeamDatabase, TeamServer, empty_database, team_server

__all__ = ["team_server"]

BACKEND = "tests.helpers.file_keyring.FileKeyring"


@dataclass(frozen=True)
class Person:
    """Somebody with a home, a vault and a keyring of their own."""

    installation: Installation

    @property
    def registry(self) -> Registry:
        return Registry(self.installation.home.profiles)

    @property
    def profile(self) -> Profile:
        return self.registry.get("team")

    @property
    def keyring(self) -> dict[str, str]:
        kept = Path(self.installation.environment["SCRUBJAY_TEST_KEYRING"])
        return json.loads(kept.read_text()) if kept.exists() else {}

    @contextmanager
    def at_work(self) -> Generator[None]:
        """Within it, this process has the person's home and keyring."""
        before = keyring.get_keyring()
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.installation.environment.items():
                patch.setenv(name, value)
            patch.setenv("SCRUBJAY_HOME", str(self.installation.root / "home"))
            keyring.set_keyring(FileKeyring())
            try:
                yield
            finally:
                keyring.set_keyring(before)

    def tries(self, *arguments: str, types: str = "") -> Result:
        """Run a command in this process."""
        with self.at_work():
            return CliRunner().invoke(scrubjay, list(arguments), input=types, catch_exceptions=False)

    def does(self, *arguments: str, types: str = "") -> Result:
        done = self.tries(*arguments, types=types)
        assert done.exit_code == 0, done.output
        return done

    def json(self, *arguments: str, types: str = "") -> Any:
        return json.loads(self.does(*arguments, "--json", types=types).stdout)


@dataclass(frozen=True)
class Team:
    """Olga, who owns the database, and whoever comes."""

    database: TeamDatabase
    root: Path

    def person(self, name: str) -> Person:
        own = {"PYTHON_KEYRING_BACKEND": BACKEND, "SCRUBJAY_TEST_KEYRING": str(self.root / f"{name}.json")}
        made = Installation(self.root / name, own)
        made.vault.mkdir(parents=True, exist_ok=True)
        return Person(made)

    def owner(self, *options: str, name: str = "team", types: str = "") -> Person:
        """Olga with a profile on the server."""
        olga = self.person("olga")
        said = f"{self.database.owner_password}\n{types}"
        olga.does("profile", "create", name, "--server", str(self.database.owner), *options, types=said)
        return olga

    def invitation(self, member: str, *options: str) -> str:
        """The line that Olga gives to a member."""
        return self.person("olga").does("team", "grant", member, *options).stdout

    def member(self, name: str, *options: str) -> Person:
        """Somebody who has joined."""
        person = self.person(name)
        person.does("team", "join", *options, types=self.invitation(name))
        return person


@pytest.fixture
def team(tmp_path: Path, empty_team_database: TeamDatabase) -> Team:
    return Team(empty_team_database, tmp_path)


@pytest.fixture
def empty_team_database(team_server: TeamServer) -> Generator[TeamDatabase]:
    with handed_over(team_server) as database:
        yield database


@contextmanager
def handed_over(server: TeamServer) -> Generator[TeamDatabase]:
    """A database as an operator hands one over, until the block ends; the roles of members go with it."""
    name = f"empty_{secrets.token_hex(4)}"
    empty_database(server, name)
    yield TeamDatabase(server, name)
    with server.as_operator() as operator:
        operator.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        roles = "SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_' AND NOT rolsuper AND rolname <> %s"
        for (role,) in operator.execute(roles, (OWNER,)).fetchall():
            operator.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))
