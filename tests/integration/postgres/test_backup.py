"""A team's database comes back from PostgreSQL's own backup with its rows, its policies and its members."""

import subprocess
from pathlib import Path

import pytest

from scrubjay.profiles.errors import StoreDenied
from scrubjay.profiles.team.team_schema import prepare
from tests.helpers.team_server import OWNER, TeamDatabase, TeamServer, running_server


def test_after_restoring_on_another_server_an_upgrade_lets_members_in(
    team_database: TeamDatabase, tmp_path: Path
) -> None:
    team_database.add_member("anna", 1)
    with team_database.as_member("anna") as anna:
        anna.execute("INSERT INTO decision (vault, path, digest, standing) VALUES ('v', 'p', 'd', 'done')")
    roles, dump = tmp_path / "roles.sql", tmp_path / "team.dump"
    _run(team_database.server, "pg_dumpall", "--roles-only", "--file", str(roles))
    _run(team_database.server, "pg_dump", "--format=custom", "--file", str(dump), team_database.name)
    with running_server() as server:
        with server.as_operator() as operator:
            operator.execute(f"DROP ROLE {OWNER}".encode())
        _run(server, "psql", "--quiet", "--file", str(roles), "postgres")
        with server.as_operator() as operator:
            operator.execute(f"CREATE DATABASE {team_database.name} OWNER {OWNER}".encode())
        _run(server, "pg_restore", "--exit-on-error", "--dbname", team_database.name, str(dump))
        server.passwords.update(team_database.server.passwords)
        restored = TeamDatabase(server, team_database.name)
        with restored.as_owner() as owner:
            prepare(owner)
        with restored.as_member("anna") as anna:
            assert anna.execute("SELECT path FROM decision").fetchall() == [("p",)]
            anna.execute("SET scrubjay.profile = ''")
            assert anna.execute("SELECT path FROM decision").fetchall() == []


def test_an_upgrade_closes_what_a_restored_database_has_open(team_database: TeamDatabase) -> None:
    # As PostgreSQL makes a database, since who may come in is not part of a backup.
    team_database.add_member("anna", 1)
    with team_database.as_operator() as operator:
        operator.execute(f"GRANT CONNECT, TEMP ON DATABASE {team_database.name} TO PUBLIC".encode())
        operator.execute(f"REVOKE ALL ON DATABASE {team_database.name} FROM anna".encode())
        operator.execute("CREATE ROLE stranger LOGIN PASSWORD 'ssssssssssss'")
    team_database.server.passwords["stranger"] = "s" * 12
    with team_database.as_member("stranger") as stranger:
        stranger.execute("CREATE TEMP TABLE mine (id integer)")
    with team_database.as_owner() as owner:
        prepare(owner)
    with pytest.raises(StoreDenied):
        team_database.as_member("stranger")
    team_database.as_member("anna").close()


def _run(server: TeamServer, program: str, *arguments: str) -> None:
    """One of PostgreSQL's own programs, as the operator."""
    command = [str(server.handle.bin_path / program), "--host", server.address("", "").host, "--username", "postgres"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
