"""A Scrubjay of its own for a test: a home, a vault, the real command, the real daemon."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import keyring
from click.testing import CliRunner, Result
from keyring.core import load_keyring

from scrubjay.daemon.cli.app import scrubjay
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.registry.registry import Registry, vault_folder
from scrubjay.profiles.store.packed_texts import texts_within
from tests.helpers.forked import CAN_FORK, forking_program
from tests.helpers.waiting import PATIENCE_SECONDS, until

_READS_AS_IT_IS_IMPORTED = {"model", "download"}  # the environment: a library of it does
# What ends its process or leaves a daemon behind.
_NEED_A_PROCESS = ({"run"}, {"start"}, {"restart"}, {"setup"}, {"open"}, {"--hook"})

PROGRAM = os.environ.get("SCRUBJAY_PROGRAM")
"""The program to be tested in place of this checkout: a stand-alone one, say, which imports nothing from the tests."""


def scrubjay_command(*arguments: str) -> list[str]:
    """The argument list that runs `scrubjay`: this checkout's, or the program that $SCRUBJAY_PROGRAM names."""
    return (
        [str(Path(PROGRAM).absolute()), *arguments]
        if PROGRAM
        else [sys.executable, "-m", "scrubjay.daemon", *arguments]
    )


def quick_command(*arguments: str) -> list[str]:
    """As `scrubjay_command`, without a second of imports where it can: for what is sent no signals."""
    return scrubjay_command(*arguments) if PROGRAM or not CAN_FORK else [*forking_program(), *arguments]


def run_command(
    arguments: Sequence[str], environment: Mapping[str, str], standard_input: str = ""
) -> subprocess.CompletedProcess[str]:
    """What `scrubjay` does with these arguments, in this process, which spares a second of imports.

    environment: takes the place of this process's, and its keyring, while the command runs. An error that the command
    does not expect is raised. In a process of its own runs the program that $SCRUBJAY_PROGRAM names, and the few
    commands that need one.
    """
    if PROGRAM or set(arguments) >= _READS_AS_IT_IS_IMPORTED:
        return run_process(arguments, environment, standard_input)
    if any(words <= set(arguments) for words in _NEED_A_PROCESS):
        return _run(quick_command(*arguments), environment, standard_input)
    done = invoke(arguments, environment, standard_input)
    return subprocess.CompletedProcess(["scrubjay", *arguments], done.exit_code, done.stdout, done.stderr)


def invoke(arguments: Sequence[str], environment: Mapping[str, str], types: str = "") -> Result:
    """As `run_command`, always in this process, with both streams as they came."""
    with _keyring_of(environment):
        # As `daemon.models` sets it: onnxruntime, first imported meanwhile, would send and leave what it likes.
        whole = {**dict.fromkeys(os.environ), **environment, "ORT_DISABLE_TELEMETRY": "1"}
        return CliRunner().invoke(scrubjay, arguments, input=types, env=whole, catch_exceptions=False)


@contextmanager
def _keyring_of(environment: Mapping[str, str]) -> Generator[None]:
    """Have this process use the keyring of an installation: what is made without its commands is found by them."""
    before = keyring.get_keyring()
    keyring.set_keyring(load_keyring(environment["PYTHON_KEYRING_BACKEND"]))
    try:
        yield
    finally:
        keyring.set_keyring(before)


def run_process(
    arguments: Sequence[str], environment: Mapping[str, str], standard_input: str = ""
) -> subprocess.CompletedProcess[str]:
    """As `run_command`, in a process of its own: for commands that end theirs, or that are about it."""
    return _run(scrubjay_command(*arguments), environment, standard_input)


def _run(
    command: Sequence[str], environment: Mapping[str, str], standard_input: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=environment,
        input=standard_input,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@dataclass(frozen=True, slots=True)
class Installation:
    """A home below `root` and a vault beside it. Nothing of the user's own is touched."""

    root: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def home(self) -> Home:
        return Home.below(self.root / "home")

    @property
    def vault(self) -> Path:
        return self.root / "vault"

    def write(self, notes: Mapping[str, str | bytes]) -> None:
        """Write notes into the vault, by vault-relative path."""
        for path, content in notes.items():
            target = self.vault / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())

    def run(self, *arguments: str, check: bool = True, standard_input: str = "") -> subprocess.CompletedProcess[str]:
        """Run `scrubjay` with these arguments, in this process."""
        return _checked(run_command(arguments, self.run_environment(), standard_input), check)

    def invoke(self, *arguments: str, types: str = "") -> Result:
        """As `run`, whatever the exit status, with both streams as they came."""
        return invoke(arguments, self.run_environment(), types)

    def run_process(
        self, *arguments: str, check: bool = True, standard_input: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """As `run`, in a process of its own."""
        return _checked(run_process(arguments, self.run_environment(), standard_input), check)

    def create_profile(self, name: str = "notes", *, exclude: Sequence[str] = ()) -> None:
        """A profile that may read the whole vault but for `exclude`, made without a command, which takes a second."""
        self.vault.mkdir(parents=True, exist_ok=True)
        home = self.home.make()
        home.settings.write_text("speed = 'full'\n", encoding="utf-8")  # nobody works beside a test
        Registry(home.profiles).create(name, vaults=(vault_folder(self.vault, allow=(".",), exclude=exclude),))

    def start(self, port: int = 0, *, forked: bool = False) -> subprocess.Popen[bytes]:
        """Start the daemon and wait until it answers. port: 0 is any free one. forked: for what is sent no signals."""
        self.home.discovery.unlink(missing_ok=True)
        command = quick_command if forked else scrubjay_command
        process = subprocess.Popen(
            command("run", "--port", str(port)),
            env=self.run_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        with contextlib.suppress(AssertionError):
            until(lambda: self.home.discovery.exists() or process.poll() is not None, seconds=PATIENCE_SECONDS)
        if not self.home.discovery.exists():
            process.kill()
            said = b"and what it was forked from still holds what it would say"
            with contextlib.suppress(subprocess.TimeoutExpired):
                said = process.communicate(timeout=5)[1]
            raise AssertionError(f"the daemon did not start: {said.decode()}")
        return process

    @contextmanager
    def daemon(self, port: int = 0, *, forked: bool = True) -> Generator[ScrubjayClient]:
        """A running daemon and a client that holds the user's own token. port: 0 is any free one.

        forked: False for a Python of its own, where its start counts: what it is given in PYTHONPATH, say, or what
        others see of it.
        """
        process = self.start(port, forked=forked)
        try:
            environment = self.run_environment()
            with patch.dict(os.environ, environment), _keyring_of(environment):
                client = ScrubjayClient.discover(self.home)
            with client:
                yield client
        finally:
            process.terminate()
            _, said = process.communicate(timeout=PATIENCE_SECONDS)
            assert process.returncode == 0, said.decode()

    def everything_written(self) -> dict[str, bytes]:
        """The bytes of every file below the home (databases, WALs, logs, state), and the texts packed in them."""
        found = {str(path): path.read_bytes() for path in sorted((self.root / "home").rglob("*")) if path.is_file()}
        unpacked = {f"{path}, unpacked": texts_within(data) for path, data in found.items() if ".sqlite3" in path}
        return found | unpacked

    def run_environment(self) -> dict[str, str]:
        """What a process of this installation is started with."""
        own = {"SCRUBJAY_HOME": str(self.root / "home"), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
        return os.environ | own | dict(self.environment)


def _checked(done: subprocess.CompletedProcess[str], check: bool) -> subprocess.CompletedProcess[str]:
    if check and done.returncode:
        said = f"{done.stdout}{done.stderr}"
        raise AssertionError(f"{' '.join(done.args)} left with {done.returncode}:\n{said}")
    return done


def wait_until_indexed(client: ScrubjayClient, seconds: float = 300) -> None:
    """Wait until every profile is read and embedded."""
    until(lambda: {each.state for each in client.ask(STATUS).profiles} == {"idle"}, lambda: client.ask(STATUS), seconds)
