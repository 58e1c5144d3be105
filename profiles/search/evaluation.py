"""Scoring searches against what people expect to find: `scrubjay eval golden.jsonl` and the project's own golden file;
how good a ranking is, and whether one is better than another beyond chance.

A golden file has one JSON object a line: {"query": "...", "notes": ["path.md", ...], "kind": "typo"}; all but the first
two may be left out. The notes are vault-relative paths, all equally expected.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.errors import UsageError

CUT = 10
_BOOTSTRAP_SAMPLES = 10_000


class GoldenQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A query and the notes that its answer should begin with."""

    query: str
    notes: tuple[str, ...]
    kind: str = ""
    hidden: bool = False  # the notes are called so: that name is taken from the index while the query is asked
    within: str = ""  # the note that the query was taken from: it says all of it, and counts as no answer


@dataclass(frozen=True, slots=True)
class Judged:
    """How one query did."""

    golden: GoldenQuery
    ndcg: float
    reciprocal_rank: float
    recall: float
    found: tuple[str, ...]  # the first notes of the answer, best first
    took_ms: float = 0.0  # from the question to its answer

    @property
    def ndcg5(self) -> float:
        """nDCG over the first five."""
        return ndcg(self.found, dict.fromkeys(self.golden.notes, 1.0), 5)

    @property
    def hit1(self) -> float:
        """1 where the first note is an expected one, else 0."""
        return 1.0 if self.found[:1] and self.found[0] in self.golden.notes else 0.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How all of them did. Means are over queries, at the first CUT notes."""

    queries: tuple[Judged, ...]

    @property
    def ndcg(self) -> float:
        """Mean nDCG."""
        return fmean(judged.ndcg for judged in self.queries)

    @property
    def ndcg_range(self) -> tuple[float, float]:
        """Between what the mean nDCG of other questions of the same sort would be, 95 times in 100."""
        spread = paired_bootstrap([0.0] * len(self.queries), [judged.ndcg for judged in self.queries])
        return spread.low, spread.high

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank of the first expected note."""
        return fmean(judged.reciprocal_rank for judged in self.queries)

    @property
    def recall(self) -> float:
        """Mean share of the expected notes that were found."""
        return fmean(judged.recall for judged in self.queries)

    def by_kind(self) -> dict[str, float]:
        """Mean nDCG of each kind of query, by name."""
        kinds = sorted({judged.golden.kind for judged in self.queries})
        return {kind: fmean(j.ndcg for j in self.queries if j.golden.kind == kind) for kind in kinds}


def read_golden(text: str) -> tuple[GoldenQuery, ...]:
    """Read a golden file. Raises UsageError, naming the line, where one can't be read or expects nothing."""
    # JSON may hold the other ends of lines that splitlines() knows.
    lines = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
    golden = tuple(_golden_query(number, line) for number, line in lines if line.strip())
    if not golden:
        raise UsageError(f"The golden file has no queries. {_A_LINE}")
    return golden


_A_LINE = 'A line is like {"query": "weir budget", "notes": ["Projects/Budget.md"], "kind": "exact"}.'


def _golden_query(number: int, line: str) -> GoldenQuery:
    try:
        query = msgspec.json.decode(line, type=GoldenQuery)
    except msgspec.MsgspecError as error:
        raise UsageError(f"Line {number} of the golden file can't be read: {error}. {_A_LINE}") from error
    if not query.query.strip() or not any(query.notes) or not all(note.strip() for note in query.notes):
        raise UsageError(f"Line {number} of the golden file needs a query and the path of at least one note. {_A_LINE}")
    return query


def evaluate(golden: Sequence[GoldenQuery], search: Callable[[str], Sequence[str]]) -> Evaluation:
    """Ask every query; `search` gives the paths of the notes found, best first."""
    return Evaluation(tuple(_asked(query, search) for query in golden))


def _asked(golden: GoldenQuery, search: Callable[[str], Sequence[str]]) -> Judged:
    began = time.perf_counter()
    found = tuple(path for path in search(golden.query) if path != golden.within)[:CUT]
    took_ms = (time.perf_counter() - began) * 1000
    gains = dict.fromkeys(golden.notes, 1.0)
    measures = ndcg(found, gains, CUT), reciprocal_rank(found, gains, CUT), recall(found, gains, CUT)
    return Judged(golden, *measures, found, took_ms)


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
