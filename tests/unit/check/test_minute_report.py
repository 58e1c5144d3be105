import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TESTS = """
import pytest
def test_right(): pass
def test_wrong(): assert 0
def test_lacking(): pytest.skip("there is no Chromium")
"""


def test_a_whole_run_names_what_fails_and_why_it_skips_and_is_silent_of_the_rest(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.helpers.minute_report", "-ra", "-p", "no:cacheprovider"]
    command += [f"--rootdir={tmp_path}", "-c", "/dev/null", str(tmp_path)]
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False).stdout
    lines = said.splitlines()
    assert "failed: test_some.py::test_wrong" in lines
    assert any(line.startswith("SKIPPED [1]") and line.endswith("there is no Chromium") for line in lines)
    assert "test_right" not in said
