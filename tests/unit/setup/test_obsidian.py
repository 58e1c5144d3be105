"""Which vaults Obsidian knows."""

import json
from pathlib import Path

import pytest

from scrubjay.daemon.program import Platform
from scrubjay.daemon.setup.obsidian_vaults import KnownVault, known_vaults, obsidian_lists


def test_the_vault_opened_last_comes_first_and_each_only_once(tmp_path: Path) -> None:
    for name in ("Old", "New", "Silent"):
        (tmp_path / name).mkdir()
    first, second, root = tmp_path / "1.json", tmp_path / "2.json", tmp_path.resolve()
    vaults = {
        "a": {"path": str(tmp_path / "Old"), "ts": 5},
        "b": {"path": str(tmp_path / "New"), "ts": 9, "open": True},
        "c": {"path": str(tmp_path / "Silent")},
        "d": {"path": str(tmp_path / "Moved away"), "ts": 99},
        "e": {"path": "relative", "ts": 99},
        "f": {"path": "/with\0nul", "ts": 99},
    }
    first.write_text(json.dumps({"vaults": vaults}), encoding="utf-8")
    second.write_text(json.dumps({"vaults": {"a": {"path": str(tmp_path / "Old"), "ts": 7}}}), encoding="utf-8")
    assert known_vaults([first, second, tmp_path / "missing.json"]) == (
        KnownVault(root / "New", 9),
        KnownVault(root / "Old", 7),
        KnownVault(root / "Silent", 0),
    )


def test_a_list_that_cannot_be_read_proposes_nothing(tmp_path: Path) -> None:
    for text in ("", "{", "[]", '{"vaults": 3}', '{"vaults": {"a": "b"}}', "[" * 5_000, "\0"):
        (tmp_path / "obsidian.json").write_text(text)
        assert known_vaults([tmp_path / "obsidian.json"]) == (), text[:20]


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, "/home/ada/.config/obsidian/obsidian.json"),
        ("linux", {"XDG_CONFIG_HOME": "/etc/ada"}, "/etc/ada/obsidian/obsidian.json"),
        ("linux", {}, "/home/ada/.var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json"),
        ("linux", {}, "/home/ada/snap/obsidian/current/.config/obsidian/obsidian.json"),
        ("darwin", {}, "/home/ada/Library/Application Support/obsidian/obsidian.json"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/obsidian/obsidian.json"),
        ("win32", {}, "/home/ada/AppData/Roaming/obsidian/obsidian.json"),
    ],
)
def test_the_list_lies_where_each_system_keeps_it(
    platform: Platform, environment: dict[str, str], expected: str
) -> None:
    assert Path(expected) in obsidian_lists(platform, Path("/home/ada"), environment)
