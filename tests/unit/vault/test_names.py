"""What a name says, and none that shows a credential."""

import random
import string

import pytest

from scrubjay.daemon.vault.read import is_note, redact_path

TOKEN = "ghp" + "_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))


@pytest.mark.parametrize(
    ("path", "note"),
    [("a.md", True), ("a.MD", True), ("a/b.markdown", True), ("a.txt", False), ("md", False), ("a.md.bak", False)],
)
def test_notes_are_told_by_their_extension(path: str, note: bool) -> None:
    assert is_note(path) is note


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
