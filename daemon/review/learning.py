"""Learning a query matrix from names of notes, and whether it is good enough to be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.evaluation import paired_bootstrap
from scrubjay.profiles.search.meaning.query_matrix import Learned
from scrubjay.profiles.store.query_matrices import passages_of
from scrubjay.profiles.store.rows import Vector, Vectors
from scrubjay.profiles.store.store import Store

Matrix = NDArray[np.float64]


class TowardsIdentity:
    """The regression of `targets` on `queries`, row by row, for any strength of the ridge."""

    def __init__(self, queries: Matrix, targets: Matrix) -> None:
        """Both of shape (pairs, dim)."""
        self._products = queries.T @ queries
        self._wanted = queries.T @ targets

    def matrix(self, ridge: float) -> Matrix:
        """The W with the least |queries W - targets|² + ridge |W - I|², which is (QᵀQ + λI)⁻¹ (QᵀD + λI).

        ridge: λ > 0. Source: Hoerl and Kennard, "Ridge Regression", Technometrics 1970, with I in place of 0.
        """
        diagonal = ridge * np.eye(len(self._products))
        return np.linalg.solve(self._products + diagonal, self._wanted + diagonal).astype(np.float64, copy=False)


LEAST_PAIRS = 1_000
"""Names with their notes; fewer teach nothing that can be told from chance."""
LEAST_GAIN = 0.03
"""In mean reciprocal rank of notes left out; docs/retrieval.md has the vaults that it tells apart."""
RIDGES = (30.0, 100.0, 300.0, 1_000.0, 3_000.0)
_LEFT_OUT = 0.2  # share of the notes whose names are not learned from while the matrix is judged
_MOST_JUDGED = 2_000  # names of notes left out that are asked for
_AT_ONCE = 128  # names compared with all passages in one product
_SEED = 11  # the same names give the same matrix
_MOST_PASSAGES = 8  # of a note, from its beginning
_NOTES_AT_ONCE = 1_000
Ranks = NDArray[np.float64]  # reciprocal rank of each name's note


class Learnt(NamedTuple):
    """What names taught. matrix: None where that is not good enough to be used."""

    learned: Learned
    matrix: NDArray[np.float32] | None


def nothing_learnt(pairs: int) -> Learnt:
    """What so few names teach."""
    return Learnt(Learned(pairs, 0.0, 0.0, 0.0, 0.0, 0.0), None)


def learn_from(store: Store, model: str, notes: NDArray[np.int64], queries: Vectors) -> Learnt:
    """As `learn`, of names whose notes have vectors of this model in a store.

    queries: of each name, as the model reads a query. notes: of which note each is.
    """
    ordered, passages = np.unique(notes).tolist(), dict[int, Vectors]()
    for start in range(0, len(ordered), _NOTES_AT_ONCE):
        passages |= passages_of(store, model, ordered[start : start + _NOTES_AT_ONCE], _MOST_PASSAGES)
    return learn(Names(queries, notes, passages).of(np.isin(notes, list(passages))))


@dataclass(frozen=True, slots=True)
class Names:
    """Names as the model reads a query, with the notes they belong to. passages: vectors of each of these notes."""

    queries: Vectors
    notes: NDArray[np.int64]
    passages: Mapping[int, Vectors]

    def of(self, chosen: NDArray[np.bool_]) -> "Names":
        """Some of the names."""
        return replace(self, queries=self.queries[chosen], notes=self.notes[chosen])

    def nearest_passages(self) -> Vectors:
        """Of each name's note, the passage that is nearest to the name."""
        rows = [
            _nearest(query, self.passages[note]) for query, note in zip(self.queries, self.notes.tolist(), strict=True)
        ]
        return np.stack(rows)


def learn(names: Names) -> Learnt:
    """The matrix that these names teach, and how well it does; None where that is not enough.

    A fifth of the notes is left out whole: on the names of one half of these λ is chosen, on those of the other the
    gain is measured. The matrix that is used is learned from all.
    """
    if len(names.queries) < LEAST_PAIRS:
        return nothing_learnt(len(names.queries))
    choosing, judging = _left_out(names.notes)
    regression = _regression(names.of(~(choosing | judging)))
    field = _Field(names.passages)
    asked = names.of(_some(choosing))
    ridge = max(RIDGES, key=lambda each: field.ranks(asked, regression.matrix(each).astype(np.float32))[0].mean())
    asked = names.of(_some(judging))
    before, similarity = field.ranks(asked)
    after, with_matrix = field.ranks(asked, regression.matrix(ridge).astype(np.float32))
    by_note = [_mean_by_note(ranks, asked.notes) for ranks in (before, after)]
    gain = paired_bootstrap(*by_note)
    shift = float((with_matrix - similarity).mean())
    learned = Learned(len(names.queries), ridge, float(np.mean(by_note[0])), gain.mean, gain.low, gain.high, shift)
    if gain.mean < LEAST_GAIN or gain.low <= 0:
        return Learnt(learned, None)
    return Learnt(learned, _regression(names).matrix(ridge).astype(np.float32))


def _regression(names: Names) -> TowardsIdentity:
    return TowardsIdentity(names.queries.astype(np.float64), names.nearest_passages().astype(np.float64))


def _left_out(notes: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which names belong to notes that are left out: to choose by, and to judge by."""
    distinct = np.random.default_rng(_SEED).permutation(np.unique(notes))
    half = max(1, round(len(distinct) * _LEFT_OUT / 2))
    return np.isin(notes, distinct[:half]), np.isin(notes, distinct[half : 2 * half])


def _some(chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """At most half of _MOST_JUDGED of them."""
    places = np.random.default_rng(_SEED).permutation(np.flatnonzero(chosen))[: _MOST_JUDGED // 2]
    some = np.zeros_like(chosen)
    some[places] = True
    return some


def _mean_by_note(values: Ranks, notes: NDArray[np.int64]) -> Sequence[float]:
    """The mean of each note's names, so that a note of many names does not count for many."""
    _, place = np.unique(notes, return_inverse=True)
    return (np.bincount(place, values) / np.bincount(place)).tolist()


def _nearest(query: Vector, passages: Vectors) -> Vector:
    return passages[int(np.argmax(passages @ query))]


class _Field:
    """All passages that a name is compared with."""

    def __init__(self, passages: Mapping[int, Vectors]) -> None:
        self._place = {note: place for place, note in enumerate(passages)}
        self._vectors = np.concatenate(list(passages.values()))
        self._starts = np.cumsum([0, *(len(vectors) for vectors in passages.values())])[:-1]

    def ranks(self, names: Names, matrix: NDArray[np.float32] | None = None) -> tuple[Ranks, Ranks]:
        """For each name the reciprocal rank of its note among all, and the similarity of the first one."""
        queries = names.queries if matrix is None else _unit(names.queries @ matrix)
        places = np.array([self._place[note] for note in names.notes.tolist()])
        ranks, best = np.empty(len(queries)), np.empty(len(queries))
        for start in range(0, len(queries), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            by_note = np.maximum.reduceat(queries[some] @ self._vectors.T, self._starts, axis=1)
            wanted = by_note[np.arange(len(by_note)), places[some]]
            ranks[some] = 1 / (1 + (by_note > wanted[:, np.newaxis]).sum(axis=1))
            best[some] = by_note.max(axis=1)
        return ranks, best


def _unit(vectors: NDArray[np.float32]) -> Vectors:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return vectors / np.maximum(lengths, np.finfo(np.float32).tiny)[:, np.newaxis]
