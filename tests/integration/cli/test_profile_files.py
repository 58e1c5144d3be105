"""`scrubjay profile files` shows and changes what is read beside notes; `scrubjay index` reads it without a daemon."""

import json
from pathlib import Path

import pytest

from tests.helpers.installation import Installation


@pytest.mark.slow
def test_files_are_read_without_a_daemon_and_as_the_profile_says(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.write(
        {"log.txt": "The ferry ran aground.", "tool.py": "def lantern():\n    return 1\n", "a.md": "Otter."}
    )
    installation.create_profile()
    assert "1 note, 1 other file" in installation.run("index").stdout
    assert "log.txt" in installation.run("search", "aground").stdout
    changed = json.loads(
        installation.run("profile", "files", "notes", "--by-name", "text", "--code", "py", "--json").stdout
    )
    assert (changed["code"], "text" in changed["kinds"]) == ([".py"], False)
    assert "1 note, 2 other files" in installation.run("index").stdout
    assert "tool.py, line" in installation.run("search", "lantern").stdout
    assert installation.run("search", '"aground"', check=False).returncode == 1
    assert "films" in installation.run("profile", "files", "notes", "--read", "films", check=False).stderr
