"""How alike notes are in meaning, from the vectors of their chunks."""

from collections.abc import Iterable, Sequence

import numpy as np

from daemon.graph.centrality import Weights
from daemon.graph.csr import FrozenGraph, Rows
from profiles.rows import ChunkView, SemanticHit, Vector
from profiles.store import Store


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
