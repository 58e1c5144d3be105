"""Tags for notes without any: learned from the vault's own, and kept back where they would be guesses."""

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from scrubjay.daemon.review.finders.tag_evidence import is_colour, tag_words
from scrubjay.daemon.review.finders.tag_model import check_threshold
from scrubjay.daemon.review.finders.untagged import Untagged
from tests.helpers.review_notes import found_by, stored, view_of

SUBJECTS = ("birds", "boats", "bread", "stones")


def vault(seed: int, *, by_chance: bool) -> Mapping[str, str]:
    """Notes in folders, each with the tag of its subject, or with any; and two of each folder without."""
    rng = random.Random(seed)
    texts: dict[str, str] = {}
    for folder in SUBJECTS:
        for number in range(22):
            tag = rng.choice(SUBJECTS) if by_chance else folder
            words = " ".join(rng.choices(["river", "morning", "walked", "again", "stood", "water", "old"], k=30))
            texts[f"{folder}/{number}.md"] = words if number < 2 else f"---\ntags: [{tag}]\n---\n{words}"
    return texts


def test_notes_get_the_tags_that_their_kind_has(tmp_path: Path) -> None:
    store = stored(tmp_path, vault(1, by_chance=False))
    found = list(Untagged().find(view_of(store)))
    again = list(Untagged().find(view_of(store)))
    store.close()
    assert {each.note.path: each.detail for each in found} == {
        f"{folder}/{number}.md": f"#{folder}" for folder in SUBJECTS for number in range(2)
    }
    assert all(option.changes[0].action == "add-tags" for each in found for option in each.options)
    assert found == again


def test_where_tags_follow_nothing_none_is_proposed(tmp_path: Path) -> None:
    assert found_by(Untagged(), tmp_path, vault(2, by_chance=True)) == []


def test_a_vault_with_few_tags_teaches_nothing(tmp_path: Path) -> None:
    texts = {"a.md": "Long enough " * 10, "b.md": "#x " + "and so on " * 10, "c.md": "#x"}
    assert found_by(Untagged(), tmp_path, texts) == []


@pytest.mark.parametrize(
    ("rated", "is_good"),
    [
        ([("a", 0.9), ("b", 0.6)], True),  # b is wrong, and is left out by the threshold
        ([("b", 0.9)], False),
        ([("a", 0.3)], False),  # right, and too unlikely to be shown
        ([], False),
    ],
)
def test_what_is_shown_is_what_was_right_where_tags_were_hidden(rated: list[tuple[str, float]], is_good: bool) -> None:
    checked = check_threshold(dict.fromkeys(range(10), rated), {note: frozenset({"a"}) for note in range(10)})
    assert checked.is_good_enough is is_good
    assert not is_good or checked.precision == 1.0


@pytest.mark.parametrize(
    ("tag", "colour"),
    [("dcddde", True), ("fff", True), ("b69d912c", True), ("cafe", False), ("bad", False), ("abc1", False)],
)
def test_colours_are_no_tags(tag: str, colour: bool) -> None:
    assert is_colour(tag) is colour


@pytest.mark.parametrize(
    ("tag", "words"), [("area/ReadLater", "read later"), ("to-do", "to do"), ("Été", "ete"), ("读书", "读书")]
)
def test_the_words_of_a_tag(tag: str, words: str) -> None:
    assert tag_words(tag) == words
