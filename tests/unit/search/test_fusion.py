from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.fusion import (
    SHARE,
    ScoreTable,
    best_first,
    convex_combination,
    neighbour_points,
    ranks,
    weighted_rrf,
)

NAN = float("nan")
TM2C2 = (None, None)
SCORES = st.one_of(st.just(NAN), st.floats(0, 50, allow_nan=False))
TABLES = (
    st.integers(0, 12)
    .flatmap(lambda n: st.tuples(st.lists(SCORES, min_size=n, max_size=n), st.lists(SCORES, min_size=n, max_size=n)))
    .map(lambda rows: np.array(rows, dtype=np.float64).reshape(2, -1))
)
WEIGHTS = st.tuples(st.floats(0, 1), st.floats(0, 1))


def test_rrf_gives_what_the_formula_says() -> None:
    points = weighted_rrf(np.array([[3.0, 1.0, NAN], [NAN, 0.9, 0.8]]), (0.6, 0.4))
    assert points.sum(axis=0) == pytest.approx([0.6 / 61, 0.6 / 62 + 0.4 / 61, 0.4 / 62])


def test_equal_scores_share_a_rank_and_the_next_follows_on() -> None:
    assert ranks(np.array([5.0, 7.0, 5.0, NAN, 1.0])).tolist() == [2, 1, 2, 0, 3]


def test_convex_scales_from_the_theoretical_floor_to_the_best() -> None:
    points = convex_combination(np.array([[10.0, 5.0, NAN], [0.6, NAN, -0.2]]), (0.3, 0.7), (0.0, -1.0), TM2C2)
    assert points == pytest.approx(np.array([[0.3, 0.15, 0.0], [0.7, 0.0, 0.35]]))


def test_a_theoretical_ceiling_keeps_a_poor_leg_small() -> None:
    points = convex_combination(np.array([[4.0, 1.0], [-0.5, 0.5]]), (0.4, 0.6), (0.0, 0.0), (8.0, 1.0))
    assert points == pytest.approx(np.array([[0.2, 0.05], [0.0, 0.3]]))


@pytest.mark.parametrize("table", [np.full((2, 3), NAN), np.zeros((2, 0)), np.zeros((2, 3))])
def test_a_leg_that_says_nothing_gives_nothing(table: ScoreTable) -> None:
    assert not convex_combination(table, (0.5, 0.5), (0.0, 0.0), TM2C2).any()


@pytest.mark.parametrize("weights", [(1.0,), (0.5, -0.1)])
def test_wrong_weights_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="weight"):
        weighted_rrf(np.zeros((2, 1)), weights)
    with pytest.raises(ValueError, match="weight"):
        convex_combination(np.zeros((2, 1)), weights, (0.0, 0.0), TM2C2)


def test_equal_scores_keep_their_order() -> None:
    assert best_first(np.array([1.0, 2.0, 1.0, 2.0])).tolist() == [1, 3, 0, 2]


@given(TABLES, WEIGHTS, st.integers(0, 1), st.integers(0, 100))
def test_points_are_for_what_a_leg_has_in_its_order_and_not_in_that_of_the_candidates(
    table: ScoreTable, weights: tuple[float, float], row: int, seed: int
) -> None:
    present = np.flatnonzero(~np.isnan(table[row]))
    by_score = present[np.argsort(table[row, present])]
    order = np.random.default_rng(seed).permutation(table.shape[1])
    ways: tuple[Callable[[ScoreTable], ScoreTable], ...] = (
        lambda scores: weighted_rrf(scores, weights),
        lambda scores: convex_combination(scores, weights, (0.0, -1.0), TM2C2),
    )
    for fused in ways:
        points = fused(table)
        assert points.shape == table.shape
        assert (points >= 0).all()
        assert not points[np.isnan(table)].any()
        assert (np.diff(points[row, by_score]) >= 0).all()
        assert np.array_equal(points[:, order], fused(table[:, order]))


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
