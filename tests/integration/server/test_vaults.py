"""Choosing what may be read: the vaults that Obsidian knows, and the folders of one, by their names alone."""

import json
import os
from pathlib import Path

import pytest

from tests.integration.server.conftest import Residents


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for note in ("Work/a.md", "Work/Deep/b.md", "Archive/c.md", "loose.md", ".obsidian/d.md"):
        (tmp_path / "vault" / note).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "vault" / note).write_text("text", encoding="utf-8")
    (tmp_path / "outside" / "Secret").mkdir(parents=True)
    (tmp_path / "vault" / "Linked").symlink_to(tmp_path / "outside")
    copilot = tmp_path / "vault" / ".obsidian/plugins/copilot/data.json"
    copilot.parent.mkdir(parents=True)
    copilot.write_text(json.dumps({"qaExclusions": "Archive"}), encoding="utf-8")
    return tmp_path / "vault"


def test_the_folders_of_a_vault_are_told_with_their_notes(residents: Residents, vault: Path) -> None:
    with residents.http(residents.owner) as http:
        top = http.post("/v1/vaults/folders", json={"root": str(vault)}).json()
        inner = http.post("/v1/vaults/folders", json={"root": str(vault), "below": "Work"}).json()
    assert [(each["name"], each["notes"], each["has_folders"]) for each in top["folders"]] == [
        ("Archive", 1, False),
        ("Work", 2, True),
    ]
    assert (top["loose_notes"], top["complete"], top["excluded_elsewhere"]) == (1, True, ["Archive"])
    assert [each["name"] for each in inner["folders"]] == ["Deep"]
    assert (inner["loose_notes"], inner["excluded_elsewhere"]) == (1, [])


@pytest.mark.parametrize("below", ["..", "../outside", "/etc", "Linked", "Linked/Secret", "Nowhere", "loose.md"])
def test_nothing_outside_the_vault_is_looked_into(residents: Residents, vault: Path, below: str) -> None:
    with residents.http(residents.owner) as http:
        refused = http.post("/v1/vaults/folders", json={"root": str(vault), "below": below})
    assert refused.status_code in (400, 404)
    assert "Secret" not in refused.text.replace(below, "")


def test_a_folder_that_is_not_there_is_named(residents: Residents, vault: Path) -> None:
    with residents.http(residents.owner) as http:
        refused = http.post("/v1/vaults/folders", json={"root": f"{vault} too"})
    assert (refused.status_code, "is not a folder" in refused.json()["detail"]) == (400, True)


def test_vaults_that_obsidian_knows_are_offered_with_their_profile(
    residents: Residents, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = residents.work.vaults[0].root
    known = tmp_path / "config" / "obsidian" / "obsidian.json"
    known.parent.mkdir(parents=True)
    listed = {"1": {"path": str(vault), "ts": 2}, "2": {"path": work, "ts": 1}, "3": {"path": f"{vault} gone"}}
    known.write_text(json.dumps({"vaults": listed}), encoding="utf-8")
    monkeypatch.setitem(os.environ, "XDG_CONFIG_HOME", str(known.parents[1]))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    with residents.http(residents.owner) as http:
        offered = http.get("/v1/vaults").json()["vaults"]
    assert [(each["root"], each["profile"]) for each in offered] == [(str(vault), ""), (work, "work")]
