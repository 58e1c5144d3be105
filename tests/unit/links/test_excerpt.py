"""The two sentences that answer best."""

import numpy as np
import pytest

from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.links.excerpt import best_by_meaning, best_by_terms
from scrubjay.profiles.search.results.plain_text import Sentence
from scrubjay.profiles.store.rows import Vectors
from tests.unit.vault.test_sentences import TEXT, texts


@pytest.mark.parametrize(
    ("weights", "chosen"),
    [
        (
            {"elver": 2.0, "cost": 1.0},
            ["It cost £1,200, of which the trust paid half!", "Elvers climbed it in the first week."],
        ),
        ({"night": 1.0, "elver": 1.0}, ["We counted elvers by night, e.g. with red light."]),
        ({"nothing": 1.0}, []),
        ({"eel": 1.0}, []),  # a heading is no sentence
    ],
)
def test_sentences_that_together_hold_most_terms(weights: dict[str, float], chosen: list[str]) -> None:
    assert texts(best_by_terms(TEXT, AskedTerms(weights))) == chosen


def test_as_many_sentences_are_taken_as_are_asked_for() -> None:
    weights = AskedTerms({"pass": 1.0, "elver": 1.0, "moth": 1.0})
    assert [len(best_by_terms(TEXT, weights, count)) for count in (3, 1)] == [3, 1]


def vectors(*rows: tuple[float, float, float]) -> Vectors:
    array = np.array(rows, dtype=np.float32)
    return array / np.linalg.norm(array, axis=1, keepdims=True)


def test_sentences_most_like_the_query_that_do_not_repeat_each_other() -> None:
    found = tuple(Sentence(place, f"a sentence of words {place}") for place in range(4))
    table = vectors((0.1, 1, 0), (1, 0.1, 0), (1, 0.12, 0), (0, 0, 1))
    query = vectors((1, 1, 0))[0]
    assert [one.start for one in best_by_meaning(found, table, query)] == [0, 2]
    assert [one.start for one in best_by_meaning(found[:1], table[:1], query)] == [0]
    assert best_by_meaning((), table[:0], query) == ()


def test_a_label_comes_after_whole_sentences() -> None:
    found = (
        Sentence(0, "Eel pass"),
        Sentence(10, "The pass was fitted in April."),
        Sentence(50, "Moths are another matter."),
    )
    table = vectors((1, 0, 0), (1, 0.5, 0), (0, 0, 1))
    assert [one.start for one in best_by_meaning(found, table, table[0])] == [10, 50]
