"""`make run-team` as it is tried for the first time."""

import signal
import subprocess
import sys
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
        advised = _tried(folder, vault)
        assert [(note in said) for said in advised] == [True, True, False]
        assert all(name in advised[2] for name in ("olga", "anna", "ben"))
        assert not (folder / "server" / "postmaster.pid").exists()


def _tried(folder: Path, vault: Path | None) -> list[str]:
    """What the commands that a trial advises print while it runs."""
    command = [sys.executable, "packaging/team/try_team.py", "--folder", str(folder)]
    command += ["--vault", str(vault)] if vault else []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as trial:
        assert trial.stdout
        try:
            said = [next(trial.stdout)]
            while not said[-1].startswith("Ctrl-C"):
                said.append(next(trial.stdout))
            advised = [line.strip() for line in said if line.startswith("    ")]
            shown = [
                subprocess.run(["bash", "-c", each], capture_output=True, text=True, check=True) for each in advised
            ]
            trial.send_signal(signal.SIGINT)
            assert trial.wait(60) == 0
        finally:
            trial.kill()
    return [each.stdout for each in shown]
