"""Two users of one machine: the one who runs Scrubjay, and a neighbour with an account of his own."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from scrubjay.daemon.server.access.identity import Discovery, read_discovery
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.plain_http import http_client

NEIGHBOUR = 65_534  # nobody
SCRIPT = (Path(__file__).parent / "neighbour.py").read_bytes()
PYTHONS = (Path(sys.executable).resolve(), Path("/usr/bin/python3"), Path("/usr/local/bin/python3"))


@cache
def neighbours_python() -> Path | None:
    """A Python that another user may run; ours may lie in a folder that is shut to him."""
    for python in PYTHONS:
        try:
            subprocess.run(
                [python, "-I", "-c", ""], user=NEIGHBOUR, group=NEIGHBOUR, extra_groups=[], cwd="/", check=True
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return python
    return None


def start_as_neighbour(attack: str, **arguments: Any) -> subprocess.Popen[bytes]:
    """An attack of `neighbour.py` that begins, as another user without any group of ours."""
    attacker = subprocess.Popen(
        [str(neighbours_python()), "-I", "-", attack, json.dumps(arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        user=NEIGHBOUR,
        group=NEIGHBOUR,
        extra_groups=[],
        cwd="/",
        env={},
    )
    assert attacker.stdin is not None
    attacker.stdin.write(SCRIPT)
    attacker.stdin.close()
    return attacker


def wait_until_there(attacker: subprocess.Popen[bytes]) -> None:
    """Wait until one of those attacks that last has what it needs to see or hear what comes."""
    assert attacker.stdout is not None
    if attacker.stdout.readline() != b"there\n":
        result_of(attacker)
        raise AssertionError("the attack was over before it began")


def result_of(attacker: subprocess.Popen[bytes]) -> Any:
    """What it got hold of."""
    assert attacker.stdout is not None
    assert attacker.stderr is not None
    with attacker:
        said, complaints = attacker.stdout.read(), attacker.stderr.read()
    assert attacker.returncode == 0, complaints.decode()
    return json.loads(said)


def as_neighbour(attack: str, **arguments: Any) -> Any:
    """Run an attack of `neighbour.py` and wait for what it got."""
    return result_of(start_as_neighbour(attack, **arguments))


@dataclass(frozen=True)
class Victim:
    """A user with a daemon, in folders that all may look into but for what Scrubjay itself keeps shut."""

    installation: Installation
    discovery: Discovery
    token: str

    @property
    def port(self) -> int:
        return self.discovery.port

    def http(self, token: str | None = None) -> httpx.Client:
        """Requests of the user's own, or of nobody's."""
        return http_client(self.discovery.url, token)


@pytest.fixture(scope="package", autouse=True)
def _two_users() -> None:
    if not (hasattr(os, "geteuid") and os.geteuid() == 0):
        pytest.skip("becoming another user needs root")
    if neighbours_python() is None:
        pytest.skip("there is no Python here that another user may run")


@pytest.fixture(scope="package")
def public_folder(_two_users: None) -> Iterator[Path]:
    """A folder that everybody may enter and list: what is shut in it, Scrubjay has shut."""
    folder = Path(tempfile.mkdtemp(prefix="scrubjay-attacks-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def browser_in(folder: Path) -> Generator[dict[str, str]]:
    """A browser that only stays open for a while, with what it was started with for all to see."""
    program = folder / "browser.sh"
    program.write_text("#!/bin/sh\nsleep 2\n")
    program.chmod(0o755)
    yield {"BROWSER": f"{program} %s", "HOME": str(folder)}


@contextmanager
def running(installation: Installation, port: int = 0) -> Generator[Victim]:
    """The user's daemon while the block runs; port: 0 is any free one."""
    with installation.daemon(port):
        found = read_discovery(installation.home.discovery)
        assert found is not None
        yield Victim(installation, found, installation.run("token").stdout.strip())


@pytest.fixture(scope="package")
def victim(public_folder: Path) -> Iterator[Victim]:
    root = public_folder / "user"
    root.mkdir()
    temporary = root / "tmp"
    temporary.mkdir()
    temporary.chmod(0o1777)
    with browser_in(root) as environment:
        installation = Installation(root, {**environment, "TMPDIR": str(temporary)})
        installation.write({"Diary.md": "A jackdaw sat on the chimney.", "Private/Salary.md": "More than last year."})
        installation.create_profile(exclude=("Private",))
        (root / "home").chmod(0o755)  # as somebody's own folder may be: what is in it must be shut by itself
        with installation.daemon(forked=False) as client:
            wait_until_indexed(client)
            found = read_discovery(installation.home.discovery)
            assert found is not None
            yield Victim(installation, found, installation.run("token").stdout.strip())
