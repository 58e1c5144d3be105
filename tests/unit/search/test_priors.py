"""What moves a score, how far, and what leaves it alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.priors import importance, with_recency

SCORES = st.lists(st.floats(0, 100), min_size=1, max_size=20).map(np.array)


def arr(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array(values, dtype=np.float64)


def test_recency_halves_what_it_may_take_with_each_half_life() -> None:
    ages = arr(0, 30, 60, 1e9, -5, np.nan)
    assert with_recency(np.ones(6), ages, 30, least=0.6).tolist() == pytest.approx([1, 0.8, 0.7, 0.6, 1, 1])


@pytest.mark.parametrize("half_life", [0, -1])
def test_a_half_life_must_be_above_zero(half_life: float) -> None:
    with pytest.raises(ValueError, match="half-life"):
        with_recency(arr(1), arr(1), half_life)


@pytest.mark.parametrize(
    ("properties", "factor"),
    [
        ({}, 1.0),
        ({"importance": "High"}, 1.05),
        ({"Importance": "5"}, 1.1),
        ({"importance": "1"}, 0.9),
        ({"importance": "6"}, 1.0),
        ({"importance": "1.5"}, 1.0),
        ({"priority": "low"}, 0.95),
        ({"priority": "1"}, 1.0),  # some mean the first, some the least
        ({"importance": "unclear", "priority": "critical"}, 1.1),
        ({"importance": ("high", "low")}, 1.0),
    ],
)
def test_importance_is_what_the_frontmatter_says(properties: dict[str, str | tuple[str, ...]], factor: float) -> None:
    assert importance(properties) == pytest.approx(factor)


@given(SCORES, st.floats(0.1, 1000), st.floats(0, 1))
def test_recency_never_raises_a_score_and_never_takes_all(
    scores: np.ndarray[tuple[int], np.dtype[np.float64]], half_life: float, least: float
):
    aged = with_recency(scores, np.arange(len(scores), dtype=np.float64) * 7, half_life, least)
    assert (aged <= scores * (1 + 1e-12)).all()
    assert (aged >= least * scores * (1 - 1e-12)).all()
