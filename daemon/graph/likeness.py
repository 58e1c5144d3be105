"""How alike two notes are: by what they link to and by their tags, and in meaning, by the vectors of their chunks.

By links and tags it goes from 0, nothing in common, towards 1. What many notes have in common says little of two of
them, so each thing in common weighs 1 / log2(1 + d)², d being the number of notes that have it; the sum s of these
weights is made s / (1 + s). It is the measure of Adamic and Adar ("Friends and neighbors on the Web", 2003) with the
weight squared: of the variants measured in docs/links-and-related.md, the one that agreed best with meaning.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.daemon.graph.csr import Csr, FrozenGraph, Rows, Weights
from scrubjay.profiles.database.rows import ChunkView, SemanticHit, Vector
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class Likeness:
    """Notes with something in common with a note, in ascending rows; values of each note in (0, 1)."""

    rows: Rows
    values: Weights


def by_links(graph: FrozenGraph, row: int) -> Likeness:
    """Notes that share neighbours with `row`: cited together, or citing the same."""
    return _in_common(graph.both, graph.both, row)


def by_tags(graph: FrozenGraph, row: int) -> Likeness:
    """Notes that share tags with `row`."""
    return _in_common(graph.tags, graph.tagged, row)


def mean_vector(store: Store, chunks: Sequence[ChunkView]) -> Vector | None:
    """The direction of the mean of these chunks' vectors, of length 1; None where none of them has one."""
    vectors = store.vectors_of([chunk.digest for chunk in chunks])
    if not vectors:
        return None
    mean: Vector = np.mean(np.stack(list(vectors.values())), axis=0).astype(np.float32)
    length = np.float32(np.linalg.norm(mean))
    return mean / length if length > 0 else None


def nearest_notes(hits: Iterable[SemanticHit], note_id: int) -> dict[int, tuple[float, int]]:
    """Of each note but `note_id`, its best likeness (cosine, nothing below 0) and the chunk that has it."""
    found: dict[int, tuple[float, int]] = {}
    for hit in hits:
        likeness = min(1.0 - hit.distance, 1.0)
        if likeness > 0 and hit.note_id != note_id and likeness > found.get(hit.note_id, (0.0, 0))[0]:
            found[hit.note_id] = (likeness, hit.chunk_id)
    return found


class LikenessTo:
    """How alike notes are to a vector: the cosine of a note's nearest chunk. Remembers what it measured."""

    def __init__(self, store: Store, graph: FrozenGraph, vector: Vector) -> None:
        self._store = store
        self._graph = graph
        self._vector = vector
        self._known: dict[int, float] = {}

    def __call__(self, rows: Rows) -> Weights:
        """The likeness of each row, in [-1, 1]; NaN for a note without vectors."""
        values = [self._of(int(row)) for row in rows]
        return np.array(values, dtype=np.float64)

    def _of(self, row: int) -> float:
        if row not in self._known:
            chunks = self._store.note_chunks(int(self._graph.ids[row]))
            vectors = self._store.vectors_of([chunk.digest for chunk in chunks])
            self._known[row] = max((float(vector @ self._vector) for vector in vectors.values()), default=float("nan"))
        return self._known[row]


def _in_common(has: Csr, had_by: Csr, row: int) -> Likeness:
    own = has.of(row)
    owner, others = had_by.of_all(own)
    counts = had_by.starts[own + 1] - had_by.starts[own]
    weights = 1.0 / np.log2(1.0 + counts) ** 2
    sums = np.bincount(others, weights=weights[owner], minlength=len(has.starts) - 1)
    sums[row] = 0.0
    rows = np.flatnonzero(sums)
    return Likeness(rows, sums[rows] / (1.0 + sums[rows]))
