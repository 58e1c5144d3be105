"""What was suggested of notes and said of proposals holds when notes move: by a person, by an apply, and back."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from scrubjay.daemon.cli.app import scrubjay
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.changes.undo_records import Record, UndoRecords
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.server.endpoints.review import REVIEW_PROPOSE, ProposeAsk
from tests.helpers.installation import Installation, wait_until_indexed

NAMES = ("Grey Heron", "Marsh Harrier", "Water Rail")
WALK = "Walk.md"
NOTES = {
    **{f"Birds/{name}.md": f"Known of it. [Weir](../Weir.md) {number}.\n" for number, name in enumerate(NAMES)},
    "Weir.md": "Below the mill.\n",
    WALK: "".join(f"By the weir we saw the {name} on day {number}.\n" for number, name in enumerate(NAMES)),
    "Links.md": "[[Birds/Grey Heron]] [[Birds/Marsh Harrier]] [[Birds/Water Rail]]\n",
}
BESIDE = Change(action="add-tags", vault="vault", path="Birds/Grey Heron.md", tags=("bird",))


class Review:
    """The commands of one installation, with its daemon."""

    def __init__(self, installation: Installation, client: ScrubjayClient) -> None:
        self.vault = installation.vault
        self.root = installation.root
        self.client = client

    def run(self, *arguments: str) -> Result:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SCRUBJAY_HOME", str(self.root / "home"))
            return CliRunner().invoke(scrubjay, list(arguments), catch_exceptions=False)

    def ask(self, *arguments: str) -> Any:
        done = self.run("review", *arguments, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    def read(self) -> None:
        self.run("index")
        wait_until_indexed(self.client)

    def propose(self, change: Change) -> str:
        ask = ProposeAsk(vault="vault", path=change.path, why="It reads better.", changes=(change,))
        return self.client.ask(REVIEW_PROPOSE, ask).proposal.key

    def suggested(self) -> dict[str, str]:
        """Paths of what waits, by the key."""
        return {each["key"]: each["path"] for each in self.ask("--kind", "suggested")["proposals"]}

    def links(self, answer: str) -> list[str]:
        found = self.ask("--kind", "missing-link", "--answer", answer)["proposals"]
        return sorted(other["title"] for each in found if each["path"] == WALK for other in each["others"])


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Review]:
    made = Installation(tmp_path)
    made.create_profile("notes")
    made.write(NOTES)
    with made.daemon() as client:
        found = Review(made, client)
        found.read()
        yield found


@pytest.mark.parametrize("end", ["undone", "killed"])
def test_what_was_suggested_of_a_note_outlives_a_move_of_it_that_was_taken_back(
    review: Review, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    beside = review.propose(BESIDE)
    move = review.propose(
        Change(action="move", vault="vault", path="Birds/Grey Heron.md", to="Animals/far/The grey one.md")
    )
    assert review.run("review", "yes", move).exit_code == 0
    if end == "undone":
        assert review.ask("apply")["keys"] == [move]
        review.read()
    else:
        with monkeypatch.context() as patch:  # when the name is another, and no record says that it is done
            patch.setattr(UndoRecords, "put", _only_begun(UndoRecords.put))
            assert review.run("review", "apply").exit_code == 9
        review.read()
    assert not (review.vault / "Birds/Grey Heron.md").exists()
    assert review.run("review", "undo").exit_code in (0, 1)
    review.read()
    assert (review.vault / "Birds/Grey Heron.md").exists()
    suggested = review.suggested()
    assert suggested.get(beside) == "Birds/Grey Heron.md"
    accepted = {each["key"] for each in review.ask("--answer", "yes")["proposals"]}
    assert move in suggested or move in accepted


def _only_begun(put: Callable[[UndoRecords, Record], None]) -> Callable[[UndoRecords, Record], None]:
    def ends(records: UndoRecords, record: Record) -> None:
        if record.state != "begun":
            raise SystemExit(9)
        put(records, record)

    return ends


def test_what_was_suggested_of_a_note_goes_with_it_under_another_name(review: Review) -> None:
    beside = review.propose(BESIDE)
    (review.vault / "Birds/Grey Heron.md").rename(review.vault / "Birds/Ardea.md")
    review.read()
    assert review.suggested() == {beside: "Birds/Ardea.md"}


def test_a_no_to_links_holds_when_the_folder_that_they_lead_to_has_another_name(review: Review) -> None:
    asked = [each for each in review.ask("--kind", "missing-link")["proposals"] if each["path"] == WALK]
    assert len(asked) == 3
    assert review.run("review", "no", *(each["key"] for each in asked)).exit_code == 0
    for before, after in (("Birds", "Animals"), ("Animals", "Birds")):
        (review.vault / before).rename(review.vault / after)
        review.read()
        assert (review.links("open"), review.links("no")) == ([], sorted(NAMES))
    (review.vault / "Day").mkdir()
    (review.vault / WALK).rename(review.vault / "Day" / WALK)
    (review.vault / "Birds").rename(review.vault / "Day" / "Birds")
    review.read()
    with (review.vault / "Day" / WALK).open("a") as note:
        note.write("Then home.\n")
    review.read()
    assert review.ask("--kind", "missing-link")["proposals"] == []
