"""What was decided about notes that may not be read any more: nothing is written into them, nothing is forgotten."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.server.endpoints.review import REVIEW_PROPOSE, REVIEW_WRITABLE, ProposeAsk, WritableAsk
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import PATIENCE_SECONDS
from tests.integration.cli.test_review_after_moves import Review

NOTES = {
    "Diary/Day.md": "We rowed to the weir.\n",
    "Plans/Boat.md": "A new oar.\n",
    "Open.md": "The ferry waits.\n",
}
AS_IT_WAS = {path: text.encode() for path, text in NOTES.items()}


class House(Review):
    """Two folders, and the file in which a person allows and excludes them."""

    @property
    def settings(self) -> Path:
        (found,) = (self.root / "home").rglob("profile.toml")
        return found

    def excludes(self, *folders: str) -> None:
        """Exclude just these, by an editor; the daemon may not have seen it yet."""
        listed = ", ".join(f'"{folder}"' for folder in folders)
        lines = [line for line in self.settings.read_text().splitlines() if not line.startswith("exclude")]
        place = next(number for number, line in enumerate(lines) if line.startswith("allow"))
        lines.insert(place, f"exclude = [{listed}]")
        self.settings.write_text("\n".join(lines) + "\n")

    def sees(self, *paths: str) -> None:
        """Until the daemon has just these notes in its index."""
        end = time.monotonic() + PATIENCE_SECONDS
        while {path for path in NOTES if self.is_known(path)} != set(paths):
            assert time.monotonic() < end, "the daemon does not take the settings over"
            self.read()

    def is_known(self, path: str) -> bool:
        return self.run("get", path).exit_code == 0

    def accepts(self, path: str, before: str, after: str) -> str:
        change = Change(action="replace", vault="vault", path=path, line=1, before=before, after=after)
        ask = ProposeAsk(vault="vault", path=path, why="It reads better.", changes=(change,))
        key = self.client.ask(REVIEW_PROPOSE, ask).proposal.key
        assert self.run("review", "yes", key).exit_code == 0
        return key

    def tries(self, *arguments: str) -> Any:
        """The report of a command that can't do all."""
        done = self.run("review", *arguments, "--json")
        assert done.exit_code == 1, done.output
        return json.loads(done.stdout)

    def keys(self, answer: str) -> set[str]:
        return {each["key"] for each in self.ask("--answer", answer)["proposals"]}

    def on_disk(self) -> dict[str, bytes]:
        found = (path for path in self.vault.rglob("*") if path.is_file())
        return {path.relative_to(self.vault).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = Installation(tmp_path)
    made.create_profile("notes")
    made.write(NOTES)
    with made.daemon() as client:
        found = House(made, client)
        found.read()
        wait_until_indexed(client)
        yield found


def test_undo_writes_no_note_that_was_excluded_since_and_can_when_it_is_allowed_again(house: House) -> None:
    day = house.accepts("Diary/Day.md", "rowed", "sailed")
    boat = house.accepts("Plans/Boat.md", "oar", "sail")
    assert set(house.ask("apply")["keys"]) == {day, boat}
    written = house.on_disk()
    house.excludes("Diary")
    (listed,) = house.ask("undo", "--list")
    assert [each["path"] for each in listed["blocked"]] == ["Diary/Day.md"]
    report = house.tries("undo")
    assert report["notes"] == ["Plans/Boat.md"]
    (refused,) = report["refused"]
    assert (refused["path"], refused["keys"]) == ("Diary/Day.md", [day])
    assert "may not be read" in refused["reason"]
    assert house.on_disk() == AS_IT_WAS | {"Diary/Day.md": written["Diary/Day.md"]}
    house.excludes()
    assert house.ask("undo")["notes"] == ["Diary/Day.md"]
    assert house.on_disk() == AS_IT_WAS


def test_a_moved_note_does_not_go_back_into_a_folder_that_was_excluded_since(house: House) -> None:
    move = Change(action="move", vault="vault", path="Diary/Day.md", to="Plans/Day.md")
    ask = ProposeAsk(vault="vault", path="Diary/Day.md", why="It is a plan.", changes=(move,))
    house.run("review", "yes", house.client.ask(REVIEW_PROPOSE, ask).proposal.key)
    house.ask("apply")
    written = house.on_disk()
    assert "Plans/Day.md" in written
    house.excludes("Diary")
    house.tries("undo")
    assert house.on_disk() == written
    house.excludes()
    house.ask("undo")
    assert house.on_disk() == AS_IT_WAS


def test_a_program_that_writes_by_itself_hears_of_an_exclusion_as_soon_as_the_file_says_so(house: House) -> None:
    asked = WritableAsk(profile="notes", vault="vault", paths=(*NOTES, "Diary/New.md", "New.md"))
    assert house.client.ask(REVIEW_WRITABLE, asked).refused == ()
    house.excludes("Diary")
    assert house.client.ask(REVIEW_WRITABLE, asked).refused == ("Diary/Day.md", "Diary/New.md")
    elsewhere = WritableAsk(profile="notes", vault="another", paths=("Open.md",))
    assert house.client.ask(REVIEW_WRITABLE, elsewhere).refused == ("Open.md",)


@pytest.mark.parametrize("said", ["yes", "no", "done"])
def test_what_was_decided_about_a_note_comes_back_with_it_when_it_is_allowed_again(house: House, said: str) -> None:
    key = house.accepts("Diary/Day.md", "rowed", "sailed")
    if said == "no":
        house.run("review", "no", key)
    if said == "done":
        house.ask("apply")
    house.excludes("Diary")
    house.sees("Plans/Boat.md", "Open.md")
    house.excludes()
    house.sees(*NOTES)
    assert key in house.keys(said)
    if said == "done":
        house.ask("undo")
        assert key in house.keys("open")
    if said == "yes":
        assert house.ask("apply")["keys"] == [key]


def test_each_accepted_proposal_that_is_not_written_is_named_with_its_reason(house: House) -> None:
    keys = {
        "Diary/Day.md": house.accepts("Diary/Day.md", "rowed", "sailed"),
        "Plans/Boat.md": house.accepts("Plans/Boat.md", "oar", "sail"),
        "Open.md": house.accepts("Open.md", "waits", "leaves"),
    }
    house.excludes("Diary")
    (house.vault / "Plans/Boat.md").rename(house.root / "Boat.md")
    (house.vault / "Plans/Boat.md").symlink_to(house.root / "Boat.md")
    house.sees("Open.md")
    report = house.tries("apply")
    assert report["keys"] == [keys["Open.md"]]
    reasons = {each["path"]: each["reason"] for each in report["refused"]}
    assert reasons.keys() == {"Diary/Day.md", "Plans/Boat.md"}
    assert "may not be read" in reasons["Diary/Day.md"]
    assert "link" in reasons["Plans/Boat.md"]
    assert {key for each in report["refused"] for key in each["keys"]} == {
        keys["Diary/Day.md"],
        keys["Plans/Boat.md"],
    }
    again = house.tries("apply")
    assert {each["path"] for each in again["refused"]} == {"Diary/Day.md", "Plans/Boat.md"}
    assert "Diary/Day.md" in house.run("review", "apply", "--dry-run").output
    (house.vault / "Plans/Boat.md").unlink()
    house.read()
    gone = {each["path"]: each["reason"] for each in house.tries("apply")["refused"]}
    assert "not there" in gone["Plans/Boat.md"]
    assert house.run("review", "reopen", *(key for path, key in keys.items() if path != "Open.md")).exit_code == 0
    assert house.ask("apply") == {"keys": [], "notes": [], "refused": [], "run": ""}
