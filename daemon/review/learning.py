"""Learning a query matrix from names of notes, and whether it is good enough to be used."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.review.steps import LEAST_PAIRS, Learnt, nothing_learnt
from scrubjay.profiles.search.evaluation import paired_bootstrap
from scrubjay.profiles.search.meaning.query_matrix import Learned
from scrubjay.profiles.search.meaning.vectors import of_length_one
from scrubjay.profiles.store.query_matrices import NotePassages, passages_of
from scrubjay.profiles.store.rows import Vector, Vectors
from scrubjay.profiles.store.store import Store

Matrix = NDArray[np.float64]


class TowardsIdentity:
    """The regression of `targets` on `queries`, row by row, for any strength of the ridge."""

    def __init__(self, rows: Iterable[tuple[Matrix, Matrix]], dim: int) -> None:
        """rows: some queries with their targets at a time, both of shape (pairs, dim)."""
        self._products = np.zeros((dim, dim))
        self._wanted = np.zeros((dim, dim))
        for queries, targets in rows:
            self._products += queries.T @ queries
            self._wanted += queries.T @ targets

    def matrix(self, ridge: float) -> Matrix:
        """The W with the least |queries W - targets|² + ridge |W - I|², which is (QᵀQ + λI)⁻¹ (QᵀD + λI).

        ridge: λ > 0. Source: Hoerl and Kennard, "Ridge Regression", Technometrics 1970, with I in place of 0.
        """
        diagonal = ridge * np.eye(len(self._products))
        return np.linalg.solve(self._products + diagonal, self._wanted + diagonal).astype(np.float64, copy=False)


LEAST_GAIN = 0.03
"""In mean reciprocal rank of notes left out; docs/retrieval.md has the vaults that it tells apart."""
RIDGES = (30.0, 100.0, 300.0, 1_000.0, 3_000.0)
_LEFT_OUT = 0.2  # share of the notes whose names are not learned from while the matrix is judged
_MOST_JUDGED = 2_000  # names of notes left out that are asked for
_AT_ONCE = 256  # names compared with passages in one product
_NOTES_AT_ONCE = 512  # whose passages are numbers at one time
_SEED = 11  # the same names give the same matrix
_MOST_PASSAGES = 8  # of a note, from its beginning
Ranks = NDArray[np.float64]  # reciprocal rank of each name's note


def learn_from(store: Store, model: str, notes: NDArray[np.int64], stored: bytes) -> Learnt:
    """As `learn`, of names whose notes have vectors of this model in a store.

    stored: of each name its vector as the model reads a query, as stored, one after the other. notes: of which note
    each is.
    """
    queries = np.frombuffer(stored, np.int8).reshape(len(notes), -1)
    passages = passages_of(store, model, np.unique(notes), _MOST_PASSAGES)
    known = np.isin(notes, passages.note_ids)
    return learn(Names(of_length_one(queries[known].astype(np.float32)), notes[known], passages))


@dataclass(frozen=True, slots=True)
class Names:
    """Names as the model reads a query, with the notes they belong to. passages: of each of these notes."""

    queries: Vectors
    notes: NDArray[np.int64]
    passages: NotePassages

    def of(self, chosen: NDArray[np.bool_]) -> "Names":
        """Some of the names."""
        return replace(self, queries=self.queries[chosen], notes=self.notes[chosen])

    def places(self) -> NDArray[np.int64]:
        """Of each name's note, its place among those that have passages."""
        return np.searchsorted(self.passages.note_ids, self.notes)

    def with_nearest_passages(self) -> Iterator[tuple[Matrix, Matrix]]:
        """Some names at a time, each with the passage of its note that is nearest to it."""
        places = self.places().tolist()
        for start in range(0, len(places), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            pairs = zip(self.queries[some], places[some], strict=True)
            nearest = [_nearest(query, self.passages.vectors(place, place + 1)) for query, place in pairs]
            yield self.queries[some].astype(np.float64), np.stack(nearest).astype(np.float64)


def learn(names: Names) -> Learnt:
    """The matrix that these names teach, and how well it does; None where that is not enough.

    A fifth of the notes is left out whole: on the names of one half of these λ is chosen, on those of the other the
    gain is measured. The matrix that is used is learned from all.
    """
    if len(names.queries) < LEAST_PAIRS:
        return nothing_learnt(len(names.queries))
    choosing, judging = _left_out(names.notes)
    if not (choosing.any() and judging.any() and (~(choosing | judging)).any()):
        return nothing_learnt(len(names.queries))  # they are names of two notes, say
    regression = _regression(names.of(~(choosing | judging)))
    asked = names.of(_some(choosing))
    ridge = max(RIDGES, key=lambda each: _ranks(asked, regression.matrix(each).astype(np.float32))[0].mean())
    asked = names.of(_some(judging))
    before, similarity = _ranks(asked)
    after, with_matrix = _ranks(asked, regression.matrix(ridge).astype(np.float32))
    by_note = [_mean_by_note(ranks, asked.notes) for ranks in (before, after)]
    gain = paired_bootstrap(*by_note)
    shift = float((with_matrix - similarity).mean())
    learned = Learned(len(names.queries), ridge, float(np.mean(by_note[0])), gain.mean, gain.low, gain.high, shift)
    if gain.mean < LEAST_GAIN or gain.low <= 0:
        return Learnt(learned, None)
    return Learnt(learned, _regression(names).matrix(ridge).astype(np.float32))


def _regression(names: Names) -> TowardsIdentity:
    return TowardsIdentity(names.with_nearest_passages(), names.queries.shape[1])


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


def _ranks(names: Names, matrix: NDArray[np.float32] | None = None) -> tuple[Ranks, Ranks]:
    """For each name the reciprocal rank of its note among all, and the similarity of the first one."""
    queries = names.queries if matrix is None else of_length_one(names.queries @ matrix)
    places, notes = names.places(), len(names.passages.note_ids)
    by_note = np.empty((_AT_ONCE, notes), np.float32)
    ranks, best = np.empty(len(queries)), np.empty(len(queries))
    for start in range(0, len(queries), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        found = by_note[: len(queries[some])]
        for first in range(0, notes, _NOTES_AT_ONCE):
            last = min(first + _NOTES_AT_ONCE, notes)
            starts = names.passages.starts[first:last]
            similarity = queries[some] @ names.passages.vectors(first, last).T
            np.maximum.reduceat(similarity, starts - starts[0], axis=1, out=found[:, first:last])
        wanted = found[np.arange(len(found)), places[some]]
        ranks[some] = 1 / (1 + (found > wanted[:, np.newaxis]).sum(axis=1))
        best[some] = found.max(axis=1)
    return ranks, best
