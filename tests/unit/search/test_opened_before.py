"""What was opened before after the same query stands higher, a place for each time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.journal.search_event import Opening
from scrubjay.profiles.search.rank.fusion import SIGNALS, Ranked
from scrubjay.profiles.search.rank.legs import Candidates
from scrubjay.profiles.search.rank.opened_before import HALF_LIFE_NS, lifted, places_up

NOW = 10**18


def opening(query: str, path: str = "Weir.md", half_lives: float = 0.0) -> Opening:
    return Opening(query, path, NOW - int(half_lives * HALF_LIFE_NS))


def test_an_opening_counts_for_its_query_and_the_beginning_of_it() -> None:
    counts = ["weir budget", "  Wéir   BUDGET ", "weir bud", "wei"]
    others = ["we", "", "budget", "weir budget 2026", "heron"]  # most queries begin so; a word of it; more than it
    assert [asked for asked in counts + others if places_up([opening("weir budget")], asked, NOW)] == counts
    assert places_up([opening("weir budget")], "weir", NOW) == {"Weir.md": 1}


@pytest.mark.parametrize(
    ("half_lives", "places"),
    [([0], 1), ([0.99], 1), ([1.01], 0), ([0, 0, 0], 3), ([2, 2], 1), ([3, 3, 3], 0), ([0, 9, 9, 9], 1)],
)
def test_an_opening_counts_less_as_time_passes(half_lives: list[float], places: int) -> None:
    found = places_up([opening("weir", half_lives=age) for age in half_lives], "weir", NOW)
    assert found.get("Weir.md", 0) == places


def ranked(*scores: float) -> Ranked:
    points = np.zeros((len(SIGNALS), len(scores)))
    points[0] = scores
    keys = tuple(("p", number) for number in range(len(scores)))
    nothing = np.zeros((4, len(scores)))
    candidates = Candidates(keys, (b"",) * len(scores), np.arange(len(scores)), np.zeros((2, len(scores))), nothing)
    return Ranked(candidates, points, candidates.scores)


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ({}, [0, 1, 2, 3]),
        ({2: 1}, [0, 2, 1, 3]),
        ({3: 2}, [0, 3, 1, 2]),
        ({0: 4}, [0, 1, 2, 3]),
        ({3: 9}, [3, 0, 1, 2]),
        ({1: 1, 2: 1}, [1, 0, 2, 3]),
        ({1: 1, 2: 2}, [2, 1, 0, 3]),
    ],
)
def test_a_note_rises_as_many_places_as_it_was_opened(places: dict[int, int], order: list[int]) -> None:
    _, found = lifted(ranked(4, 3, 2, 1), [0, 1, 2, 3], places)
    assert list(found) == order


SCORES = st.lists(st.floats(0, 10), min_size=1, max_size=12).map(lambda scores: sorted(scores, reverse=True))


@given(SCORES, st.dictionaries(st.integers(0, 11), st.integers(1, 5)))
def test_nothing_is_lost_scores_fall_and_only_what_was_opened_gets_points(
    scores: list[float], wanted: dict[int, int]
) -> None:
    places = {column: up for column, up in wanted.items() if column < len(scores)}
    before = ranked(*scores)
    after, order = lifted(before, range(len(scores)), places)
    assert sorted(order) == list(range(len(scores)))
    final = after.scores[list(order)]
    assert (np.diff(final) <= 1e-9).all()
    rest = [column for column in range(len(scores)) if column not in places]
    assert np.array_equal(after.scores[rest], before.scores[rest])
    assert [column for column in order if column not in places] == rest
    assert all(list(order).index(column) >= column - up for column, up in places.items())
