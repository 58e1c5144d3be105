"""Which of the entries found comes first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.engine.journals import RecallCandidate, ranked
from scrubjay.profiles.journal.entries import JournalEntry

NOW = 100


def candidate(text: str, similarity: float | None, at: int = 1, profile: str = "work", *tags: str) -> RecallCandidate:
    return RecallCandidate(profile, JournalEntry(f"{at:012x}", at, "agent", "c1", tags, text), similarity)


@pytest.mark.parametrize(
    ("query", "candidates", "best"),
    [
        pytest.param("ferry", [candidate("train", 0.2), candidate("ferry", 0.2)], "ferry", id="words decide"),
        pytest.param("boat", [candidate("train", 0.2), candidate("ferry", 0.7)], "ferry", id="meaning decides"),
        pytest.param("ferry", [candidate("train", None), candidate("ferry", None)], "ferry", id="no model"),
        pytest.param("sea", [candidate("a", 0.3), candidate("b", 0.3, 2, "work", "sea")], "b", id="tags count"),
        pytest.param("x", [candidate("old", 0.3, 1), candidate("new", 0.3, 2)], "new", id="equal ones newest first"),
        pytest.param("", [candidate("old", None, 1), candidate("new", None, 2)], "new", id="an empty query"),
    ],
)
def test_the_best_comes_first(query: str, candidates: list[RecallCandidate], best: str) -> None:
    assert ranked(candidates, query, NOW)[0].entry.text == best


def test_a_text_saved_twice_is_recalled_once_as_saved_last_but_once_in_each_profile() -> None:
    found = ranked(
        [candidate("same", 0.5, 1), candidate("same", 0.5, 2), candidate("same", 0.5, 3, "home")], "same", NOW
    )
    assert [(each.profile, each.entry.at_ns) for each in found] == [("home", 3), ("work", 2)]


def test_what_is_far_from_the_query_says_so() -> None:
    assert [
        each.relevance for each in ranked([candidate("ferry times", 0.9), candidate("train", 0.05, 2)], "ferry", NOW)
    ] == [
        "high",
        "low",
    ]


@given(
    st.lists(st.tuples(st.text(max_size=20), st.none() | st.floats(-1, 1), st.integers(0, 9)), max_size=12),
    st.text(max_size=30),
)
def test_scores_fall_and_nothing_distinct_is_lost(said: list[tuple[str, float | None, int]], query: str) -> None:
    found = ranked([candidate(text, similarity, at) for text, similarity, at in said], query, NOW)
    assert {each.entry.text for each in found} == {text for text, _, _ in said}
    assert all(0 <= each.score <= 1 + 1e-9 for each in found)
    for at, answer in enumerate(found):
        passed = [other for other in found[at + 1 :] if other.score > answer.score]
        assert all(other.entry.at_ns <= answer.entry.at_ns for other in passed) or not passed


def holding(text: str, from_ns: int | None) -> RecallCandidate:
    entry = JournalEntry(f"{from_ns or 0:012x}", 50, "agent", "c1", (), text, valid_from_ns=from_ns)
    return RecallCandidate("work", entry, 0.8)


@pytest.mark.parametrize(("later", "first"), [(60, "47"), (NOW, "47"), (101, "12")])
def test_of_nearly_the_same_what_holds_from_a_later_time_comes_first_once_it_holds(later: int, first: str) -> None:
    found = ranked(
        [holding("the parking spot is 12", None), holding("the parking spot is 47", later)], "parking spot", NOW
    )
    assert found[0].entry.text == f"the parking spot is {first}"
