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
    vault, folder = tmp_path / "vault", tmp_path / "trial"
    vault.mkdir()
    (vault / "Eels.md").write_text("The eel pass at the weir opens in May.")
    command = [sys.executable, "packaging/team/try_team.py", "--vault", str(vault), "--folder", str(folder)]
    for _ in range(2):  # the second time what was made is there
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as trial:
            assert trial.stdout
            said = [next(trial.stdout)]
            while not said[-1].startswith("Ctrl-C"):
                said.append(next(trial.stdout))
            advised = [line.strip() for line in said if line.startswith("    ")]
            shown = [
                subprocess.run(["bash", "-c", each], capture_output=True, text=True, check=True) for each in advised
            ]
            trial.send_signal(signal.SIGINT)
            assert trial.wait(60) == 0
        assert [("Eels.md" in each.stdout) for each in shown] == [True, True, False]
        assert all(name in shown[2].stdout for name in ("olga", "anna", "ben"))
        assert not (folder / "server" / "postmaster.pid").exists()
