import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.fusion import SHARE, neighbour_points


def rows(*angles: float) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.array([[np.cos(a), np.sin(a)] for a in angles], dtype=np.float32)


def test_a_passage_among_good_ones_rises_and_among_poor_ones_sinks() -> None:
    points = neighbour_points(np.array([1.0, 0.5, 0.9, 0.1]), rows(0.0, 0.1, 1.5, 1.6))
    assert points[1] > 0 > points[2]


def test_a_score_moves_by_the_share_towards_its_neighbours() -> None:
    points = neighbour_points(np.array([1.0, 0.0]), rows(0.0, 0.3))
    assert points == pytest.approx([-SHARE, SHARE])


def test_equal_texts_and_texts_without_a_vector_do_not_move() -> None:
    vectors = rows(0.0, 0.0, 0.0)
    vectors[2] = 0
    assert not neighbour_points(np.array([1.0, 0.5, 0.2]), vectors).any()


@given(st.lists(st.floats(0, 1), max_size=12))
def test_scores_stay_between_the_lowest_and_the_highest(scores: list[float]) -> None:
    vectors = rows(*np.linspace(0, 1.5, len(scores)))
    if not scores:
        return
    moved = np.array(scores) + neighbour_points(np.array(scores), vectors)
    assert moved.min() >= min(scores) - 1e-6
    assert moved.max() <= max(scores) + 1e-6
