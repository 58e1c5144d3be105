"""The Tab key in a real bash, and what `completion install` leaves in a home."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.installation import Installation, scrubjay_command, wait_until_indexed

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


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    root = tmp_path_factory.mktemp("completion")
    made = Installation(root, environment={"HOME": str(root), "SHELL": "/bin/bash"})
    made.write(NOTES)
    made.create_profile("notes")
    made.run("completion", "install")
    with made.daemon() as client:
        wait_until_indexed(client)
        yield made


def completed(place: Installation, *words: str) -> list[str]:
    program = place.root / "bin" / "scrubjay"
    program.parent.mkdir(exist_ok=True)
    quoted = " ".join(f"'{part}'" for part in scrubjay_command())
    program.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["bash", "--norc", "-c", TAB, "bash", "scrubjay", *words],
        env={
            "HOME": str(place.root),
            "SCRUBJAY_HOME": str(place.root / "home"),
            "PATH": f"{program.parent}:/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("cred",), ["credentials"]),
        (("profile", "ren"), ["rename"]),
        (("search", "--profile", "n"), ["notes"]),
        (("profile", "lock", "n"), ["notes"]),
        (("search", "tag", ":", "r"), ["recipe", "reed", "river/weir"]),
        (("search", "heron", "tag", ":"), ["recipe", "reed", "river/weir"]),
        (("search", "path", ":", "P"), ["Projects"]),
        (("search", "path", ":", "Two"), []),  # has a blank, which the query and the shell would want quoted
        (("search", "profile", ":", ""), ["notes"]),
        (("search", "pro"), ["profile:"]),
        (("search", "her"), []),
    ],
)
def test_tab_completes(place: Installation, words: tuple[str, ...], expected: list[str]) -> None:
    assert sorted(completed(place, *words)) == expected


def test_without_a_daemon_nothing_is_opened_for_a_tab(tmp_path: Path) -> None:
    made = Installation(tmp_path, environment={"HOME": str(tmp_path), "SHELL": "/bin/bash"})
    made.write(NOTES)
    made.create_profile("notes")
    made.run("completion", "install")
    assert completed(made, "search", "--profile", "") == ["notes"]
    assert completed(made, "search", "tag", ":", "r") == []


def test_uninstalling_takes_the_completion_away(tmp_path: Path) -> None:
    made = Installation(tmp_path, environment={"HOME": str(tmp_path), "SHELL": "/bin/bash"})
    startup = tmp_path / ".bashrc"
    startup.write_text("A=1\n")
    made.run("completion", "install")
    assert "completion.bash" in startup.read_text()
    said = made.run("uninstall", "--yes").stdout
    assert "completion.bash" in said.replace("\n", "")
    assert (startup.read_text(), list(made.home.data.glob("completion*"))) == ("A=1\n", [])


def test_a_misspelt_command_is_answered_with_the_right_one(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    assert "Did you mean" in made.run("serch", "heron", check=False).stderr
    assert "'search'" in made.run("serch", "heron", check=False).stderr
    assert "'create'" in made.run("profile", "creat", check=False).stderr


def test_the_help_shows_every_command_in_one_of_its_sections(tmp_path: Path) -> None:
    said = Installation(tmp_path).run("--help").stdout
    sections = [line for line in said.split("\n") if line.endswith(":") and not line.startswith(" ")]
    assert sections[1:3] == ["Every day:", "Notes:"]
    for command in ("setup", "search", "get", "credentials", "profile", "start", "mcp"):
        assert f"\n  {command} " in said
