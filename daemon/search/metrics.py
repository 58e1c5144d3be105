"""How good a ranking is, and whether one is better than another beyond chance. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BOOTSTRAP_SAMPLES = 10_000


def ndcg(ranked: Sequence[str], gains: Mapping[str, float], k: int = 10) -> float:
    """nDCG@k with linear gains; `gains` names the relevant documents, > 0. 0 where there are none.

    Source: Järvelin and Kekäläinen, TOIS 2002, as trec_eval computes it.
    """
    ideal = sorted((gain for gain in gains.values() if gain > 0), reverse=True)[:k]
    best = sum(gain / math.log2(rank + 2) for rank, gain in enumerate(ideal))
    got = sum(max(0.0, gains.get(doc, 0.0)) / math.log2(rank + 2) for rank, doc in enumerate(ranked[:k]))
    return got / best if best > 0 else 0.0


def reciprocal_rank(ranked: Sequence[str], gains: Mapping[str, float], k: int = 10) -> float:
    """1 / the place of the first relevant document, 0 where none is in the first `k`."""
    for rank, doc in enumerate(ranked[:k], start=1):
        if gains.get(doc, 0.0) > 0:
            return 1.0 / rank
    return 0.0


def recall(ranked: Sequence[str], gains: Mapping[str, float], k: int) -> float:
    """Share of the relevant documents that are in the first `k`; 0 where there are none."""
    relevant = {doc for doc, gain in gains.items() if gain > 0}
    return len(relevant.intersection(ranked[:k])) / len(relevant) if relevant else 0.0


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of (b - a) over the same queries, with a 95 % confidence interval and a two-sided p value."""

    mean: float
    low: float
    high: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0


def paired_bootstrap(a: Sequence[float], b: Sequence[float], *, seed: int = 7) -> Difference:
    """Compare two runs query by query by resampling queries (percentile interval, 10,000 samples, fixed seed).

    Raises ValueError where the runs differ in length or are empty.
    Source: Sakai, SIGIR 2006.
    """
    if len(a) != len(b) or not a:
        raise ValueError("two runs over the same queries are needed")
    differences = np.asarray(b, dtype=np.float64) - np.asarray(a, dtype=np.float64)
    means = _resampled_means(differences, seed)
    low, high = np.percentile(means, [2.5, 97.5])
    centred = np.abs(means - differences.mean())
    p = float((centred >= abs(differences.mean())).mean())
    return Difference(float(differences.mean()), float(low), float(high), p)


def _resampled_means(values: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    means = np.empty(_BOOTSTRAP_SAMPLES)
    step = max(1, 2_000_000 // len(values))
    for start in range(0, _BOOTSTRAP_SAMPLES, step):
        size = min(step, _BOOTSTRAP_SAMPLES - start)
        picks = rng.integers(0, len(values), size=(size, len(values)))
        means[start : start + size] = values[picks].mean(axis=1)
    return means
