"""The program as a whole: the help's order, other names that people try, and a reader who leaves early."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from scrubjay.daemon import __version__
from scrubjay.daemon.cli.app import scrubjay
from tests.helpers.installation import scrubjay_command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(scrubjay, arguments, prog_name="scrubjay")


def test_the_help_begins_with_the_ten_commands_of_every_day_and_no_line_is_wider_than_80_columns() -> None:
    lines = run("--help").stdout.splitlines()
    begin = lines.index("Every day:")
    ten = [line.split()[0] for line in lines[begin + 1 : lines.index("", begin)]]
    assert ten == ["setup", "open", "search", "ask", "recent", "credentials", "review", "status", "start", "doctor"]
    assert max(map(len, lines)) <= 80
    titles = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles[:3] == ["Options:", "Every day:", "Notes:"]
    shown = {line.split()[0] for line in lines[begin:] if line.startswith("  ")}
    assert {*scrubjay.list_commands(click.Context(scrubjay))} - {"version"} <= shown


def test_another_name_for_a_command_is_that_command_and_a_misspelt_one_is_answered_with_the_right_one() -> None:
    for tried, meant in ((["find"], ["search"]), (["read"], ["get"]), (["profile", "add"], ["profile", "create"])):
        assert run(*tried, "--help").stdout == run(*meant, "--help").stdout
        assert run(*tried, "--help").exit_code == 0
    for tried, meant in ((["serch", "heron"], "'search'"), (["profile", "creat"], "'create'")):
        said = run(*tried).stderr
        assert ("Did you mean" in said, meant in said) == (True, True), said


def test_the_version_is_told_however_it_is_asked_for() -> None:
    assert {run(asked).stdout.split()[-1] for asked in ("version", "--version", "-V")} == {__version__}


def test_config_names_the_file_and_every_setting_as_it_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path))
    assert "settings.toml (not there yet)" in run("config").stdout.replace("\n", "")
    file = tmp_path / "config" / "settings.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[limits]\nresults = 77\n", encoding="utf-8")
    rows = [line.split() for line in run("config").stdout.splitlines()]
    assert ["limits.results", "77", "100"] in rows
    assert ["port", "8642"] in rows
    assert '"results": 77' in run("config", "--json").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is told otherwise there")
@pytest.mark.parametrize("arguments", [["--help"], ["config"]])
def test_a_reader_who_has_seen_enough_makes_nothing_fail(arguments: list[str], tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = os.environ | {"SCRUBJAY_HOME": str(tmp_path)}
    done = subprocess.run(
        scrubjay_command(*arguments), stdout=writing, stderr=subprocess.PIPE, env=environment, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
