"""Which of the changed paths concern a vault."""

from pathlib import Path

import pytest

from scrubjay.daemon.engine.profile_watch import changed_in

ROOT = Path("/notes/vault")


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        pytest.param(["/notes/vault/a.md", "/notes/vault/b/c.md"], {"a.md", "b/c.md"}, id="notes"),
        pytest.param(["/notes/vault/folder"], {"folder"}, id="folder"),
        pytest.param(["/notes/vault"], {""}, id="the-vault-itself"),
        pytest.param(["/notes"], {""}, id="a-folder-above-it"),
        pytest.param(["/notes/vault2/a.md", "/other/a.md"], set[str](), id="another-place"),
        pytest.param(["/notes/vault/.git/index", "/notes/vault/a/.b/c.md"], set[str](), id="hidden"),
        pytest.param(["/notes/vault/.obsidian/workspace.json"], set[str](), id="obsidians-own"),
        pytest.param(["/notes/vault/.obsidian/app.json"], {""}, id="obsidians-excluded-files"),
        pytest.param(["/notes/vault/.obsidian"], {""}, id="a-new-settings-folder"),
    ],
)
def test_changes_of_a_vault(changed: list[str], found: set[str]) -> None:
    assert changed_in(ROOT, [Path(path) for path in changed]) == found
