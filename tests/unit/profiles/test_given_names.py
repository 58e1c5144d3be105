"""Which names of notes are learned from: each once, of one note, and of many always the same ones."""

from collections import defaultdict
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.names import fold
from scrubjay.profiles.store.query_matrices import GivenName, distinct_names

NAMES = st.lists(
    st.builds(
        GivenName, st.sampled_from(["", "Heron", "heron", "Weir", "Álva", "alva", *"abcdefgh"]), st.integers(1, 3)
    )
)


def said(names: list[GivenName]) -> set[tuple[str, int]]:
    return {(fold(name.text), name.note_id) for name in names}


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ([("Ardea", 1), ("ardea", 1)], {("ardea", 1)}),
        ([("the waiter", 1), ("The Waiter", 2), ("the waiter", 1)], set[tuple[str, int]]()),
        ([("Ardea", 1), ("Reiher", 1), ("Weir", 2)], {("ardea", 1), ("reiher", 1), ("weir", 2)}),
        ([("", 1)], set[tuple[str, int]]()),
    ],
)
def test_a_name_counts_once_whatever_its_case_and_not_where_several_notes_have_it(
    names: list[tuple[str, int]], chosen: set[tuple[str, int]]
) -> None:
    assert said(distinct_names([GivenName(*name) for name in names], 10)) == chosen


def test_names_of_several_notes_take_no_room() -> None:
    several = [GivenName(f"a place {number}", note) for number in range(90) for note in (1, 2)]
    names = [GivenName(f"a name {number}", number) for number in range(100)]
    assert len(distinct_names([*several, *names], 100)) == 100
    assert len(distinct_names([*names, *several], 100)) == 100


@given(NAMES, st.integers(1, 8), st.randoms(use_true_random=False))
def test_of_many_the_same_are_chosen_in_whatever_order_they_come(
    names: list[GivenName], most: int, random: Random
) -> None:
    notes: defaultdict[str, set[int]] = defaultdict(set)
    for name in names:
        notes[fold(name.text)].add(name.note_id)
    all_of_them = {(text, note) for text, of in notes.items() if text and len(of) == 1 for note in of}
    chosen = distinct_names(names, most)
    assert len(chosen) == len(said(chosen)) <= most
    assert said(chosen) <= all_of_them
    assert said(distinct_names(names, 100)) == all_of_them
    random.shuffle(names)
    assert said(distinct_names(names, most)) == said(chosen)
    if len(notes) - ("" in notes) <= 2 * most and len(all_of_them) <= most:
        assert said(chosen) == all_of_them
