"""Scanning real folders: what is found, what is not entered, and what can't be looked at."""

import os
import random
import shutil
import string
import sys
import unicodedata
from pathlib import Path

import pytest

from scrubjay.daemon.vault.read import FileStamp
from scrubjay.daemon.vault.scan import ScanResult, scan
from scrubjay.profiles.registry.registry import VaultFolder

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX names or permissions")
NOT_ROOT = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("text")


def look(
    root: Path,
    allow: tuple[str, ...] = (".",),
    exclude: tuple[str, ...] = (),
    only: list[str] | None = None,
    drives: tuple[str, ...] = (),
) -> ScanResult:
    vault = VaultFolder(id="0a1b2c3d", root=str(root), name="vault", allow=allow, exclude=exclude)
    return scan(vault, only=only, drives=drives)


def paths(result: ScanResult) -> list[str]:
    return [stamp.path for stamp in result.files]


def problems(result: ScanResult) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in result.problems]


def test_finds_notes_and_nothing_else(root: Path) -> None:
    write(root, "a.md", "b/c.markdown", "b/D.MD", "b/e.txt", "b/f.canvas", ".obsidian/g.md", "b/.trash/h.md", ".i.md")
    result = look(root)
    assert paths(result) == ["a.md", "b/D.MD", "b/c.markdown"]
    assert problems(result) == []
    assert result.unseen == ()


def test_stamps_are_those_of_the_file(root: Path) -> None:
    write(root, "a.md")
    os.utime(root / "a.md", ns=(1, 1_700_000_000_123_456_789))
    stats = (root / "a.md").stat()
    changed_ns = stats.st_ctime_ns if os.name == "posix" else 0
    assert look(root).files == (FileStamp("a.md", stats.st_mtime_ns, 4, changed_ns=changed_ns),)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any date")
@pytest.mark.parametrize("seconds", [-11_644_473_600, 15_000_000_000, -10_000_000_000])
def test_a_date_beyond_what_a_database_can_keep_is_moved_to_its_edge(root: Path, seconds: int) -> None:
    write(root, "a.md")
    os.utime(root / "a.md", (seconds, seconds))
    if (root / "a.md").stat().st_mtime != seconds:
        pytest.skip("this file system keeps no such date")
    [stamp] = look(root).files
    assert stamp.mtime_ns == (2**63 - 1 if seconds > 0 else -(2**63))


@pytest.mark.parametrize(
    ("allow", "exclude", "expected"),
    [
        ((), (), []),
        (("b/d",), (), ["b/d/e.md"]),
        (("b/d/e.md", "a.md"), (), ["a.md", "b/d/e.md"]),
        ((".",), ("b/d",), ["a.md", "b/c.md"]),
    ],
)
def test_only_what_is_allowed(
    root: Path, allow: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    write(root, "a.md", "b/c.md", "b/d/e.md")
    assert paths(look(root, allow, exclude)) == expected


def test_obsidians_excluded_files_are_left_out(root: Path) -> None:
    write(root, "a.md", "Templates/b.md", "x.excalidraw.md")
    (root / ".obsidian").mkdir()
    (root / ".obsidian/app.json").write_text(r'{"userIgnoreFilters": ["Templates/", "/\\.excalidraw/", "/(/"]}')
    result = look(root)
    assert paths(result) == ["a.md"]
    assert problems(result) == [(".obsidian/app.json", "ignore-filter")]


def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    write(root, "a.md", "folder/b.md")
    write(tmp_path / "outside", "secret.md")
    (root / "folder/loop").symlink_to(root, target_is_directory=True)
    (root / "inside.md").symlink_to(root / "a.md")
    (root / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
    (root / "out.md").symlink_to(tmp_path / "outside/secret.md")
    (root / "broken.md").symlink_to(root / "nowhere.md")
    (root / "self.md").symlink_to(root / "self.md")
    result = look(root)
    assert paths(result) == ["a.md", "folder/b.md"]
    assert problems(result) == [("out", "link-outside"), ("out.md", "link-outside")]


def test_a_link_to_what_is_not_allowed_opens_no_way_to_it(root: Path) -> None:
    write(root, "open/a.md", "closed/b.md")
    (root / "open/way").symlink_to(root / "closed", target_is_directory=True)
    assert paths(look(root, ("open",))) == ["open/a.md"]
    assert paths(look(root, ("open",), only=["open/way/b.md"])) == []


def test_the_vault_itself_may_be_reached_by_a_link(root: Path, tmp_path: Path) -> None:
    write(root, "a.md")
    (tmp_path / "link").symlink_to(root, target_is_directory=True)
    assert paths(look(tmp_path / "link")) == ["a.md"]


@POSIX
def test_composed_and_decomposed_names_meet(root: Path) -> None:
    name = unicodedata.normalize("NFD", "Café")
    write(root, f"{name}/{name}.md")
    result = look(root, ("Café",))
    assert paths(result) == ["Café/Café.md"]
    assert unicodedata.normalize("NFC", result.files[0].disk_path or result.files[0].path) == "Café/Café.md"
    assert paths(look(root, only=["Café/Café.md"])) == paths(look(root, only=[f"{name}/{name}.md"])) == paths(result)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that keeps both names")
@pytest.mark.parametrize("only", [None, ["e\u0301"], ["é/é.md"]])
def test_two_names_that_differ_only_in_normalisation_are_told_apart(root: Path, only: list[str] | None) -> None:
    write(root, "é/é.md", "é/e\u0301.md", "e\u0301/é.md")
    result = look(root, only=only)
    assert paths(result) == sorted(["é/é.md", "é/e\u0301.md", "e\u0301/é.md"])
    assert problems(result) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any bytes for a name")
def test_a_name_that_is_not_unicode_is_reported(root: Path) -> None:
    write(root, "a.md")
    for name in (b"bad\xff.md", b"folder\xfe"):
        target = os.path.join(os.fsencode(root), name)  # noqa: PTH118 - pathlib takes no bytes
        if name.endswith(b".md"):
            with open(target, "w") as file:  # noqa: PTH123
                file.write("x")
        else:
            os.mkdir(target)  # noqa: PTH102
    result = look(root)
    assert paths(result) == ["a.md"]
    assert problems(result) == [("bad?.md", "name-not-utf8"), ("folder?", "name-not-utf8")]


@POSIX
def test_a_pipe_named_like_a_note_is_no_note(root: Path) -> None:
    write(root, "a.md")
    os.mkfifo(root / "pipe.md")
    assert paths(look(root)) == ["a.md"]


@NOT_ROOT
def test_a_folder_without_permission_is_named_and_its_notes_are_not_forgotten(root: Path) -> None:
    write(root, "a.md", "closed/b.md")
    (root / "closed").chmod(0)
    try:
        result = look(root)
    finally:
        (root / "closed").chmod(0o700)
    assert paths(result) == ["a.md"]
    assert problems(result) == [("closed", "unreadable-folder")]
    assert result.unseen == ("closed",)


def test_a_vault_that_is_gone_is_a_problem_and_nothing_is_forgotten(root: Path) -> None:
    root.rmdir()
    for result in (look(root), look(root, only=["a/b.md"])):
        assert result.files == ()
        assert problems(result) == [(".", "vault-gone")]
        assert result.unseen == ("",)


@pytest.mark.parametrize("litter", ["", ".obsidian/workspace.json", ".DS_Store", "lost+found/x"])
def test_what_programs_leave_in_a_mount_point_does_not_make_it_a_vault(root: Path, litter: str) -> None:
    write(root, *filter(None, [litter]))
    found = [look(root), look(root, only=["a.md"])]
    assert [(problems(each), each.unseen) for each in found] == [([(".", "vault-empty")], ("",))] * 2
    write(root, "a.md")
    found = [look(root), look(root, only=["a.md"])]
    assert [(problems(each), each.unseen) for each in found] == [([], ())] * 2


@POSIX
def test_settings_that_are_a_pipe_do_not_hang_the_scan(root: Path) -> None:
    write(root, "a.md")
    (root / ".obsidian").mkdir()
    os.mkfifo(root / ".obsidian/app.json")
    assert paths(look(root)) == ["a.md"]


def test_an_allowed_folder_that_is_not_there_is_named(root: Path) -> None:
    write(root, "Notes/a.md")
    result = look(root, ("Notes", "Nots", "b.md"))
    assert paths(result) == ["Notes/a.md"]
    assert problems(result) == [("Nots", "allowed-missing"), ("b.md", "allowed-missing")]
    assert (result.unseen, result.away) == ((), ("Nots",))


@pytest.mark.parametrize("only", [["b"], ["b/d"], ["b/d/e.md"]])
def test_an_allowed_folder_is_away_also_for_who_looks_at_a_part(root: Path, only: list[str]) -> None:
    write(root, "a.md")
    assert look(root, ("a.md", "b/d"), only=only).away == ("b/d",)
    write(root, "b/d/e.md")
    assert look(root, ("a.md", "b/d"), only=only).away == ()


def test_a_drive_that_was_mounted_in_the_vault_is_away_until_it_is_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "a.md", "b/drive/c.md", "b/drive/d/e.md")
    mounted = {str(root / "b/drive"), str(root / "b/drive/d")}

    def device(folder: str) -> int:
        return 2 if folder in mounted else 1

    monkeypatch.setattr("scrubjay.daemon.vault.scan._device", device)
    there = look(root)
    assert (there.drives, there.away) == (("b/drive",), ())
    shutil.rmtree(root / "b/drive/d")
    (root / "b/drive/c.md").unlink()
    mounted.clear()
    for only in (None, ["b/drive/c.md"], ["a.md"]):
        away = look(root, only=only, drives=there.drives)
        assert (away.drives, away.away, problems(away)) == (("b/drive",), ("b/drive",), [("b/drive", "drive-away")])
    excluded = look(root, exclude=("b",), drives=there.drives)
    assert (excluded.drives, excluded.away) == ((), ())


@POSIX
def test_a_link_in_the_place_of_an_allowed_folder_is_not_looked_behind(root: Path, tmp_path: Path) -> None:
    write(tmp_path, "outside/d/e.md")
    (root / "b").symlink_to(tmp_path / "outside", target_is_directory=True)
    result = look(root, ("b/d",))
    assert (paths(result), result.away) == ([], ())


def test_a_credential_in_the_name_of_what_fails_is_hidden(root: Path, tmp_path: Path) -> None:
    token = "ghp" + "_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))
    (root / token).symlink_to(tmp_path, target_is_directory=True)
    result = look(root)
    assert [problem.code for problem in result.problems] == ["link-outside"]
    assert token not in repr(result)


class TestOnly:
    @pytest.fixture(autouse=True)
    def notes(self, root: Path) -> None:
        write(root, "a.md", "b/c.md", "b/d/e.md", "b/d/f.md", "x/y.md")

    @pytest.mark.parametrize(
        ("only", "expected"),
        [
            (["b"], ["b/c.md", "b/d/e.md", "b/d/f.md"]),
            (["b/d/", "b/d/e.md"], ["b/d/e.md", "b/d/f.md"]),
            (["."], ["a.md", "b/c.md", "b/d/e.md", "b/d/f.md", "x/y.md"]),
            (["gone.md", "gone/too.md", "a.md/x.md"], []),
            (["b/../a.md", "../vault/a.md", "/etc/x.md"], []),
        ],
    )
    def test_some_paths(self, root: Path, only: list[str], expected: list[str]) -> None:
        result = look(root, only=only)
        assert paths(result) == expected
        assert problems(result) == []

    def test_what_is_not_allowed_is_not_entered(self, root: Path) -> None:
        assert paths(look(root, ("b/d",), only=["a.md", "x", "b/c.md"])) == []
        assert paths(look(root, ("b/d",), only=["b"])) == ["b/d/e.md", "b/d/f.md"]
        assert paths(look(root, (".",), ("b/d",), only=["b/d/e.md", "b"])) == ["b/c.md"]

    def test_a_new_spelling_of_a_name_is_told_as_the_disk_has_it(self, root: Path) -> None:
        (root / "a.md").rename(root / "A.md")
        found = paths(look(root, only=["a.md", "A.md"]))
        assert found == ["A.md"]

    def test_a_scan_of_some_paths_tells_no_folder_missing(self, root: Path) -> None:
        assert problems(look(root, ("nowhere",), only=["a.md"])) == []


def test_a_folder_that_vanishes_while_it_is_scanned_is_no_error(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "a/x.md", "b/y.md")
    listed = os.scandir

    def vanish(path: str) -> object:
        if path.endswith("b"):
            (root / "b/y.md").unlink()
            (root / "b").rmdir()
        return listed(path)

    monkeypatch.setattr(os, "scandir", vanish)
    result = look(root)
    assert paths(result) == ["a/x.md"]
    assert problems(result) == []


@pytest.mark.parametrize(
    ("excluded", "alike"),
    [
        ("Privat", None),
        ("Private\u200b", "Private"),
        ("\uff30rivate", "Private"),
        ("Private/In ner", "Private/Inner"),
    ],
)
def test_an_exclusion_that_excludes_nothing_is_named_for_as_long_as_it_does(
    root: Path, excluded: str, alike: str | None
) -> None:
    write(root, "Private/Inner/a.md")
    result = look(root, exclude=(excluded,))
    assert problems(result) == [(excluded, "excludes-nothing")]
    assert ("which only looks the same" in result.problems[0].reason) == (alike is not None)
    assert alike is None or repr(alike) in result.problems[0].reason


@pytest.mark.parametrize("excluded", ["private", "PRIVATE/inner", "Private/Inner/a.md", ".trash", "."])
def test_an_exclusion_that_excludes_something_is_not_named(root: Path, excluded: str) -> None:
    write(root, "Private/Inner/a.md")
    assert [code for _, code in problems(look(root, exclude=(excluded,))) if code == "excludes-nothing"] == []


def test_of_a_vault_that_is_away_no_exclusion_is_said_to_exclude_nothing(root: Path) -> None:
    assert problems(look(root, exclude=("Private",))) == [(".", "vault-empty")]


@POSIX
def test_notes_that_are_hard_links_to_elsewhere_are_named(root: Path, tmp_path: Path) -> None:
    write(root, "a.md", "b.md", "Private/c.md")
    (tmp_path / "outside.md").write_text("theirs")
    os.link(tmp_path / "outside.md", root / "linked.md")
    os.link(root / "Private/c.md", root / "copy.md")
    os.link(root / "a.md", root / "same.md")
    result = look(root, exclude=("Private",))
    assert problems(result) == [(".", "hard-links")]
    assert "copy.md, linked.md." in result.problems[0].reason
    assert "linked.md" in paths(result)
