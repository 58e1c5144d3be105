import os
import stat
from pathlib import Path

import msgspec
import pytest

from profiles.errors import InvalidProfile, ProfileExists, ProfileNotFound
from profiles.registry import Registry, relative_path, vault_folder


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "data")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def test_a_profile_is_there_after_a_restart_as_it_was_made(registry: Registry, vault: Path):
    made = registry.create("Work", vaults=[vault_folder(vault, allow=["Projects"], exclude=["Projects/Private"])])
    assert Registry(registry.folder).get("work") == made
    assert made.vaults[0].allow == ("Projects",)


def test_nothing_is_allowed_unless_said(vault: Path):
    assert vault_folder(vault).allow == ()


def test_names_are_unique_case_aside(registry: Registry):
    registry.create("Work")
    with pytest.raises(ProfileExists, match="Work"):
        registry.create("WORK")


def test_a_renamed_profile_keeps_its_id_and_its_database(registry: Registry):
    made = registry.create("Work")
    renamed = registry.rename("Work", "Office")
    assert (renamed.id, registry.store_path(renamed)) == (made.id, registry.store_path(made))
    with pytest.raises(ProfileNotFound):
        registry.get("Work")


def test_a_profile_can_be_renamed_to_another_case_of_its_own_name(registry: Registry):
    registry.create("work")
    assert registry.rename("work", "Work").name == "Work"


@pytest.mark.parametrize(
    "name", ["", " ", "a/b", "..", "-dash-first", "x" * 41, "tab\tname", "new\nline", "semi;colon"]
)
def test_a_name_that_cannot_be_a_name_is_refused(registry: Registry, name: str):
    with pytest.raises(InvalidProfile):
        registry.create(name)


@pytest.mark.parametrize("name", ["a", "Büro 2", "日本語", "a_b-c", "x" * 40])
def test_a_name_in_any_script_is_fine(registry: Registry, name: str):
    assert registry.create(name).name == name


def test_a_vault_that_holds_the_data_folder_is_refused(registry: Registry, tmp_path: Path):
    with pytest.raises(InvalidProfile, match="own data"):
        registry.create("all", vaults=[vault_folder(tmp_path, allow=["."])])


def test_a_vault_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InvalidProfile, match="not a folder"):
        vault_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("path", ["../other", "a/../../b", "/etc", "C:/Windows", "c:\\x"])
def test_a_path_out_of_the_vault_is_refused(path: str):
    with pytest.raises(InvalidProfile):
        relative_path(path)


@pytest.mark.parametrize(
    ("given", "kept"), [("Projects/", "Projects"), ("a\\b", "a/b"), (".", "."), ("", "."), ("./x", "x")]
)
def test_a_path_has_one_spelling(given: str, kept: str):
    assert relative_path(given) == kept


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")
def test_only_the_owner_can_read_it(registry: Registry):
    folder = registry.folder / registry.create("Work").id
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "profile.toml").stat().st_mode) == 0o600


def test_removing_takes_the_folder_along(registry: Registry):
    folder = registry.folder / registry.create("Work").id
    registry.remove("work")
    assert not folder.exists()
    assert registry.list() == ()


def test_a_broken_settings_file_is_named(registry: Registry):
    path = registry.folder / registry.create("Work").id / "profile.toml"
    path.write_text("name = [", encoding="utf-8")
    with pytest.raises(InvalidProfile, match=r"profile\.toml"):
        registry.list()


def test_a_changed_setting_is_kept(registry: Registry):
    made = registry.create("Work")
    registry.update(msgspec.structs.replace(made, federate=False, filter_groups=("pii",)))
    assert registry.get("Work").federate is False
    assert registry.get("Work").filter_groups == ("pii",)
