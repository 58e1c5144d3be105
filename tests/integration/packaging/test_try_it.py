"""`make run`, again and again and in whatever surroundings."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.daemon.home import Home
from scrubjay.daemon.settings import load_settings
from scrubjay.profiles.registry.registry import Registry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no make run")
TRY_IT = Path(__file__).parents[3] / "packaging" / "try_it.py"
_LAST = re.compile(r"Ctrl-C stops")


def vault(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "Heron.md").write_text("A heron.\n", encoding="utf-8")
    return folder


def make_run(folder: Path, home: str, *arguments: str, meanwhile: Callable[[], None] = lambda: None) -> str:
    """What it says, from that folder, until the daemon answers or all is over. meanwhile: done while it runs."""
    ran = subprocess.Popen(
        [sys.executable, str(TRY_IT), *arguments],
        cwd=folder,
        env={**os.environ, "SCRUBJAY_HOME": home, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert ran.stdout
    said = ""
    with ran:
        for line in ran.stdout:
            said += line
            if _LAST.search(said):
                meanwhile()
                ran.send_signal(signal.SIGINT)
                break
        said += ran.stdout.read()
    return said


def vaults(home: Path) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """The vaults of each profile, with what may be read of them."""
    return {
        profile.name: [(folder.root, folder.allow) for folder in profile.vaults]
        for profile in Registry(Home.below(home).profiles).list()
    }


def test_a_taken_port_is_told_in_words_of_make(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = make_run(
            tmp_path, str(tmp_path / ".run"), "--vault", str(vault(tmp_path / "Notes")), "--port", str(port)
        )
    assert f"make run PORT={port + 1}" in said


@pytest.mark.slow
def test_what_was_run_once_is_kept_and_a_second_one_beside_it_names_the_page_that_runs(tmp_path: Path) -> None:
    """Over vaults of one name, with a home by a relative path, a port that was named once, and settings."""
    work, private, third = (str(vault(tmp_path / place / "🪶 Notes (2025)")) for place in ("work", "private", "third"))
    settings = Home.below(tmp_path / ".run").settings
    settings.parent.mkdir(parents=True)
    settings.write_text('speed = "full"\nport = 1\n\n[limits]\nresults = 77\n', encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    beside: list[str] = []
    first = make_run(tmp_path, ".run", "--vault", work, "--port", str(port))
    second = make_run(
        tmp_path,
        ".run",
        "--vault",
        private,
        meanwhile=lambda: beside.extend(make_run(tmp_path, ".run", "--vault", each) for each in (work, third)),
    )
    page = second.splitlines()[0]
    assert page.startswith("Search page: file://")
    assert first.splitlines()[0] == page
    assert [said.splitlines()[0] for said in beside] == [page, page]
    assert ["Scrubjay runs already" in said for said in beside] == [True, True]
    assert ["and reads profile Notes 2025 3 now." in said for said in beside] == [False, True]
    assert "Traceback" not in "".join((first, second, *beside))
    assert f"Scrubjay runs at http://127.0.0.1:{port}." in second
    kept = load_settings(settings)
    assert (kept.port, kept.speed, kept.limits.results) == (port, "full", 77)
    assert vaults(tmp_path / ".run") == {
        "Notes 2025": [(work, (".",))],
        "Notes 2025 2": [(private, (".",))],
        "Notes 2025 3": [(third, (".",))],
    }
