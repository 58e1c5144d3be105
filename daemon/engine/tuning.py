"""Learning a query matrix from a profile's names of notes, and whether it is good enough to be used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from scrubjay.credential_filter import MARK
from scrubjay.profiles.search.evaluation import paired_bootstrap
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.meaning.query_matrix import Learned, QueryMatrix
from scrubjay.profiles.store.query_matrices import GivenName, names_of, passages_of, put_learned
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
Ranks = NDArray[np.float64]  # reciprocal rank of each name's note


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


def learn(names: Names, wait_turn: Callable[[], None] = lambda: None) -> tuple[Learned, NDArray[np.float32] | None]:
    """The matrix that these names teach, and how well it does; None where that is not enough.

    wait_turn: called about once a second of work; may raise to end it.

    A fifth of the notes is left out whole: on the names of one half of these λ is chosen, on those of the other the
    gain is measured. The matrix that is used is learned from all.
    """
    if len(names.queries) < LEAST_PAIRS:
        return Learned(len(names.queries), 0.0, 0.0, 0.0, 0.0, 0.0), None
    choosing, judging = _left_out(names.notes)
    regression = _regression(names.of(~(choosing | judging)))
    field = _Field(names.passages, wait_turn)
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
        return learned, None
    return learned, _regression(names).matrix(ridge).astype(np.float32)


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

    def __init__(self, passages: Mapping[int, Vectors], wait_turn: Callable[[], None]) -> None:
        self._wait_turn = wait_turn
        self._place = {note: place for place, note in enumerate(passages)}
        self._vectors = np.concatenate(list(passages.values()))
        self._starts = np.cumsum([0, *(len(vectors) for vectors in passages.values())])[:-1]

    def ranks(self, names: Names, matrix: NDArray[np.float32] | None = None) -> tuple[Ranks, Ranks]:
        """For each name the reciprocal rank of its note among all, and the similarity of the first one."""
        queries = names.queries if matrix is None else _unit(names.queries @ matrix)
        places = np.array([self._place[note] for note in names.notes.tolist()])
        ranks, best = np.empty(len(queries)), np.empty(len(queries))
        for start in range(0, len(queries), _AT_ONCE):
            self._wait_turn()
            some = slice(start, start + _AT_ONCE)
            by_note = np.maximum.reduceat(queries[some] @ self._vectors.T, self._starts, axis=1)
            wanted = by_note[np.arange(len(by_note)), places[some]]
            ranks[some] = 1 / (1 + (by_note > wanted[:, np.newaxis]).sum(axis=1))
            best[some] = by_note.max(axis=1)
        return ranks, best


def _unit(vectors: NDArray[np.float32]) -> Vectors:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return vectors / np.maximum(lengths, np.finfo(np.float32).tiny)[:, np.newaxis]


MOST_PAIRS = 15_000
"""Names that are learned from: three quarters of a minute of one core."""
_MOST_PASSAGES = 8  # of a note, from its beginning
_BATCH = 64  # names embedded at once
_NOTES_AT_ONCE = 1_000


class TuningStopped(Exception):
    """Something else has become more urgent; nothing was stored."""


def usable_names(store: Store) -> list[GivenName]:
    """The names that may be learned from, at most MOST_PAIRS, chosen by their text alone: those without a redaction."""
    names = [name for name in names_of(store) if not MARK.search(name.text)]
    return sorted(names, key=_chance)[:MOST_PAIRS] if len(names) > MOST_PAIRS else names


def tune(
    store: Store, embedder: Embedder, names: Sequence[GivenName], wait_turn: Callable[[], None] = lambda: None
) -> tuple[Learned, QueryMatrix | None]:
    """Learn from these names, and keep in the store what came of it. The matrix is None where it is not to be used.

    wait_turn: called before each batch is embedded; may block, and may raise TuningStopped to end it all.
    Raises what the embedder and the store raise.
    """
    model = embedder.spec.fingerprint
    passages = _passages(store, model, {name.note_id for name in names})
    known = [name for name in names if name.note_id in passages]
    if len(known) < LEAST_PAIRS:
        learned, matrix = Learned(len(known), 0.0, 0.0, 0.0, 0.0, 0.0), None
    else:
        queries = _embedded(embedder, [name.text for name in known], wait_turn)
        learned, matrix = learn(Names(queries, np.array([name.note_id for name in known]), passages), wait_turn)
    wait_turn()
    put_learned(store, model, learned, matrix)
    return learned, None if matrix is None else QueryMatrix(matrix, learned.shift)


def _passages(store: Store, model: str, notes: set[int]) -> dict[int, Vectors]:
    ordered, found = sorted(notes), dict[int, Vectors]()
    for start in range(0, len(ordered), _NOTES_AT_ONCE):
        found |= passages_of(store, model, ordered[start : start + _NOTES_AT_ONCE], _MOST_PASSAGES)
    return found


def _embedded(embedder: Embedder, texts: Sequence[str], wait_turn: Callable[[], None]) -> Vectors:
    """The texts as queries. In bulk where the model reads queries and passages alike."""
    rows: list[Vectors] = []
    alike = embedder.spec.query_prefix == embedder.spec.passage_prefix
    for start in range(0, len(texts), _BATCH):
        wait_turn()
        some = texts[start : start + _BATCH]
        rows.append(embedder.embed_passages(some) if alike else np.stack([embedder.embed_query(text) for text in some]))
    return np.concatenate(rows)


def _chance(name: GivenName) -> bytes:
    return blake2b(name.text.encode("utf-8", "replace"), digest_size=8).digest()
