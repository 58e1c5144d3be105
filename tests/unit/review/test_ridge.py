import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.review.learning import Matrix, TowardsIdentity


def numbers(seed: int, pairs: int, dim: int) -> tuple[Matrix, Matrix]:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((pairs, dim)), rng.standard_normal((pairs, dim))


@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 12), st.sampled_from([0.5, 30.0, 3_000.0]))
def test_no_other_matrix_has_a_smaller_error(seed: int, pairs: int, dim: int, ridge: float) -> None:
    queries, targets = numbers(seed, pairs, dim)
    found = TowardsIdentity(zip(np.array_split(queries, 3), np.array_split(targets, 3), strict=True), dim).matrix(ridge)
    slope = queries.T @ (queries @ found - targets) + ridge * (found - np.eye(dim))  # of the error, which is convex
    assert np.abs(slope).max() < 1e-6 * (1 + ridge) * (1 + pairs)


def test_nothing_to_learn_leaves_queries_as_they_are() -> None:
    queries, _ = numbers(1, 20, 6)
    assert TowardsIdentity([(queries, queries)], 6).matrix(30.0) == pytest.approx(np.eye(6))


def test_a_rotation_is_learned_and_a_strong_ridge_holds_it_back() -> None:
    queries, _ = numbers(2, 400, 5)
    turn = np.roll(np.eye(5), 1, axis=1)
    regression = TowardsIdentity([(queries, queries @ turn)], 5)
    assert regression.matrix(1e-6) == pytest.approx(turn, abs=1e-6)
    assert regression.matrix(1e9) == pytest.approx(np.eye(5), abs=1e-4)
