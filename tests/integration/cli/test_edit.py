"""`scrubjay edit` as a person uses it: shown, written as shown, taken back as one; nothing hidden is touched."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import Result

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.cli.review import edit as edit_command
from scrubjay.daemon.client import ScrubjayClient
from tests.helpers.installation import Installation, wait_until_indexed

SECRET = expand("ghp_{alnum:36}", "edit command")
NOTES = {
    "Ferry.md": "---\ntitle: The ferry\nstatus: open # mine\n---\nThe ferry and the Ferry. Ferryman.\r\nferry\r\n",
    "Trips/Coast.md": f"By ferry.\ntoken: {SECRET} ferry\nThe ferry waits.\n",
    "Marked.md": "\N{ZERO WIDTH NO-BREAK SPACE}Cafe\u0301 by the ferry",
    "Odd.md": "---\nstatus: [open\n---\nA ferry.\n",
    "Private/Own.md": "My ferry.\n",
    "Train.md": "By train.\n",
}
AS_IT_WAS = {path: text.encode() for path, text in NOTES.items()}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("edit"))
    made.create_profile("notes", exclude=("Private",))
    return made


@pytest.fixture(scope="module")
def daemon(installation: Installation) -> Iterator[ScrubjayClient]:
    with installation.daemon() as client:
        yield client


@pytest.fixture(autouse=True)
def notes(installation: Installation, daemon: ScrubjayClient) -> None:
    """The notes as they are at the beginning of each test, indexed."""
    installation.write(NOTES)
    for record in installation.home.profiles.glob("*/review/*-*"):
        record.unlink()
    index(installation, daemon)


def index(installation: Installation, daemon: ScrubjayClient) -> None:
    installation.run("index")
    wait_until_indexed(daemon)


def on_disk(installation: Installation) -> dict[str, bytes]:
    found = (path for path in installation.vault.rglob("*") if path.is_file())
    return {path.relative_to(installation.vault).as_posix(): path.read_bytes() for path in found}


def edit(installation: Installation, *arguments: str) -> Result:
    return installation.invoke("edit", *arguments)


def report(installation: Installation, *arguments: str) -> Any:
    return json.loads(edit(installation, *arguments, "--write", "--yes", "--json").stdout)


def expected(**changed: str) -> dict[str, bytes]:
    return AS_IT_WAS | {path: text.encode() for path, text in changed.items()}


def test_text_is_shown_first_then_replaced_and_comes_back_as_one(installation: Installation) -> None:
    shown = edit(installation, "ferry", "--replace", "ferry", "--with", "boat", "--whole-word")
    assert shown.exit_code == 0, shown.output
    assert "-The ferry and the Ferry. Ferryman." in shown.stdout
    assert "+The boat and the boat. Ferryman." in shown.stdout
    assert SECRET not in shown.output
    assert "Own.md" not in shown.output
    assert on_disk(installation) == AS_IT_WAS, "nothing is written without --write"
    wrote = report(installation, "ferry", "--replace", "ferry", "--with", "boat", "--whole-word")
    assert sorted(wrote["notes"]) == ["Ferry.md", "Marked.md", "Odd.md", "Trips/Coast.md"]
    assert wrote["refused"] == []
    boats = expected(
        **{
            "Ferry.md": NOTES["Ferry.md"]
            .replace("The ferry and the Ferry", "The boat and the boat")
            .replace("\r\nferry\r\n", "\r\nboat\r\n"),
            "Trips/Coast.md": f"By boat.\ntoken: {SECRET} ferry\nThe boat waits.\n",
            "Marked.md": NOTES["Marked.md"].replace("ferry", "boat"),
            "Odd.md": NOTES["Odd.md"].replace("ferry", "boat"),
        }
    )
    assert on_disk(installation) == boats, "the properties and the line with a credential are as they were"
    kept = b"".join(file.read_bytes() for file in (installation.root / "home").rglob("*") if file.is_file())
    assert SECRET.encode() not in kept
    undone = json.loads(installation.run("review", "undo", "--json").stdout)
    assert sorted(undone["notes"]) == sorted(wrote["notes"]), "one undo for all"
    assert on_disk(installation) == AS_IT_WAS


def test_case_composed_letters_and_properties_are_minded_as_asked(
    installation: Installation, daemon: ScrubjayClient
) -> None:
    report(installation, "ferry", "--replace", "Ferry", "--with", "Boat", "--match-case")
    assert "The ferry and the Boat. Boatman." in on_disk(installation)["Ferry.md"].decode()
    report(installation, "cafe", "--replace", "Caf\u00e9", "--with", "Bar")
    assert on_disk(installation)["Marked.md"].decode() == "\N{ZERO WIDTH NO-BREAK SPACE}Bar by the ferry"
    index(installation, daemon)
    report(installation, "[status:open]", "--replace", "the ferry", "--with", "A boat", "--frontmatter")
    assert on_disk(installation)["Ferry.md"].decode().startswith("---\ntitle: A boat\n")


def test_tags_and_properties_are_added_and_removed_in_every_result(
    installation: Installation, daemon: ScrubjayClient
) -> None:
    wrote = report(installation, "ferry", "--add-tag", "water/boat")
    assert sorted(wrote["notes"]) == ["Ferry.md", "Marked.md", "Trips/Coast.md"]
    assert [each["path"] for each in wrote["refused"]] == ["Odd.md"], "its properties can't be edited safely"
    changed = on_disk(installation)
    assert b"status: open # mine\ntags:\n  - water/boat\n---\n" in changed["Ferry.md"]
    assert changed["Trips/Coast.md"] == b"---\ntags:\n  - water/boat\n---\n" + AS_IT_WAS["Trips/Coast.md"]
    index(installation, daemon)
    report(installation, "tag:water", "--set-property", "status=to do: \u00e4")
    changed = on_disk(installation)
    assert 'status: "to do: \u00e4" # mine\n'.encode() in changed["Ferry.md"]
    index(installation, daemon)
    report(installation, "tag:water", "--remove-property", "title")
    assert b"title" not in on_disk(installation)["Ferry.md"]
    index(installation, daemon)
    report(installation, "tag:water", "--remove-tag", "#water/boat")
    assert b"boat" not in on_disk(installation)["Ferry.md"]
    for _ in range(4):
        installation.run("review", "undo")
    assert on_disk(installation) == AS_IT_WAS


def test_a_note_that_changes_after_it_was_shown_is_left_out_and_named(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = edit_command.write_edit

    def meanwhile(*given: Any, **named: Any) -> Any:
        (installation.vault / "Marked.md").write_text("Saved by its writer: a ferry.\n", encoding="utf-8")
        return written(*given, **named)

    monkeypatch.setattr(edit_command, "write_edit", meanwhile)
    done = edit(installation, "ferry", "--replace", "ferry", "--with", "boat", "--write", "--yes")
    assert done.exit_code == 1
    assert "Marked.md has changed since it was shown" in done.stderr
    assert "Marked.md: Marked.md" not in done.stderr
    assert on_disk(installation)["Marked.md"] == b"Saved by its writer: a ferry.\n"
    assert b"boat" in on_disk(installation)["Ferry.md"]


def test_what_is_hidden_can_neither_be_tried_nor_changed(installation: Installation) -> None:
    guess = edit(installation, "ferry", "--replace", SECRET, "--with", "x")
    miss = edit(installation, "ferry", "--replace", SECRET[:-4] + "0000", "--with", "x")
    assert guess.exit_code == miss.exit_code == 1
    assert guess.output == miss.output, "a right guess looks like a wrong one"
    lines = edit(installation, "ferry", "--replace", "token", "--with", "x")
    assert (lines.exit_code, lines.stdout) == (1, guess.stdout), "what is seen of the line may be told"
    assert "1 line that holds it stays as written" in lines.stderr


def test_what_is_left_out_and_what_leads_elsewhere_is_counted(
    installation: Installation, daemon: ScrubjayClient
) -> None:
    links = "[[The ferry#Ferry|ferry]] or [ferry](Ferry.md), `[[ferry]]`, <https://ferry.example>"
    installation.write({"Train.md": f"See {links}, ferry.\n"})
    index(installation, daemon)
    shown = edit(installation, "ferry", "--replace", "ferry", "--with", "boat", "--whole-word")
    assert "4 of these places are in the target of a link, which leads elsewhere then." in " ".join(
        shown.stderr.split()
    )
    assert "1 line that holds it stays as written: a credential is hidden there." in " ".join(shown.stderr.split())
    told = json.loads(edit(installation, "ferry", "--replace", "ferry", "--with", "boat", "--json").stdout)
    assert (told["in_links"], told["left_lines"]) == (4, 1)
    told = json.loads(edit(installation, "ferry", "--add-tag", "boat", "--json").stdout)
    assert (told["in_links"], told["left_lines"]) == (0, 0)


def test_what_was_typed_is_edited_and_no_guess(installation: Installation) -> None:
    mistyped = edit(installation, "ferrry", "--add-tag", "boat", "--write", "--yes")
    assert (mistyped.exit_code, on_disk(installation) == AS_IT_WAS) == (1, True), mistyped.output


def test_nothing_is_written_unless_one_edit_and_some_notes_are_named(installation: Installation) -> None:
    for wrong in (
        ("ferry",),
        ("--add-tag", "x"),
        ("ferry", "--add-tag", "x", "--remove-tag", "y"),
        ("ferry", "--add-tag", "no tag"),
        ("ferry", "--set-property", "status"),
        ("ferry", "--set-property", "tags=x"),
        ("ferry", "--replace", "two\nlines"),
        ("ferry", "--replace", ""),
        ("ferry", "--add-tag", "x", "--write"),  # nobody can be asked here
    ):
        assert edit(installation, *wrong).exit_code == 2, wrong
    assert "One call makes one change" in edit(installation, "ferry", "--add-tag", "x", "--remove-tag", "y").stderr
    assert edit(installation, "train", "--replace", "ferry", "--with", "boat").exit_code == 1
    assert on_disk(installation) == AS_IT_WAS


def test_no_change_that_was_asked_for_is_dropped(installation: Installation) -> None:
    for option, *given in (
        ("--set-property", "flag=off", "time=2:45"),
        ("--add-tag", "x", "y"),
        ("--remove-tag", "x", "y"),
        ("--remove-property", "status", "title"),
        ("--replace", "ferry", "boat"),
    ):
        refused = edit(installation, "ferry", *(word for each in given for word in (option, each)))
        assert refused.exit_code == 2, refused.output
        assert f"{option} is given 2 times, and one call makes one change" in " ".join(refused.stderr.split())
    assert edit(installation, "ferry", "--replace", "ferry", "--with", "boat", "--with", "ship").exit_code == 2
    for of_replacing in (("--with", "boat"), ("--whole-word",), ("--match-case",), ("--frontmatter",)):
        refused = edit(installation, "ferry", "--add-tag", "x", *of_replacing)
        assert (refused.exit_code, "go with replacing alone" in refused.stderr) == (2, True), refused.output
