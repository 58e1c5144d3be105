import math

import pytest

from scrubjay.profiles.search.evaluation import ndcg, paired_bootstrap, recall, reciprocal_rank


@pytest.mark.parametrize(
    ("ranked", "gains", "expected"),
    [
        (["a", "b"], {"a": 1.0}, 1.0),
        (["b", "a"], {"a": 1.0}, 1 / math.log2(3)),
        ([], {"a": 1.0}, 0.0),
        (["a"], {}, 0.0),
        (["a", "b"], {"a": 1.0, "b": 3.0}, (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        (["a"], {"a": 1.0, "b": 1.0}, 1 / (1 + 1 / math.log2(3))),
        (["a"], {"a": -1.0, "b": 1.0}, 0.0),
    ],
)
def test_ndcg_gives_what_the_formula_says(ranked: list[str], gains: dict[str, float], expected: float) -> None:
    assert ndcg(ranked, gains) == pytest.approx(expected)


def test_only_the_first_k_count() -> None:
    ranked = [f"x{n}" for n in range(10)] + ["a"]
    assert ndcg(ranked, {"a": 1.0}) == 0.0
    assert reciprocal_rank(ranked, {"a": 1.0}) == 0.0
    assert reciprocal_rank(["x", "a", "b"], {"a": 1.0, "b": 1.0}) == 0.5
    assert recall(ranked, {"a": 1.0, "x0": 1.0}, 10) == 0.5
    assert recall(ranked, {"a": 1.0, "x0": 1.0}, 11) == 1.0


def test_a_steady_gain_is_significant_and_noise_is_not() -> None:
    base = [0.1 * (n % 10) for n in range(100)]
    better = paired_bootstrap(base, [value + 0.05 for value in base])
    assert better.significant
    assert better == paired_bootstrap(base, [value + 0.05 for value in base])  # drawn alike each time
    assert better.mean == pytest.approx(0.05)
    noise = paired_bootstrap(base, [value + (0.1 if n % 2 else -0.1) for n, value in enumerate(base)])
    assert not noise.significant
    assert noise.p > 0.5


@pytest.mark.parametrize(("a", "b"), [([], []), ([1.0], [1.0, 0.5])])
def test_runs_over_other_queries_are_refused(a: list[float], b: list[float]) -> None:
    with pytest.raises(ValueError, match="same queries"):
        paired_bootstrap(a, b)
