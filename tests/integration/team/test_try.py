"""`make run-team` as it is tried for the first time."""

import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.packaging.scripts import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="its commands are for a POSIX shell"),
]


def test_what_make_run_team_advises_works_as_it_is_printed_and_ctrl_c_stops_the_server(tmp_path: Path) -> None:
    folder = tmp_path / "trial"
    ours, others = tmp_path / "vault", tmp_path / "another"
    for vault, name in ((ours, "Eels.md"), (others, "Passes.md")):
        vault.mkdir()
        (vault / name).write_text("The eel pass at the weir opens in May.")
    # What was made is there the second time; without a vault, it is shown whatever it was made of.
    for vault, note in ((ours, "Eels.md"), (ours, "Eels.md"), (others, "Passes.md"), (None, "Passes.md")):
        with _trial(folder, vault) as advised:
            shown = [_in_a_shell(each).stdout for each in advised]
        assert [(note in said) for said in shown] == [True, True, False]
        assert all(name in shown[2] for name in ("olga", "anna", "ben"))
        assert not (folder / "server" / "postmaster.pid").exists()


def test_a_trial_that_was_ended_before_it_was_made_is_begun_anew_and_takes_nothing_else_away(tmp_path: Path) -> None:
    vault, folder = tmp_path / "vault", tmp_path / "trial"
    for each in (vault, folder):
        each.mkdir()
        (each / "Eels.md").write_text("The eel pass at the weir opens in May.")
    with _trial(folder, vault):
        pass
    (folder / "made-of").unlink()  # it is written last
    with _trial(folder, vault) as advised:
        assert "Eels.md" in _in_a_shell(advised[0]).stdout
    assert (folder / "Eels.md").exists()


def test_the_people_of_a_trial_have_daemons_at_the_same_time_and_come_in_by_passwords_alone(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Eels.md").write_text("The eel pass at the weir opens in May.")
    with _trial(tmp_path / "trial", vault) as advised:
        be = [each.partition(";")[0] for each in advised]
        try:
            for each in be:
                _in_a_shell(f"{each}; scrubjay start")
            running = [_in_a_shell(f"{each}; scrubjay status --json").stdout for each in be]
            assert ['"team"' in each for each in running] == [True, True, True]
            _in_a_shell(f"{be[0]}; scrubjay team password", types="a wrong one\n", status=1)
            line = next(
                each
                for each in _in_a_shell(f"{be[2]}; scrubjay team new-key").stdout.splitlines()
                if each.startswith("anna")
            )
            _in_a_shell(f"{be[0]}; scrubjay team list", status=1)
            _in_a_shell(f"{be[0]}; scrubjay team join", types=f"{line}\n")
            assert "Eels.md" in _in_a_shell(f"{be[0]}; scrubjay search 'eel pass'").stdout
        finally:
            for each in be:
                _in_a_shell(f"{each}; scrubjay stop", status=None)


def _in_a_shell(line: str, types: str = "", status: int | None = 0) -> "subprocess.CompletedProcess[str]":
    """What is copied into a terminal, and ends with this status (None: with any)."""
    done = subprocess.run(["bash", "-c", line], input=types, capture_output=True, text=True, check=False, cwd=ROOT)
    assert status in (None, done.returncode), done.stdout + done.stderr
    return done


@contextmanager
def _trial(folder: Path, vault: Path | None) -> Generator[list[str]]:
    """A trial that runs, and the commands that it advises."""
    command = [sys.executable, "packaging/team/try_team.py", "--folder", str(folder)]
    command += ["--vault", str(vault)] if vault else []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as trial:
        assert trial.stdout
        try:
            said = [next(trial.stdout)]
            while not said[-1].startswith("Ctrl-C"):
                said.append(next(trial.stdout))
            yield [line.strip() for line in said if line.startswith("    ")]
            trial.send_signal(signal.SIGINT)
            assert trial.wait(60) == 0
        finally:
            trial.kill()
