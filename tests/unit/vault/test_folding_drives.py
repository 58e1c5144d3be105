"""Whether a vault's drive takes "Notes" and "notes" for one name is the drive's to say, not the system's."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from scrubjay.daemon.vault import paths
from scrubjay.daemon.vault.allowlist import Allowance, Allowed
from scrubjay.daemon.vault.paths import folds_case
from scrubjay.daemon.vault.scan import scan
from scrubjay.profiles.registry.registry import VaultFolder, vault_folder


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    (tmp_path / "Work").mkdir()
    (tmp_path / "Private").mkdir()
    for folder in ("Work", "Private"):
        (tmp_path / folder / "Note.md").write_text("heron", encoding="utf-8")
    return vault_folder(tmp_path, allow=("work", "private"), exclude=("PRIVATE",))


def as_on_a_stick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `disk_spelling` find names in other capitals, as FAT has it."""
    real = os.stat

    def stat(path: str, *, follow_symlinks: bool) -> os.stat_result:
        folder, _, name = path.rpartition("/")
        names = [each.name for each in Path(folder).iterdir()]
        spelt = next((each for each in names if each.casefold() == name.casefold()), name)
        return real(f"{folder}/{spelt}", follow_symlinks=follow_symlinks)

    monkeypatch.setattr(paths, "os", SimpleNamespace(stat=stat, scandir=os.scandir))


def test_a_drive_of_this_system_is_asked_and_not_the_system(vault: VaultFolder) -> None:
    other = Path(vault.root) / "wORK"
    assert folds_case(Path(vault.root)) is other.exists()


@pytest.mark.parametrize("usual", [True, False])
def test_where_there_is_nothing_to_compare_the_usual_is_taken(
    usual: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "_FOLDS_CASE_MOSTLY", usual)
    assert folds_case(tmp_path) is usual
    assert folds_case(tmp_path / "not there") is usual
    (tmp_path / "2026-01").mkdir()
    assert folds_case(tmp_path) is usual


def test_an_allowed_folder_is_found_in_other_capitals_and_an_exclusion_wins(
    vault: VaultFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_on_a_stick(monkeypatch)
    assert [found.path for found in scan(vault).files] == ["Work/Note.md"]
    assert isinstance(Allowance.of_vault(vault).decide("Work/Note.md"), Allowed)
