"""What docs/team-server.md and packaging/team/ tell a server's operator to do, done on a real server."""

import os
import re
import secrets
import subprocess
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from scrubjay.profiles.team.server import connect
from scrubjay.profiles.team.team_key import Invitation
from tests.helpers.team_server import OWNER, TeamDatabase, TeamServer, empty_database, running_server
from tests.integration.docs.examples import examples_of
from tests.integration.packaging.scripts import ROOT
from tests.integration.team.conftest import Person, Team

PAGE = (ROOT / "docs" / "team-server.md").read_text(encoding="utf-8")
FOLDER = ROOT / "packaging" / "team"
COMPOSE: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
DATABASE: dict[str, Any] = COMPOSE["services"]["database"]


@pytest.fixture(scope="module")
def server() -> Generator[TeamServer]:
    """A server whose roles and databases are the test's alone."""
    with running_server() as own:
        yield own


def block(beginning: str, page: str = "team-server.md") -> str:
    """The block of a page that begins so."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (found,) = (each.text for each in examples_of(f"docs/{page}", text) if each.text.startswith(beginning))
    return found


def as_operator(server: TeamServer, script: str, folder: Path, types: str = "") -> None:
    """Run what the page shows, in a shell of the operator's, who has no terminal here."""
    environment = {
        **os.environ,
        "PATH": f"{server.handle.bin_path}:{os.environ['PATH']}",
        "PGHOST": str(server.handle.get_postmaster_info().socket_dir),
        "PGUSER": "postgres",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env=environment,
        cwd=folder,
        input=types,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def refuses_large_objects(server: TeamServer, owner: Person) -> None:
    """A reader, who may write nothing, does not fill the server's disk by what belongs to no table either."""
    line = owner.does("team", "grant", "rita", "--as", "reader").stdout
    password = Invitation.parse(line).password
    for make in ("lo_create(0)", "lo_creat(-1)", "lo_from_bytea(0, 'a')"):
        with (
            connect(server.address("rita", "notes"), password, timeout=30) as rita,
            pytest.raises(InsufficientPrivilege),
        ):
            rita.execute(f"SELECT {make}".encode())


def test_what_an_operator_is_told_makes_a_database_that_a_team_can_begin_in(server: TeamServer, tmp_path: Path) -> None:
    word = secrets.token_urlsafe(12)
    as_operator(server, block("createuser"), tmp_path, types=f"{word}\n{word}\n")
    server.passwords["owner"] = word
    team = Team(TeamDatabase(server, "notes"), tmp_path)
    olga = team.person("olga")
    olga.does("profile", "create", "team", "--server", str(server.address("owner", "notes")), types=f"{word}\n")
    anna = team.person("anna")
    anna.does("team", "join", types=olga.does("team", "grant", "anna").stdout)
    refuses_large_objects(server, olga)
    olga.does("team", "drop", "team", types="team\n")
    with server.as_operator() as operator:
        operator.execute("DROP DATABASE notes")
        operator.execute("DROP ROLE owner, notes_team")


def test_a_backup_by_the_page_is_back_with_its_members_and_their_searches(server: TeamServer, tmp_path: Path) -> None:
    empty_database(server, "notes")
    with server.as_operator("notes") as operator:
        operator.execute("REVOKE EXECUTE ON FUNCTION lo_creat, lo_create, lo_from_bytea FROM PUBLIC")
    team = Team(TeamDatabase(server, "notes"), tmp_path)
    olga, anna = team.owner_with_notes(Birds="The kittiwake nests on the cliff."), team.member("anna")
    before = anna.json("search", "kittiwake")["results"]
    assert [hit["path"] for hit in before] == ["Birds.md"]
    as_operator(server, block("pg_dumpall"), tmp_path)
    with server.as_operator() as operator:
        operator.execute("DROP DATABASE notes WITH (FORCE)")
        operator.execute("DROP ROLE anna")
    restore = block("psql --quiet").replace("--owner=notes_team", f"--owner={OWNER}")
    as_operator(server, restore, tmp_path)
    after = anna.json("search", "kittiwake")["results"]
    assert [(hit["path"], hit["score"]) for hit in after] == [(hit["path"], hit["score"]) for hit in before]
    olga.writes(Fish="The gurnard walks on the sand.")
    olga.does("index")
    assert anna.finds("gurnard")[0] == "Fish.md"
    refuses_large_objects(server, olga)
    assert anna.tries("team", "grant", "ben").exit_code == 1
    olga.does("team", "drop", "team", types="team\n")
    with server.as_operator() as operator:
        operator.execute("DROP DATABASE notes")


def test_what_an_operator_is_told_to_watch_is_there(server: TeamServer, tmp_path: Path) -> None:
    empty_database(server, "notes")
    olga = Team(TeamDatabase(server, "notes"), tmp_path).owner()
    olga.writes(Birds="The kittiwake nests on the cliff.")
    olga.adds_the_vault()
    olga.does("index")
    (tmp_path / "watcher.sql").write_text(block("CREATE ROLE watcher", "team-operating.md"))
    (tmp_path / "watch.sql").write_text(block("SELECT * FROM scrubjay.operating", "team-operating.md"))
    as_operator(server, "psql --set=ON_ERROR_STOP=1 --file=watcher.sql notes", tmp_path)
    for user in ("postgres", "watcher"):
        look = f"PGUSER={user} PGPASSWORD=… psql --set=ON_ERROR_STOP=1 --csv --file=watch.sql --output={user}.csv notes"
        as_operator(server, look, tmp_path)
        seen = (tmp_path / f"{user}.csv").read_text()
        assert "kittiwake" not in seen
        assert re.search(r"^1,team,\d+,", seen, re.MULTILINE)
        assert re.search(r"^1,[0-9a-f]{16},1$", seen, re.MULTILINE), "a machine with one note"
    with server.as_operator("notes") as operator:
        operator.execute("SET ROLE watcher")
        for table in ("scrubjay.chunk", "scrubjay.note", "scrubjay_p1.chunk", "scrubjay.team_key"):
            with pytest.raises(InsufficientPrivilege):
                operator.execute(f"SELECT * FROM {table}".encode())
        operator.execute("RESET ROLE")
    shown = [(each["action"], each["about"], each["whole"]) for each in olga.json("team", "audit")]
    assert shown[-2:] == [("create", "team", True), ("grant", OWNER, True)]
    with server.as_operator("notes") as operator:
        operator.execute("ALTER TABLE scrubjay.team_audit DISABLE TRIGGER audit_only_grows")
        operator.execute("UPDATE scrubjay.team_audit SET who = 'somebody'")
    told = olga.tries("team", "audit")
    assert (told.exit_code, "is not what was written" in told.output) == (1, True)
    with server.as_operator() as operator:
        operator.execute("DROP DATABASE notes WITH (FORCE)")
        operator.execute("DROP ROLE watcher")


def test_the_script_of_the_compose_file_makes_the_owner_and_its_database(server: TeamServer, tmp_path: Path) -> None:
    word = secrets.token_urlsafe(12)
    (tmp_path / "owner_password").write_text(f"{word}\n")
    script = (FOLDER / "init.sql").read_text().replace("/run/secrets/owner_password", f"{tmp_path}/owner_password")
    (tmp_path / "init.sql").write_text(script)
    as_operator(server, "psql --file=init.sql postgres", tmp_path)
    olga = Team(TeamDatabase(server, "notes"), tmp_path).person("olga")
    olga.does("profile", "create", "team", "--server", str(server.address("owner", "notes")), types=f"{word}\n")
    refuses_large_objects(server, olga)


def flags() -> Mapping[str, str]:
    """The settings that the compose file starts PostgreSQL with."""
    first, *rest = DATABASE["command"]
    assert first == "postgres"
    return {name: value for each in rest for name, _, value in [each.removeprefix("--").partition("=")]}


def test_the_server_takes_every_setting_of_the_compose_file(server: TeamServer) -> None:
    with server.as_operator() as operator:
        known = {name for (name,) in operator.execute("SELECT name FROM pg_settings").fetchall()}
        assert set(flags()) <= known
        for name, value in flags().items():
            # Neither a place in the container, nor what this build of PostgreSQL lacks.
            if not value.startswith("/etc/postgresql/") and name != "ssl":
                # It refuses what can't be; what is set is taken back before the server reads it.
                setting = sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), sql.Literal(value))
                operator.execute(setting)
        operator.execute("ALTER SYSTEM RESET ALL")


def test_the_page_recommends_what_the_compose_file_sets() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| [^|]+ \| ([^|]+) \| [^|]+ \| [^|]+ \|$", PAGE, re.MULTILINE)
    said: dict[str, str] = {}
    for names, values in rows:  # a cell with two names has two values, or one for both
        said |= dict(zip(re.findall(r"\w+", names), values.strip().split(", ") * 2, strict=False))
    own = {name for name in flags() if name.startswith("ssl") or name == "hba_file"}
    assert {name: said[name] for name in flags().keys() - own} == {
        name: value for name, value in flags().items() if name not in own
    }


def test_only_tls_and_passwords_come_in_from_elsewhere() -> None:
    rules = (FOLDER / "pg_hba.conf").read_text().splitlines()
    lines = [line.split() for line in rules if line and not line.startswith("#")]
    assert {line[0] for line in lines} == {"local", "hostssl"}
    assert {line[-1] for line in lines} == {"scram-sha-256"}
    assert (flags()["ssl"], flags()["hba_file"]) == ("on", "/etc/postgresql/pg_hba.conf")


def test_what_the_compose_file_names_is_there_or_told_of() -> None:
    mounted = [volume.split(":")[0] for volume in DATABASE["volumes"]]
    head = (FOLDER / "compose.yaml").read_text().partition("services:")[0]
    for source in mounted + [secret["file"] for secret in COMPOSE["secrets"].values()]:
        name = source.removeprefix("./")
        assert source in COMPOSE["volumes"] or (FOLDER / name).is_file() or name in head, source
    assert set(DATABASE["secrets"]) == set(COMPOSE["secrets"])
    targets = {volume.split(":")[1] for volume in DATABASE["volumes"]}
    assert {value for value in flags().values() if value.startswith("/etc/")} <= targets
    assert DATABASE["environment"]["POSTGRES_PASSWORD_FILE"].rpartition("/")[2] in COMPOSE["secrets"]


def test_the_compose_file_says_when_the_server_is_healthy_and_holds_no_secret() -> None:
    assert DATABASE["healthcheck"]["test"][:2] == ["CMD", "pg_isready"]
    assert set(DATABASE["healthcheck"]) <= {"test", "interval", "timeout", "retries", "start_period"}
    assert not [name for name in DATABASE["environment"] if name.endswith("PASSWORD")]
    memory = {name: _megabytes(value) for name, value in flags().items() if value.endswith(("GB", "MB"))}
    assert _megabytes(DATABASE["shm_size"]) >= memory["maintenance_work_mem"]
    assert memory["shared_buffers"] < memory["effective_cache_size"]


def _megabytes(size: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([a-zA-Z]+)", size).groups()  # pyright: ignore[reportOptionalMemberAccess]
    return int(number) * {"mb": 1, "gb": 1024}[unit.lower()]
