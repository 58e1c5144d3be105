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


def names(home: Path) -> list[str]:
    return sorted(profile.name for profile in Registry(Home.below(home).profiles).list())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no make run")
def test_two_vaults_of_one_name_and_a_home_by_a_relative_path(tmp_path: Path) -> None:
    work, private = vault(tmp_path / "work/Notes"), vault(tmp_path / "private/Notes")
    for each in (work, private, work):
        said = make_run(tmp_path, ".run", "--vault", str(each), "--port", "0")
        assert "Traceback" not in said
        assert "Search page: file://" in said
    assert names(tmp_path / ".run") == ["Notes", "Notes 2"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no make run")
def test_a_taken_port_is_told_in_words_of_make(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = make_run(
            tmp_path, str(tmp_path / ".run"), "--vault", str(vault(tmp_path / "Notes")), "--port", str(port)
        )
    assert f"make run PORT={port + 1}" in said


@pytest.mark.skipif(sys.platform == "win32", reason="there is no make run")
def test_a_port_once_named_is_kept_for_the_next_time_and_other_settings_stay(tmp_path: Path) -> None:
    settings = Home.below(tmp_path / ".run").settings
    settings.parent.mkdir(parents=True)
    settings.write_text('speed = "full"\nport = 1\n\n[limits]\nresults = 77\n', encoding="utf-8")
    notes = str(vault(tmp_path / "Notes"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    make_run(tmp_path, ".run", "--vault", notes, "--port", str(port))
    said = make_run(tmp_path, ".run", "--vault", notes)
    assert f"Scrubjay runs at http://127.0.0.1:{port}." in said
    kept = load_settings(settings)
    assert (kept.port, kept.speed, kept.limits.results) == (port, "full", 77)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no make run")
def test_a_second_one_beside_the_first_names_the_page_that_runs(tmp_path: Path) -> None:
    notes, others = (str(vault(tmp_path / name)) for name in ("Notes", "private/Notes"))
    second: list[str] = []
    first = make_run(
        tmp_path,
        ".run",
        "--vault",
        notes,
        "--port",
        "0",
        meanwhile=lambda: second.extend(make_run(tmp_path, ".run", "--vault", each) for each in (notes, others)),
    )
    page = first.splitlines()[0]
    assert page.startswith("Search page: file://")
    assert second[0].splitlines()[0] == page
    assert "Scrubjay runs already" in second[0]
    assert "reads" not in second[0]
    assert "and reads profile Notes 2 now." in second[1]
