"""Notes whose names Windows could not keep, made on Linux: notes like any other, whatever is done with them."""

import sys
from pathlib import Path

import pytest

from scrubjay.daemon.review.changes import disk_notes
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until
from tests.integration.review.test_writing import RUN, Vault, move, replace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="such names can be made on Linux")

NAMES = (
    "CON.md",
    "aux.md",
    "Nul.tar.md",
    "com1/lpt1.md",
    "Work./Plan .md",
    "Blank /a.md",
    'Why? <a:b> *|".md',
    "back\\slash.md",
    "tab\there.md",
    "/".join(f"{n} {'long' * 20}" for n in range(12)) + "/Deep.md",
    "x" * 252 + ".md",
)
BIRDS = ("heron", "jackdaw", "curlew", "nightjar", "lapwing", "merlin", "dunlin", "wigeon", "teal", "ouzel", "twite")
WORDS = {name: f"{bird}wing" for name, bird in zip(NAMES, BIRDS, strict=True)}


def test_they_are_noticed_found_copied_taken_elsewhere_and_left_as_they_are(tmp_path: Path) -> None:
    place = Installation(tmp_path, {"HOME": str(tmp_path)})
    (place.vault / ".obsidian").mkdir(parents=True)
    place.create_profile()
    with place.daemon() as client:
        wait_until_indexed(client)
        place.write({name: f"A {word} on the wire.\n" for name, word in WORDS.items()})
        until(lambda: sum(profile.notes for profile in client.ask(STATUS).profiles) == len(NAMES))
        for name, word in WORDS.items():
            found = client.ask(SEARCH, SearchAsk(query=word, mode="lexical")).results
            assert [each.path for each in found] == [name]
    copy, parcel = tmp_path / "copy", tmp_path / "parcel"
    place.run("profile", "backup", "notes", str(copy))
    place.run("profile", "restore", "notes", str(copy), "--yes")
    place.run("profile", "export", "notes", str(parcel), "--readable")
    place.run("profile", "import", str(parcel), "--name", "again")
    place.run("plugin", "install", str(place.vault))
    place.run("check", "--profile", "notes")
    place.run("uninstall", "--purge", "--yes")
    left = {path.relative_to(place.vault).as_posix(): path.read_text() for path in place.vault.rglob("*.md")}
    assert left == {name: f"A {word} on the wire.\n" for name, word in WORDS.items()}


def test_what_is_applied_to_them_is_undone_to_the_byte(tmp_path: Path) -> None:
    for number, name in enumerate(NAMES):
        vault = Vault(tmp_path / str(number))
        note = vault.root / name
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text("A cat.\n")
        before = vault.bytes()
        vault.writer.apply(vault.group(replace(name, "cat", "cow")), RUN)
        assert note.read_text() == "A cow.\n"
        vault.writer.undo(vault.records.all()[0])
        vault.writer.apply(vault.group(move(name, "Plain.md")), RUN)
        assert (vault.root / "Plain.md").read_text() == "A cat.\n"
        vault.writer.undo(vault.records.all()[0])
        assert vault.bytes() == before, name


@pytest.mark.parametrize(
    ("to", "platform", "said"),
    [
        ("aux.md", "win32", "device"),
        ("Work./A.md", "win32", "dot or a blank"),
        ("Why?.md", "win32", "does not allow"),
        ("y" * 300 + ".md", "linux", "too long"),
        ("y" * 300 + ".md", "darwin", "too long"),
    ],
)
def test_no_note_is_given_a_name_that_its_system_can_t_keep(
    to: str, platform: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = Vault(tmp_path)
    monkeypatch.setattr(disk_notes, "this_platform", lambda: platform)
    with pytest.raises(ChangeRefused, match=said):
        vault.group(move("A.md", to))
