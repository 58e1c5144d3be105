"""Notes in the inbox: what they are scored on, and where they are proposed to go."""

from pathlib import Path

import numpy as np
import pytest

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.inbox import Intake
from scrubjay.profiles.store.store import Store
from tests.helpers.review_notes import stored, view_of

SUBJECTS = ("birds", "boats")
LONG = " ".join(f"word{number}" for number in range(160))
TEXTS = {
    **{f"{folder}/{folder} {n}.md": f"About {folder}, {n}. {LONG}" for folder in SUBJECTS for n in range(6)},
    "Inbox/New boat.md": f"About boats, new. [[boats 1]]\n\n{LONG}",
    "Inbox/deep/Untitled 2.md": "About birds. TODO",
    "Inboxes/Not new.md": f"About birds, too. {LONG}",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Notes about birds have one vector, roughly, and notes about boats another."""
    found = stored(tmp_path, TEXTS)
    pending = found.pending_embeddings("model", 1_000)
    rng = np.random.default_rng(1)
    axes = {folder: np.eye(8)[at] for at, folder in enumerate(SUBJECTS)}
    rows = [axes[next(f for f in SUBJECTS if f in p.text)] + 0.12 * rng.standard_normal(8) for p in pending]
    vectors = np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)
    with found.writing() as writer:
        writer.put_embeddings("model", [each.digest for each in pending], vectors)
    return found


def looked_at(store: Store, inbox: str = "Inbox") -> dict[str, FoundProposal]:
    found = {each.note.path: each for each in Intake().find(view_of(store, inbox))}
    store.close()
    return found


def test_notes_in_the_inbox_alone_are_looked_at(store: Store) -> None:
    assert list(Intake().find(view_of(store, ""))) == []
    assert looked_at(store, "inbox").keys() == {"Inbox/New boat.md", "Inbox/deep/Untitled 2.md"}


def test_a_note_is_proposed_the_folder_of_its_neighbours_and_links_to_them(store: Store) -> None:
    found = looked_at(store)["Inbox/New boat.md"]
    move = found.options[0]
    assert (move.label, move.chosen) == ("boats", True)
    assert (move.changes[0].action, move.changes[0].to) == ("move", "boats/New boat.md")
    links = [option for option in found.options if option.id.startswith("link:")]
    assert links
    assert not any(option.chosen for option in links)
    assert all(option.changes[0].after.startswith("- [[boats ") for option in links)
    assert "link:boats/boats 1.md" not in {option.id for option in links}  # it is linked already


def test_each_ground_says_why(store: Store) -> None:
    found = looked_at(store)
    boat = {score.ground: score for score in found["Inbox/New boat.md"].scores}
    bird = {score.ground: score for score in found["Inbox/deep/Untitled 2.md"].scores}
    assert list(boat) == ["known", "new", "linked", "complete"]
    assert "boats" in boat["known"].why
    assert (boat["linked"].why, bird["linked"].why) == ("1", "0")
    assert boat["linked"].value > bird["linked"].value == 0
    assert boat["complete"].value == 1.0
    assert bird["complete"].why == "TODO"
    assert all(0 <= score.value <= 1 for each in found.values() for score in each.scores)
