"""The diagnosis for others: all that helps, nothing that tells of the notes' owner."""

import json
import zipfile
from pathlib import Path

import pytest

from scrubjay.daemon.doctor.report import parts, write_report
from scrubjay.daemon.home import Home
from scrubjay.profiles.registry.registry import Registry, vault_folder

SECRET = "ghp" + "_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home.below(tmp_path / "home").make()
    vault = tmp_path / "Divorce papers"
    vault.mkdir()
    Registry(home.profiles).create("Family matters", vaults=(vault_folder(vault, allow=(".",)),))
    home.settings.write_text(f"port = 0\n# {SECRET}\n", encoding="utf-8")
    home.logs.mkdir()
    line = {"at": "2026-01-01", "level": "info", "event": "the daemon is ready"}
    (home.logs / "daemon.log").write_text(json.dumps(line) + "\n", encoding="utf-8")
    return home


def test_it_holds_checks_versions_settings_figures_and_the_log(home: Home) -> None:
    found = parts(home)
    assert "SQLite" in found["checks.txt"]
    assert "onnxruntime" in found["versions.txt"]
    assert "port = 0" in found["settings.toml"]
    assert json.loads(found["figures.json"]) == {"daemon": "not-running"}
    assert "the daemon is ready" in found["log.jsonl"]


def test_no_name_folder_or_credential_of_its_owner_is_in_it(home: Home, tmp_path: Path) -> None:
    text = "\n".join(parts(home).values())
    for private in ("Divorce", "Family matters", SECRET, str(tmp_path / "Divorce papers")):
        assert private not in text


def test_the_computer_that_a_language_model_runs_on_is_not_named(home: Home) -> None:
    home.settings.write_text('[llm]\nurl = "http://gpu.smith.lan/v1"\nallow_host = "gpu.smith.lan"\n', encoding="utf-8")
    settings = parts(home)["settings.toml"]
    assert "http://HOST/v1" in settings
    assert "smith" not in settings


def test_a_profile_that_cant_be_read_is_told_and_named_nowhere(home: Home) -> None:
    [settings] = home.profiles.glob("*/profile.toml")
    settings.write_text('name = "Family matters"\ncolour = "Divorce"\n', encoding="utf-8")
    found = parts(home)
    assert "profile.toml can't be read" in found["checks.txt"]
    assert "Divorce" not in "".join(found.values())
    assert "Family matters" not in "".join(found.values())


def test_in_a_container_whose_home_is_the_root_there_is_nothing_to_take_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/"))
    home = Home.below(tmp_path / "home").make()
    home.settings.write_text("port = 0\n", encoding="utf-8")
    assert parts(home)["settings.toml"] == "port = 0\n"


def test_it_is_one_file_that_only_its_owner_can_read(home: Home, tmp_path: Path) -> None:
    path = write_report(home, tmp_path)
    assert path.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(path) as archive:
        assert set(archive.namelist()) == set(parts(home))
