"""Nothing is allowed by default, and an exclusion always wins."""

import json
import os
import unicodedata
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.vault.allowlist import Allowance, Allowed, IgnoreFilters, ReadRefusal, may_explode
from scrubjay.profiles.registry.registry import VaultFolder


def vault(allow: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> VaultFolder:
    return VaultFolder(id="0a1b2c3d", root="/vault", name="vault", allow=allow, exclude=exclude)


def allowance(
    allow: tuple[str, ...] = (), exclude: tuple[str, ...] = (), filters: tuple[str, ...] = (), fold_case: bool = False
) -> Allowance:
    return Allowance(vault(allow, exclude), IgnoreFilters("0a1b2c3d", filters), fold_case=fold_case)


@pytest.mark.parametrize(
    ("allow", "exclude", "path", "reason"),
    [
        pytest.param((), (), "a.md", "not-allowed", id="nothing-by-default"),
        pytest.param((".",), (), "a.md", None, id="whole-vault"),
        pytest.param(("Notes",), (), "Notes/a.md", None, id="folder"),
        pytest.param(("./Notes/",), (), "Notes/a.md", None, id="folder-as-people-write-it"),
        pytest.param(("Notes",), (), "Notes.md", "not-allowed", id="same-beginning-as-a-folder"),
        pytest.param(("Notes",), (), "Notes2/a.md", "not-allowed", id="same-beginning"),
        pytest.param(("Notes/a.md",), (), "Notes/a.md", None, id="single-note"),
        pytest.param((".",), ("Private",), "Private/a.md", "excluded", id="excluded"),
        pytest.param(("Private",), ("Private",), "Private/a.md", "excluded", id="allowed-and-excluded"),
        pytest.param(
            ("Private/Public",), ("Private",), "Private/Public/a.md", "excluded", id="allowed-inside-excluded"
        ),
        pytest.param(("Notes",), ("Notes/Private",), "Notes/Private/x/a.md", "excluded", id="excluded-inside-allowed"),
        pytest.param((".",), ("private",), "Private/a.md", "excluded", id="exclusion-in-another-case"),
        pytest.param((".",), ("a.md",), "a.md", "excluded", id="excluded-note"),
        pytest.param((".",), (".",), "a.md", "excluded", id="everything-excluded"),
        pytest.param((".",), (), ".obsidian/a.md", "hidden", id="obsidian"),
        pytest.param((".",), (), "a/.git/b.md", "hidden", id="dot-folder-below"),
        pytest.param((".obsidian",), (), ".obsidian/a.md", "hidden", id="dot-folder-allowed"),
        pytest.param((".",), (), ".a.md", "hidden", id="dot-file"),
        pytest.param((".",), (), "../a.md", "hidden", id="out-of-the-vault"),
        pytest.param((".",), (), "a/../../b.md", "hidden", id="out-by-a-detour"),
        pytest.param((".",), (), "/etc/a.md", "hidden", id="absolute"),
        pytest.param((".",), (), "a.txt", "not-a-note", id="text"),
    ],
)
def test_decisions(allow: tuple[str, ...], exclude: tuple[str, ...], path: str, reason: str | None) -> None:
    decision = allowance(allow, exclude).decide(path)
    assert (decision.reason if isinstance(decision, ReadRefusal) else None) == reason


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("written", ["NFC", "NFD"])
def test_normalisation_makes_no_difference(form: Literal["NFC", "NFD"], written: Literal["NFC", "NFD"]) -> None:
    place = unicodedata.normalize(written, "Café")
    path = unicodedata.normalize(form, "Café/a.md")
    assert isinstance(allowance((place,)).decide(path), Allowed)
    assert isinstance(allowance((".",), (place,)).decide(path), ReadRefusal)
    assert isinstance(allowance((".",), filters=(place + "/",)).decide(path), ReadRefusal)


def test_allowing_folds_case_only_where_the_file_system_does() -> None:
    assert isinstance(allowance(("notes",), fold_case=True).decide("Notes/a.md"), Allowed)
    assert isinstance(allowance(("notes",), fold_case=False).decide("Notes/a.md"), ReadRefusal)


@pytest.mark.parametrize(
    ("folder", "enter"),
    [
        ("", True),
        ("A", True),
        ("A/B", True),
        ("A/B/C", True),
        ("A/X", False),
        ("A/B/Private", False),
        ("A/B/.git", False),
        ("A/B/Templates", False),
        ("A/B/Tem", True),
    ],
)
def test_only_folders_on_the_way_to_allowed_notes_are_entered(folder: str, enter: bool) -> None:
    assert allowance(("A/B",), ("A/B/Private",), ("A/B/Templates/",)).may_enter(folder) is enter


def test_no_folder_is_entered_where_nothing_is_allowed() -> None:
    assert not allowance().may_enter("")


NAMES = st.sampled_from(["a", "A", "b", "é", "e\u0301", ".x", "c d"])
FOLDERS = st.lists(NAMES, max_size=3).map("/".join)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(lambda names: "/".join(names) + ".md")


@given(st.lists(FOLDERS, max_size=3), st.lists(FOLDERS, max_size=3), PATHS)
def test_whatever_is_allowed_lies_below_an_allowed_folder_and_below_no_excluded_one(
    allow: list[str], exclude: list[str], path: str
) -> None:
    rules = allowance(tuple(allow), tuple(exclude))
    if not isinstance(rules.decide(path), Allowed):
        return
    parents = ["", *("/".join(path.split("/")[:depth]) for depth in range(1, path.count("/") + 2))]
    composed = {unicodedata.normalize("NFC", parent) for parent in parents}
    assert composed & {unicodedata.normalize("NFC", folder) for folder in allow}
    assert not {name.casefold() for name in composed} & {unicodedata.normalize("NFC", f).casefold() for f in exclude}
    assert all(rules.may_enter(parent) for parent in parents[:-1])


@pytest.mark.parametrize(
    ("entry", "path", "ignored"),
    [
        ("Templates/", "Templates/a.md", True),
        ("templates/", "Templates/a.md", True),
        ("Templates", "Templates2.md", True),
        ("Templates/", "Notes/Templates/a.md", False),
        ("README.md", "README.md", True),
        (r"/.*\.excalidraw\.md/", "Draw/x.excalidraw.md", True),
        (r"/^Archive\//", "Notes/Archive/a.md", False),
        (r"/(?<year>20\d\d)/", "2024/a.md", True),
        ("", "a.md", False),
        ("  ", "a.md", False),
        ("/", "a.md", False),
    ],
)
def test_obsidians_excluded_files(entry: str, path: str, ignored: bool) -> None:
    decision = allowance((".",), filters=(entry,)).decide(path)
    assert isinstance(decision, ReadRefusal) is ignored


@pytest.mark.parametrize("entry", ["/(/", "/a{2,1}/", "/(?<bad/", r"/\p{L}/"])
def test_a_broken_expression_is_reported_and_the_others_are_obeyed(entry: str) -> None:
    filters = IgnoreFilters("0a1b2c3d", ("Templates/", entry, "/draft/"))
    assert [(problem.path, problem.code) for problem in filters.problems] == [(".obsidian/app.json", "ignore-filter")]
    assert "Entry 2" in filters.problems[0].reason
    assert filters.matches("Templates/a.md")
    assert filters.matches("my draft.md")
    assert not filters.matches("a.md")


@pytest.mark.parametrize(
    "entry",
    [r"/(a+)+$/", r"/(a|aa)+$/", r"/(.*)*x/", r"/(?:a?){30}a{30}/", r"/(a)\1+\1/", r"/.*.*.*.*.*x/", "/a?" * 11 + "/"],
)
def test_an_expression_that_could_run_for_ages_is_reported_and_not_tried(entry: str) -> None:
    filters = IgnoreFilters("0a1b2c3d", (entry,))
    assert len(filters.problems) == 1
    assert not filters.matches("a" * 200)


@pytest.mark.parametrize(
    "source",
    [r".*\.excalidraw\.md$", r"^(Archive|Old)/", r"20\d\d-\d+", "[*+?]{2}", r"\(a\)\+", "(?:a|b)c", "a{3}b{2}"],
)
def test_ordinary_expressions_are_let_through(source: str) -> None:
    assert not may_explode(source)


@given(st.text(st.sampled_from("ab.*+?()[]{}|\\/1,^$<:="), max_size=25), st.text("ab/", max_size=300))
def test_any_expression_is_survived(source: str, path: str) -> None:
    filters = IgnoreFilters("0a1b2c3d", (f"/{source}/",))
    assert filters.matches(path) in (True, False)


def settings(root: Path, content: bytes) -> IgnoreFilters:
    (root / ".obsidian").mkdir()
    (root / ".obsidian" / "app.json").write_bytes(content)
    return IgnoreFilters.of_vault("0a1b2c3d", root)


def test_the_vaults_settings_are_read(tmp_path: Path) -> None:
    content = json.dumps({"userIgnoreFilters": ["Templates/", "/draft/"], "other": {"x": [1]}})
    filters = settings(tmp_path, b"\xef\xbb\xbf" + content.encode())
    assert filters.problems == []
    assert filters.matches("Templates/a.md")
    assert filters.matches("draft.md")


@pytest.mark.parametrize("content", [b"{}", b'{"userIgnoreFilters": null}', b'{"userIgnoreFilters": []}'])
def test_settings_without_filters(tmp_path: Path, content: bytes) -> None:
    filters = settings(tmp_path, content)
    assert filters.problems == []
    assert not filters.matches("a.md")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"userIgnoreFilters": [1]}', b"\xff\xfe", b"[" * 100_000])
def test_settings_that_cannot_be_read_are_reported(tmp_path: Path, content: bytes) -> None:
    filters = settings(tmp_path, content)
    assert [problem.code for problem in filters.problems] == ["ignore-filter"]


def test_a_vault_without_settings_has_no_filters(tmp_path: Path) -> None:
    assert IgnoreFilters.of_vault("0a1b2c3d", tmp_path).problems == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_settings_without_permission_are_reported(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir(mode=0)
    try:
        filters = IgnoreFilters.of_vault("0a1b2c3d", tmp_path)
    finally:
        (tmp_path / ".obsidian").chmod(0o700)
    assert [problem.code for problem in filters.problems] == ["ignore-filter"]
