"""The Tab key in a real bash, and what `completion install` leaves in a home."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.installation import Installation, quick_command, wait_until_indexed

NOTES = {
    "Projects/Weir.md": "---\ntags: [river/weir, recipe]\n---\nA heron stood there.\n",
    "Two words/Note.md": "---\ntags: [reed]\n---\nA bittern.\n",
}
# What bash does on Tab: the words of the line, of which it makes more at each colon, and the one that is typed.
TAB = """
. "$HOME/.bashrc"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_scrubjay_completion scrubjay 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


@pytest.fixture
def place(tmp_path: Path) -> Installation:
    (tmp_path / ".bashrc").write_text("A=1\n")
    made = Installation(tmp_path, environment={"HOME": str(tmp_path), "SHELL": "/bin/bash"})
    made.run("completion", "install")
    return made


def completed(place: Installation, *words: str) -> list[str]:
    program = place.root / "bin" / "scrubjay"
    program.parent.mkdir(exist_ok=True)
    quoted = " ".join(f"'{part}'" for part in quick_command())
    program.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    program.chmod(0o755)
    home = {"HOME": str(place.root), "SCRUBJAY_HOME": str(place.root / "home")}
    done = subprocess.run(
        ["bash", "--norc", "-c", TAB, "bash", "scrubjay", *words],
        env={**home, "PATH": f"{program.parent}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def test_tab_completes_and_opens_nothing_where_no_daemon_runs(place: Installation) -> None:
    place.write(NOTES)
    place.create_profile("notes")
    assert completed(place, "search", "--profile", "") == ["notes"]
    assert completed(place, "search", "tag", ":", "r") == []
    expected: dict[tuple[str, ...], list[str]] = {
        ("cred",): ["credentials"],
        ("profile", "ren"): ["rename"],
        ("profile", "lock", "n"): ["notes"],
        ("search", "tag", ":", "r"): ["recipe", "reed", "river/weir"],
        ("search", "heron", "tag", ":"): ["recipe", "reed", "river/weir"],
        ("search", "path", ":", "P"): ["Projects"],
        ("search", "path", ":", "Two"): [],  # has a blank, which the query and the shell would want quoted
        ("search", "profile", ":", ""): ["notes"],
        ("search", "pro"): ["profile:"],
        ("search", "her"): [],
    }
    with place.daemon() as client:
        wait_until_indexed(client)
        assert {words: sorted(completed(place, *words)) for words in expected} == expected


def test_uninstalling_takes_the_completion_away(place: Installation) -> None:
    startup = place.root / ".bashrc"
    assert "completion.bash" in startup.read_text()
    said = place.run("uninstall", "--yes").stdout
    assert "completion.bash" in said.replace("\n", "")
    assert (startup.read_text(), list(place.home.data.glob("completion*"))) == ("A=1\n", [])
