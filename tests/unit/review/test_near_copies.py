"""Which notes say nearly the same, by their texts alone."""

import random
from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.review.finders.near_copy import frame_of, pairs_of
from scrubjay.daemon.review.finders.shingles import (
    SKETCH_SIZE,
    WordHashes,
    runs,
    sketch,
    words,
)
from scrubjay.profiles.store.near_copies import Sketches, groups_of

_VOCABULARY = [
    f"{first}{second}" for first in ("ka", "lo", "mi", "nu", "pe", "ra", "so") for second in "abcdefghijklmnop"
]


def prose(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(_VOCABULARY, k=count))


def sketches_of(texts: Mapping[int, str]) -> Sketches:
    made = [sketch(text, WordHashes()) for text in texts.values()]
    starts = np.concatenate(([0], np.cumsum([len(each) for each in made]))).astype(np.int64)
    return Sketches(np.array(list(texts), np.int64), starts, np.concatenate(made))


def pairs(texts: Mapping[int, str], among: Sequence[int] | None = None) -> set[tuple[int, int]]:
    sketches = sketches_of(texts)
    found = pairs_of(sketches, frame_of(sketches), lambda ids: {note: texts[note] for note in ids}, among)
    return {(pair.note_id, pair.other_id) for pair in found}


def edited(text: str, rng: random.Random, share: float) -> str:
    listed = text.split()
    for place in rng.sample(range(len(listed)), int(share * len(listed))):
        listed[place] = rng.choice(("new", "words", "here", ""))
    half = len(listed) // 2
    return " ".join(listed[half:] + listed[:half])  # and the halves change places


def test_a_copy_with_a_tenth_of_its_words_changed_and_its_halves_swapped_is_found_among_others() -> None:
    rng = random.Random(1)
    texts = {number: prose(rng, 200) for number in range(40)}
    copies = {100 + number: edited(texts[number], rng, 0.1) for number in range(20)}
    assert pairs(texts | copies) == {(number, 100 + number) for number in range(20)}


def test_notes_of_one_template_are_no_copies_of_each_other_but_a_copy_of_one_is() -> None:
    rng = random.Random(2)
    frame = prose(rng, 150)
    texts = {number: f"{frame} {prose(rng, 30)}" for number in range(30)}
    assert pairs(texts) == set()
    assert pairs({**texts, 99: edited(texts[3], rng, 0.03)}) == {(3, 99)}


def test_empty_days_of_a_template_are_no_copies() -> None:
    frame = prose(random.Random(3), 80)
    assert pairs({day: f"2026-03-{day:02} {frame}" for day in range(1, 29)}) == set()


def test_chinese_without_spaces_is_compared_too() -> None:
    rng = random.Random(4)
    signs = [chr(0x4E00 + number) for number in range(600)]
    texts = {number: "".join(rng.choices(signs, k=300)) for number in range(20)}
    copy = texts[5][150:] + "新" + texts[5][:150]
    assert pairs({**texts, 50: copy}) == {(5, 50)}


def test_what_changed_is_found_as_if_all_were_compared() -> None:
    rng = random.Random(5)
    texts = {number: prose(rng, 120) for number in range(30)}
    texts |= {100: edited(texts[7], rng, 0.05), 101: edited(texts[8], rng, 0.05)}
    assert pairs(texts, among=[100]) == {(7, 100)}
    assert pairs(texts, among=[8]) == {(8, 101)}
    assert pairs(texts, among=[9]) == set()
    assert pairs({1: "", 2: "", 3: "one two", 4: "one two"}) == set(), "short ones are none"


@given(st.text(max_size=400))
def test_a_sketch_is_small_ascending_and_the_same_each_time(text: str) -> None:
    made = sketch(text, WordHashes())
    assert len(made) <= min(SKETCH_SIZE, max(0, len(words(text)) - 2))
    assert (np.diff(made.astype(np.int64)) > 0).all()
    assert (
        made == sketch(text.upper().lower(), WordHashes())
    ).all() or text.upper().lower().casefold() != text.casefold()


@given(st.lists(st.sampled_from(_VOCABULARY), max_size=60), st.integers(0, 60))
def test_runs_do_not_depend_on_what_stands_before_them(listed: list[str], start: int) -> None:
    known = WordHashes()
    assert (runs(listed, known)[start:] == runs(listed[start:], known)).all()


def test_pairs_that_hang_together_are_one_group() -> None:
    assert groups_of([(1, 2), (5, 6), (2, 3), (6, 9)]) == [(1, 2, 3), (5, 6, 9)]
