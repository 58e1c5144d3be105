from pathlib import Path

import pytest

from scrubjay.daemon.vault.allowlist import Unread, why_unread
from scrubjay.daemon.vault.file_kinds import wanted_files
from scrubjay.profiles.registry.profile_settings import FileSettings
from scrubjay.profiles.registry.registry import VaultFolder, vault_folder

NOTES = (
    "Notes/Ferry.md",
    "Notes/Private/Diary.md",
    "Other/Plan.md",
    "Notes/.hidden.md",
    "Notes/map.png",
    "Notes/Drafts/a.md",
)


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    root = tmp_path / "vault"
    for path in NOTES:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("A note.", encoding="utf-8")
    (root / ".obsidian").mkdir()
    (root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["Notes/Drafts/"]}', encoding="utf-8")
    (tmp_path / "outside.md").write_text("Not of the vault.", encoding="utf-8")
    return vault_folder(root, allow=["Notes"], exclude=["Notes/Private"])


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("Notes/Ferry.md", "waiting"),
        ("Notes/Private/Diary.md", "excluded"),
        ("Other/Plan.md", "not-allowed"),
        ("Notes/.hidden.md", "hidden"),
        ("Notes/map.png", "not-a-note"),
        ("Notes/Drafts/a.md", "ignored-in-obsidian"),
        ("Notes/Nowhere.md", "absent"),
        ("../outside.md", "absent"),
        ("/etc/passwd", "absent"),
        ("Notes/\0.md", "absent"),
        ("x" * 5_000, "absent"),
    ],
)
def test_the_rule_that_keeps_a_note_out_is_told(vault: VaultFolder, path: str, reason: Unread) -> None:
    assert why_unread(vault, path) == reason


@pytest.mark.parametrize(("path", "reason"), [("Notes/map.png", "waiting"), ("Notes/Ferry.md", "not-a-note")])
def test_a_file_beside_notes_follows_the_same_rules(vault: VaultFolder, path: str, reason: Unread) -> None:
    assert why_unread(vault, path, wanted_files(Path(vault.root), FileSettings())) == reason
