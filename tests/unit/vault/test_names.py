"""One spelling for each name, and none that shows a credential."""

import random
import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.vault.names import folded, is_note, nfc, redact_path, stem_of

TOKEN = "ghp" + "_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))


def test_both_ways_to_spell_an_accent_are_one_name() -> None:
    assert nfc(unicodedata.normalize("NFD", "Café")) == "Café"
    assert folded(unicodedata.normalize("NFD", "CAFÉ")) == folded("café")


def test_a_name_of_endless_combining_marks_stays_as_it_is() -> None:
    name = "a" + "\u0301\u0327" * 500_000  # putting these in order would take minutes
    assert nfc(name) == name


@given(st.text())
def test_folding_is_a_projection_that_ignores_normalisation(name: str) -> None:
    assert folded(folded(name)) == folded(name)
    assert folded(unicodedata.normalize("NFD", name)) == folded(name)


@pytest.mark.parametrize(
    ("path", "note"),
    [("a.md", True), ("a.MD", True), ("a/b.markdown", True), ("a.txt", False), ("md", False), ("a.md.bak", False)],
)
def test_notes_are_told_by_their_extension(path: str, note: bool) -> None:
    assert is_note(path) is note


def test_the_stem_has_neither_folder_nor_extension() -> None:
    assert stem_of("a/b.c.md") == "b.c"


@pytest.mark.parametrize("path", [f"{TOKEN}.md", f"Keys/{TOKEN}.md", f"{TOKEN}/Note.md", f"a {TOKEN} b/Note.md"])
def test_a_credential_in_a_name_is_hidden(path: str) -> None:
    shown, findings = redact_path(path)
    assert TOKEN not in shown
    assert shown.count("/") == path.count("/")
    assert shown.endswith(".md")
    assert [finding.rule for finding in findings] != []


@pytest.mark.parametrize(
    "path",
    ["Projects/Atlas/Meeting notes 2024.md", "a/very/long/Path/With/Many/Names/And/Numbers/20240305/Note.md", "x", ""],
)
def test_an_ordinary_path_stays(path: str) -> None:
    assert redact_path(path) == (path, ())
