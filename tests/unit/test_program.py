"""How Scrubjay is started on each system: decisions that need none of these systems to be tested."""

import sys
from pathlib import Path

import pytest

from scrubjay.daemon.program import Platform, detached, typed_command, windowless


@pytest.mark.parametrize(
    ("platform", "session", "flags"), [("linux", True, 0), ("darwin", True, 0), ("win32", False, 0x208)]
)
def test_a_daemon_started_in_a_terminal_goes_on_without_it(platform: Platform, session: bool, flags: int) -> None:
    assert detached(platform) == {"start_new_session": session, "creationflags": flags}


@pytest.mark.parametrize(
    ("platform", "program", "beside", "started"),
    [
        ("win32", "python.exe", "pythonw.exe", "pythonw.exe"),
        ("win32", "Python.exe", "pythonw.exe", "pythonw.exe"),
        ("win32", "python.exe", None, "python.exe"),
        ("win32", "scrubjay.exe", "pythonw.exe", "scrubjay.exe"),
        ("linux", "python.exe", "pythonw.exe", "python.exe"),
        ("darwin", "python", "pythonw.exe", "python"),
    ],
)
def test_at_log_in_no_console_window_opens_where_that_can_be_had(
    platform: Platform, program: str, beside: str | None, started: str, tmp_path: Path
) -> None:
    if beside:
        (tmp_path / beside).touch()
    command = windowless([str(tmp_path / program), "-m", "scrubjay.daemon", "run"], platform)
    assert command == [str(tmp_path / started), "-m", "scrubjay.daemon", "run"]


@pytest.mark.skipif(sys.platform == "win32", reason="which() asks for other names there")
@pytest.mark.parametrize(
    ("is_on_path", "home", "typed"),
    [
        (True, None, "scrubjay"),
        (False, None, "'{folder}/scrubjay'"),
        (True, "/home/ann/my trial", "SCRUBJAY_HOME='/home/ann/my trial' scrubjay"),
        (False, "/trial", "SCRUBJAY_HOME=/trial '{folder}/scrubjay'"),
    ],
)
def test_a_command_that_is_printed_works_in_a_terminal_of_this_machine(
    is_on_path: bool, home: str | None, typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "of a trial"
    folder.mkdir()
    for name in ("python", "scrubjay"):
        (folder / name).touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(folder) if is_on_path else "/nowhere")
    assert typed_command("linux", home) == typed.format(folder=folder)
