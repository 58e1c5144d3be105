"""People on machines of their own, and a team's server between them."""

import json
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keyring
import pytest
from click.testing import CliRunner, Result
from psycopg import sql
from psycopg.errors import DependentObjectsStillExist

from scrubjay.daemon.cli.app import scrubjay
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.registry.team_credentials import TeamCredentials, unpacked
from scrubjay.profiles.team.team_schema import prepare
from tests.helpers.file_keyring import FileKeyring
from tests.helpers.installation import Installation
from tests.helpers.team_server import (
    OWNER,
    TeamDatabase,
    TeamServer,
    drop_groups,
    empty_database,
    prepare_template,
    running_server,
    team_server,
)

__all__ = ["team_server"]

_PREPARED = "prepared_for_a_team"
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

    @property
    def kept(self) -> TeamCredentials:
        """What the keyring has of the team's profile."""
        return unpacked(bytes.fromhex(self.keyring[f"profile:{self.profile.id}"]))

    def writes(self, **notes: str) -> None:
        """Put notes into the person's vault, by their names without `.md`."""
        self.installation.write({f"{name}.md": text for name, text in notes.items()})

    def adds_the_vault(self) -> Result:
        """Have the team's profile read it."""
        return self.does("profile", "add-vault", "team", str(self.installation.vault), "--allow", ".")

    def finds(self, query: str, *options: str) -> list[str]:
        """The paths of the notes, by a command that has the indexes to itself."""
        reply = self.json("search", query, *options)
        assert reply["unanswered"] == []
        return [hit["path"] for hit in reply["results"]]

    def is_told(self, *arguments: str, types: str = "", status: int = 1) -> str:
        """All that a refused command says, on one line."""
        done = self.tries(*arguments, types=types)
        assert done.exit_code == status, done.output
        return " ".join(done.output.split())

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

    def owner_with_notes(self, **notes: str) -> Person:
        """Olga, who has brought in her vault, which has these notes."""
        olga = self.person("olga")
        olga.writes(**notes)
        self.owner("--vault", str(olga.installation.vault), "--allow", ".")
        olga.does("index")
        return olga

    def invitation(self, member: str, *options: str) -> str:
        """The line that Olga gives to a member."""
        return self.person("olga").does("team", "grant", member, *options).stdout

    def member(self, name: str, *options: str) -> Person:
        """Somebody who has joined."""
        person = self.person(name)
        person.does("team", "join", *options, types=self.invitation(name))
        return person


@pytest.fixture(scope="session")
def own_server() -> Generator[TeamServer]:
    """A server that may be stopped or frozen without a loss to tests of others; each leaves it running."""
    with running_server() as server:
        prepare_template(server)
        yield server


@pytest.fixture
def team(tmp_path: Path, team_server: TeamServer) -> Generator[Team]:
    with handed_over(team_server) as database:
        yield Team(database, tmp_path)


@contextmanager
def handed_over(server: TeamServer) -> Generator[TeamDatabase]:
    """A database as an operator hands one over, until the block ends; the roles of members go with it.

    Olga's first command finds it as if she had prepared it, which test_operating.py does each time.
    """
    name = f"empty_{secrets.token_hex(4)}"
    with server.as_operator() as operator:
        if not operator.execute("SELECT FROM pg_database WHERE datname = %s", (_PREPARED,)).rowcount:
            empty_database(server, _PREPARED)
            with TeamDatabase(server, _PREPARED).as_owner() as owner:
                prepare(owner)
        copied = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY FILE_COPY")
        operator.execute(copied.format(*map(sql.Identifier, (name, _PREPARED, OWNER))))
    yield TeamDatabase(server, name)
    with server.as_operator() as operator:
        operator.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        drop_groups(operator)
        roles = "SELECT rolname FROM pg_roles WHERE rolname !~ '^(pg|scrubjay)_' AND NOT rolsuper AND rolname <> %s"
        for (role,) in operator.execute(roles, (OWNER,)).fetchall():
            with suppress(DependentObjectsStillExist):  # of a team that a whole module has
                operator.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))
