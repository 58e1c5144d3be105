import os
import re
import stat
from pathlib import Path

import msgspec
import pytest

from scrubjay.profiles.errors import InvalidProfile, ProfileExists, ProfileNotFound
from scrubjay.profiles.private_files import FileBusy
from scrubjay.profiles.registry.profile_settings import FolderDescription
from scrubjay.profiles.registry.registry import Profile, Registry, relative_path, vault_folder


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "data")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def test_a_profile_is_kept_under_one_name_and_its_id_until_it_is_removed(registry: Registry, vault: Path):
    made = registry.create("Work", vaults=[vault_folder(vault, allow=["Projects"], exclude=["Projects/Private"])])
    assert Registry(registry.folder).get("work") == made
    assert (made.vaults[0].allow, vault_folder(vault).allow) == (("Projects",), ())
    with pytest.raises(ProfileExists, match="Work"):
        registry.create("WORK")
    (registry.folder / "0123456789ab").write_text("", encoding="utf-8")  # a file that is named like a profile
    renamed = registry.rename("Work", "Office")
    assert (renamed.id, registry.store_path(renamed)) == (made.id, registry.store_path(made))
    with pytest.raises(ProfileNotFound):
        registry.get("Work")
    assert registry.rename("office", "OFFICE").name == "OFFICE"
    folder = registry.folder / made.id
    if os.name != "nt":  # which has no mode bits
        assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "profile.toml")] == [0o700, 0o600]
    registry.remove("office")
    assert (folder.exists(), registry.list(), registry.survey().unreadable) == (False, (), ())


def test_a_name_in_any_script_is_fine_and_what_cannot_be_one_is_refused(registry: Registry):
    for name in ("a", "Büro 2", "日本語", "a_b-c", "x" * 40):
        assert registry.create(name).name == name
    for name in ("", " ", "a/b", "..", "-dash-first", "x" * 41, "tab\tname", "new\nline", "semi;colon"):
        with pytest.raises(InvalidProfile):
            registry.create(name)


def test_a_vault_is_a_folder_apart_from_the_data_and_paths_in_it_have_one_spelling(registry: Registry, tmp_path: Path):
    with pytest.raises(InvalidProfile, match="own data"):
        registry.create("all", vaults=[vault_folder(tmp_path, allow=["."])])
    with pytest.raises(InvalidProfile, match="not a folder"):
        vault_folder(tmp_path / "nowhere")
    for given, kept in (("Projects/", "Projects"), ("a\\b", "a/b"), (".", "."), ("./", "."), ("./x", "x")):
        assert relative_path(given) == kept


def test_a_path_out_of_the_vault_or_of_no_name_is_refused():
    for path in ("../other", "a/../../b", "/etc", "C:/Windows", "c:\\x", "", " ", "\t"):
        with pytest.raises(InvalidProfile):
            relative_path(path)


VAULT = '[[vaults]]\nid = "0a1b2c3d"\nroot = "/notes"\nname = "notes"\n'


def settings_of(registry: Registry, name: str) -> Path:
    return registry.folder_of(registry.get(name)) / "profile.toml"


@pytest.mark.parametrize(
    ("written", "named", "wrong"),
    [
        (b"", "", "missing required field `name`"),
        (b'name = "Work"\ncolour = [', "Work", "Invalid value"),
        (b"name = 'Work'", "Work", "missing required field"),
        (b'name = "Work"\ncolour = "#3b82c4"\nfederate = 7', "Work", "Expected `bool`"),
        (b'name = "Work"\ncolour = "red"', "Work", "'red' is not a colour"),
        (b'name = "a/b"\ncolour = "#3b82c4"', "", "'a/b' can't be a name"),
        (b'name = "Work"\ncolour = "#3b82c4"\nexlude = ["Private"]', "Work", "unknown field `exlude`"),
        (f'name = "Work"\ncolour = "#3b82c4"\n{VAULT}exlude = ["Private"]'.encode(), "Work", "unknown field `exlude`"),
        (f'name = "Work"\ncolour = "#3b82c4"\n{VAULT}exclude = ["../x"]'.encode(), "Work", "inside the vault"),
        (f'name = "Work"\ncolour = "#3b82c4"\n{VAULT.replace("/notes", "notes")}'.encode(), "Work", "absolute"),
        (b"\xff\xfe\x00", "", "codec"),
        (b"a = " + b"[" * 5_000, "", "recursion"),
    ],
)
def test_settings_that_cannot_be_used_are_named_and_cost_one_profile(
    registry: Registry, written: bytes, named: str, wrong: str
):
    made, other = registry.create("Work"), registry.create("Home")
    path = settings_of(registry, "Work")
    path.write_bytes(written)
    assert registry.list() == (other,)
    (spoilt,) = registry.survey().unreadable
    assert (spoilt.id, spoilt.name) == (made.id, named or made.id)
    assert str(path) in spoilt.reason
    assert wrong in spoilt.reason
    with pytest.raises(InvalidProfile, match="Mend it"):
        registry.get(spoilt.name)


def test_settings_that_cannot_be_used_are_not_written_over_and_keep_their_name(registry: Registry):
    made = registry.create("Work")
    path = settings_of(registry, "Work")
    path.write_text('name = "Work"\nlocked = maybe', encoding="utf-8")
    with pytest.raises(InvalidProfile):
        registry.change(made.id, lambda now: now)
    with pytest.raises(ProfileExists):
        registry.create("work")
    assert path.read_text(encoding="utf-8") == 'name = "Work"\nlocked = maybe'


def test_of_two_profiles_that_a_person_gave_one_name_one_waits(registry: Registry):
    first, second = sorted((registry.create("Work"), registry.create("Home")), key=lambda made: made.id)
    for made in (first, second):
        path = registry.folder_of(made) / "profile.toml"
        path.write_text(f'name = "Same"\ncolour = "{made.colour}"\n', encoding="utf-8")
    assert [profile.id for profile in registry.list()] == [first.id] == [registry.get("same").id]
    (waiting,) = registry.survey().unreadable
    assert (waiting.id, "another profile named 'Same'" in waiting.reason) == (second.id, True)


def test_a_change_that_an_editor_comes_between_is_made_again_on_what_it_wrote(registry: Registry, vault: Path):
    made = registry.create("Work", vaults=[vault_folder(vault, allow=["."])])
    path = settings_of(registry, "Work")
    saves = iter(('exclude = ["One"]', 'exclude = ["One", "Two"]'))

    def recoloured(now: Profile) -> Profile:
        if (save := next(saves, None)) is not None:
            path.write_text(re.sub(r"exclude = \[.*\]", save, path.read_text()), encoding="utf-8")
        return msgspec.structs.replace(now, colour="#123456")

    assert registry.change(made.id, recoloured) == registry.get("Work")
    assert registry.get("Work").vaults[0].exclude == ("One", "Two")
    assert registry.get("Work").colour == "#123456"


def test_a_change_of_a_file_that_never_stands_still_is_refused(registry: Registry):
    made = registry.create("Work")
    path = settings_of(registry, "Work")

    def restless(now: Profile) -> Profile:
        path.write_text(path.read_text() + "# again\n", encoding="utf-8")
        return msgspec.structs.replace(now, colour="#123456")

    with pytest.raises(FileBusy, match="Nothing was changed"):
        registry.change(made.id, restless)
    assert registry.get("Work").colour == made.colour


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_a_person_wrote_beside_the_values_stays(registry: Registry, vault: Path, end: str):
    made = registry.create("Work", vaults=[vault_folder(vault, allow=["."]), vault_folder(vault, name="More")])
    path = settings_of(registry, "Work")
    lines = path.read_text().splitlines()
    said = [f"{line} # {n}" if "=" in line else line for n, line in enumerate(lines)]
    written = end.join(["# the work profile", *said, ""])
    path.write_bytes(written.encode())
    first = registry.get("Work").vaults[0]
    registry.change(
        made.id,
        lambda now: msgspec.structs.replace(
            now, vaults=(msgspec.structs.replace(first, exclude=("Private",)), *now.vaults[1:]), federate=False
        ),
    )
    assert registry.get("Work").vaults[0].exclude == ("Private",)
    before, after = written.split(end), path.read_bytes().decode().split(end)
    assert len(after) == len(before)
    assert [new for old, new in zip(before, after, strict=True) if old != new and "#" not in new] == []
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 2


def test_paths_that_a_person_typed_stay_as_typed_where_something_else_changes(registry: Registry, vault: Path):
    made = registry.create("work", vaults=(vault_folder(vault, allow=(".",)),))
    file = registry.folder_of(made) / "profile.toml"
    typed = 'exclude = ["archive/", "./Old"]'
    file.write_text(re.sub(r"exclude = \[[^]]*\]", typed, file.read_text()))
    registry.change(made.id, lambda now: msgspec.structs.replace(now, colour="#123456"))
    assert typed in file.read_text()
    changed = registry.current(made)
    assert (changed.colour, changed.vaults[0].exclude) == ("#123456", ("archive", "Old"))

    def more(now: Profile) -> Profile:
        (folder,) = now.vaults
        return msgspec.structs.replace(now, vaults=(msgspec.structs.replace(folder, exclude=(*folder.exclude, "New")),))

    registry.change(made.id, more)
    assert registry.current(made).vaults[0].exclude == ("archive", "Old", "New")


def test_what_is_said_of_a_folder_is_kept_short_and_holds_no_credential(tmp_path: Path, vault: Path):
    registry = Registry(tmp_path / "data", lambda text: "sesame" in text)
    made = registry.create("Work", vaults=[vault_folder(vault, allow=["."])])

    def saying(text: str, folder: str = "./Meetings/") -> Profile:
        said = (FolderDescription(folder=folder, text=text),)
        return msgspec.structs.replace(made, vaults=(msgspec.structs.replace(made.vaults[0], descriptions=said),))

    registry.change(made.id, lambda _: saying("Minutes of team A"))
    assert registry.get("Work").vaults[0].descriptions == (
        FolderDescription(folder="Meetings", text="Minutes of team A"),
    )
    with pytest.raises(InvalidProfile, match="credential"):
        registry.change(made.id, lambda _: saying("Minutes; the word is sesame"))
    settings = registry.folder_of(made) / "profile.toml"
    settings.write_text(settings.read_text().replace("Minutes of team A", "x" * 201))
    with pytest.raises(InvalidProfile, match="length"):
        registry.get("Work")
