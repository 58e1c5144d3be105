"""`scrubjay edit` as a person uses it: shown, written as shown, taken back as one; nothing hidden is touched."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
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
BOAT = ("ferry", "--replace", "ferry", "--with", "boat")


@dataclass(frozen=True)
class Desk:
    """The command, over notes as they are at the beginning of each test, indexed."""

    installation: Installation
    client: ScrubjayClient

    def begin(self) -> None:
        self.installation.write(NOTES)
        for record in self.installation.home.profiles.glob("*/review/*-*"):
            record.unlink()
        self.index()

    def index(self) -> None:
        self.installation.run("index")
        wait_until_indexed(self.client)

    def on_disk(self) -> dict[str, bytes]:
        return {path: (self.installation.vault / path).read_bytes() for path in NOTES}

    def text(self, path: str) -> str:
        return self.on_disk()[path].decode()

    def edit(self, *arguments: str) -> Result:
        return self.installation.invoke("edit", *arguments)

    def told(self, *arguments: str) -> Any:
        return json.loads(self.edit(*arguments, "--json").stdout)

    def write(self, *arguments: str) -> Any:
        return self.told(*arguments, "--write", "--yes")


@pytest.fixture(scope="module")
def at_work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    made = Installation(tmp_path_factory.mktemp("edit"))
    made.create_profile("notes", exclude=("Private",))
    with made.daemon() as client:
        yield Desk(made, client)


@pytest.fixture
def desk(at_work: Desk) -> Desk:
    at_work.begin()
    return at_work


def test_text_is_shown_first_then_replaced_and_comes_back_as_one(desk: Desk) -> None:
    shown = desk.edit(*BOAT, "--whole-word")
    assert shown.exit_code == 0, shown.output
    assert "-The ferry and the Ferry. Ferryman." in shown.stdout
    assert "+The boat and the boat. Ferryman." in shown.stdout
    assert SECRET not in shown.output
    assert "Own.md" not in shown.output
    assert desk.on_disk() == AS_IT_WAS, "nothing is written without --write"
    wrote = desk.write(*BOAT, "--whole-word")
    assert (sorted(wrote["notes"]), wrote["refused"]) == (["Ferry.md", "Marked.md", "Odd.md", "Trips/Coast.md"], [])
    head, body = NOTES["Ferry.md"].split("The ferry and the Ferry")
    boats = {
        "Ferry.md": f"{head}The boat and the boat{body.replace('ferry', 'boat')}",
        "Trips/Coast.md": f"By boat.\ntoken: {SECRET} ferry\nThe boat waits.\n",
        **{path: NOTES[path].replace("ferry", "boat") for path in ("Marked.md", "Odd.md")},
    }
    assert desk.on_disk() == AS_IT_WAS | {path: text.encode() for path, text in boats.items()}, (
        "the properties and the line with a credential are as they were"
    )
    assert not any(SECRET.encode() in held for held in desk.installation.everything_written().values())
    undone = json.loads(desk.installation.run("review", "undo", "--json").stdout)
    assert sorted(undone["notes"]) == sorted(wrote["notes"]), "one undo for all"
    assert desk.on_disk() == AS_IT_WAS


def test_case_composed_letters_and_properties_are_minded_as_asked(desk: Desk) -> None:
    desk.write("ferry", "--replace", "Ferry", "--with", "Boat", "--match-case")
    assert "The ferry and the Boat. Boatman." in desk.text("Ferry.md")
    desk.write("cafe", "--replace", "Caf\u00e9", "--with", "Bar")
    assert desk.text("Marked.md") == "\N{ZERO WIDTH NO-BREAK SPACE}Bar by the ferry"
    desk.index()
    desk.write("[status:open]", "--replace", "the ferry", "--with", "A boat", "--frontmatter")
    assert desk.text("Ferry.md").startswith("---\ntitle: A boat\n")


def test_tags_and_properties_are_added_and_removed_in_every_result(desk: Desk) -> None:
    wrote = desk.write("ferry", "--add-tag", "water/boat")
    assert sorted(wrote["notes"]) == ["Ferry.md", "Marked.md", "Trips/Coast.md"]
    assert [each["path"] for each in wrote["refused"]] == ["Odd.md"], "its properties can't be edited safely"
    assert "status: open # mine\ntags:\n  - water/boat\n---\n" in desk.text("Ferry.md")
    assert desk.text("Trips/Coast.md") == f"---\ntags:\n  - water/boat\n---\n{NOTES['Trips/Coast.md']}"
    desk.index()
    desk.write("tag:water", "--set-property", "status=to do: \u00e4")
    assert 'status: "to do: \u00e4" # mine\n' in desk.text("Ferry.md")
    desk.index()
    desk.write("tag:water", "--remove-property", "title")
    assert "title" not in desk.text("Ferry.md")
    desk.index()
    desk.write("tag:water", "--remove-tag", "#water/boat")
    assert "boat" not in desk.text("Ferry.md")
    for _ in range(4):
        desk.installation.run("review", "undo")
    assert desk.on_disk() == AS_IT_WAS


def test_a_note_that_changes_after_it_was_shown_is_left_out_and_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, later = edit_command.write_edit, "Saved by its writer: a ferry.\n"

    def meanwhile(*given: Any, **named: Any) -> Any:
        desk.installation.write({"Marked.md": later})
        return written(*given, **named)

    monkeypatch.setattr(edit_command, "write_edit", meanwhile)
    done = desk.edit(*BOAT, "--write", "--yes")
    assert done.exit_code == 1
    assert "Marked.md has changed since it was shown" in done.stderr
    assert "Marked.md: Marked.md" not in done.stderr
    assert (desk.text("Marked.md"), "boat" in desk.text("Ferry.md")) == (later, True)


def test_what_is_hidden_can_neither_be_tried_nor_changed(desk: Desk) -> None:
    guess = desk.edit("ferry", "--replace", SECRET, "--with", "x")
    miss = desk.edit("ferry", "--replace", SECRET[:-4] + "0000", "--with", "x")
    assert guess.exit_code == miss.exit_code == 1
    assert guess.output == miss.output, "a right guess looks like a wrong one"
    lines = desk.edit("ferry", "--replace", "token", "--with", "x")
    assert (lines.exit_code, lines.stdout) == (1, guess.stdout), "what is seen of the line may be told"
    assert "1 line that holds it stays as written" in lines.stderr


def test_what_is_left_out_and_what_leads_elsewhere_is_counted(desk: Desk) -> None:
    links = "[[The ferry#Ferry|ferry]] or [ferry](Ferry.md), `[[ferry]]`, <https://ferry.example>"
    desk.installation.write({"Train.md": f"See {links}, ferry.\n"})
    desk.index()
    said = " ".join(desk.edit(*BOAT, "--whole-word").stderr.split())
    assert "4 of these places are in the target of a link, which leads elsewhere then." in said
    assert "1 line that holds it stays as written: a credential is hidden there." in said
    for arguments, counted in ((BOAT, (4, 1)), (("ferry", "--add-tag", "boat"), (0, 0))):
        told = desk.told(*arguments)
        assert (told["in_links"], told["left_lines"]) == counted


def test_nothing_is_written_unless_one_edit_and_some_notes_are_named_and_none_is_dropped(desk: Desk) -> None:
    assert desk.edit("ferrry", "--add-tag", "boat", "--write", "--yes").exit_code == 1, "what was typed is no guess"
    assert desk.edit("train", "--replace", "ferry", "--with", "boat").exit_code == 1
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
        (*BOAT, "--with", "ship"),
    ):
        assert desk.edit(*wrong).exit_code == 2, wrong
    assert "One call makes one change" in desk.edit("ferry", "--add-tag", "x", "--remove-tag", "y").stderr
    for option, *given in (
        ("--set-property", "flag=off", "time=2:45"),
        ("--add-tag", "x", "y"),
        ("--remove-tag", "x", "y"),
        ("--remove-property", "status", "title"),
        ("--replace", "ferry", "boat"),
    ):
        refused = desk.edit("ferry", *(word for each in given for word in (option, each)))
        assert refused.exit_code == 2, refused.output
        assert f"{option} is given 2 times, and one call makes one change" in " ".join(refused.stderr.split())
    for of_replacing in (("--with", "boat"), ("--whole-word",), ("--match-case",), ("--frontmatter",)):
        refused = desk.edit("ferry", "--add-tag", "x", *of_replacing)
        assert (refused.exit_code, "go with replacing alone" in refused.stderr) == (2, True), refused.output
    assert desk.on_disk() == AS_IT_WAS
