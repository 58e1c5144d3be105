"""The semantic leg: candidates from the sketch in RAM, exact cosine distances from sqlite-vec."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from profiles import embeddings
from profiles.columns import Changes, Columns, note_mask
from profiles.filters import NoteFilter
from profiles.rows import SemanticHit, Vector
from profiles.sketch import Sketch
from profiles.sql import Connection
from profiles.where import matching_notes

OVERSAMPLING = 8
MIN_CANDIDATES = 400
"""Candidates measured exactly: max(MIN_CANDIDATES, OVERSAMPLING * limit)."""
SMALL_SCOPE = 1000
"""Texts; with fewer that pass the filter, all are measured, and no sketch is needed."""


class SemanticIndex:
    """The sketch of one model and which chunk holds which text. Not thread-safe: its owner holds a lock."""

    def __init__(self, connection: Connection, model_row: int, columns: Columns) -> None:
        self.generation = columns.generation
        self.model_row = model_row
        sql = "SELECT id, sketch FROM embedding WHERE model_id = ? ORDER BY id"
        rows = cast("list[tuple[int, bytes]]", connection.execute(sql, (model_row,)).fetchall())
        self.dim = len(rows[0][1]) * 8 if rows else 0
        self._sketch = Sketch(self.dim, max(len(rows), 1024))
        self._sketch.add(rows)
        pairs = connection.execute(
            "SELECT chunk.id, embedding.id FROM embedding JOIN chunk ON chunk.digest = embedding.digest"
            " WHERE embedding.model_id = ?",
            (model_row,),
        ).fetchall()
        self._embedding_of = np.zeros(len(columns.note_of), np.int32)  # chunk id -> embedding id; 0: none
        self._pair(cast("list[tuple[int, int]]", pairs))

    def changed(self, changes: Changes, generation: int) -> None:
        """Take in what a transaction did."""
        if changes.sketches and not self.dim:
            self.dim = len(changes.sketches[0][1]) * 8
            self._sketch = Sketch(self.dim)
        self._sketch.add(changes.sketches)
        self._pair(changes.embedded)
        self._sketch.remove(changes.gone_embeddings)
        self.generation = generation

    def candidates(self, vector: Vector, k: int, chunks: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Ids of the embeddings whose signs agree best with `vector`; chunks: which chunk ids take part (None: all)."""
        if chunks is None:
            return self._sketch.nearest(vector, k)
        known = min(len(chunks), len(self._embedding_of))
        allowed = self._embedding_of[:known][chunks[:known]]
        allowed = allowed[allowed > 0].astype(np.int64)
        if len(allowed) <= max(SMALL_SCOPE, k):
            return np.unique(allowed)
        wanted = np.zeros(int(max(self._sketch.ids.max(initial=0), allowed.max())) + 1, bool)
        wanted[allowed] = True
        return self._sketch.nearest(vector, k, wanted[self._sketch.ids])

    def _pair(self, pairs: Sequence[tuple[int, int]]) -> None:
        if not pairs:
            return
        table = np.array(pairs, np.int64)
        missing = int(table[:, 0].max()) + 1 - len(self._embedding_of)
        if missing > 0:
            self._embedding_of = np.concatenate((self._embedding_of, np.zeros(missing, np.int32)))
        self._embedding_of[table[:, 0]] = table[:, 1]


def allowed_chunks(connection: Connection, columns: Columns, where: NoteFilter | None) -> NDArray[np.bool_] | None:
    """For each chunk id whether its note passes; None where all do."""
    return None if where is None else note_mask(columns, matching_notes(connection, where))


def measure(
    connection: Connection,
    candidates: NDArray[np.int64],
    vector: Vector,
    allowed: NDArray[np.bool_] | None,
    limit: int,
) -> list[SemanticHit]:
    """Exact distances of the candidates: the nearest `limit` chunks, nearest first, equal distances by chunk id.

    A text that several chunks hold gives a hit for each.
    """
    # The ids are integers of our own; as text they cost half of what bound values do.
    ids = ",".join(map(str, candidates.tolist()))
    sql = (
        "SELECT vec_distance_cosine(vector, ?) AS distance, digest FROM embedding"  # noqa: S608
        f" WHERE id IN ({ids}) ORDER BY distance, id LIMIT ?"
    )
    query = np.ascontiguousarray(vector, dtype="<f4").tobytes()
    return _chunks(connection, connection.execute(sql, (query, limit)).fetchall(), allowed, limit)


def scan(
    connection: Connection, model: str, vector: Vector, allowed: NDArray[np.bool_] | None, limit: int
) -> list[SemanticHit]:
    """As `measure`, over every vector of a model by sqlite-vec alone: what the sketch must agree with."""
    sql = (
        "SELECT vec_distance_cosine(vector, ?) AS distance, digest FROM embedding"
        " WHERE model_id = ? ORDER BY distance, id"
    )
    model_row = embeddings.model_id(connection, model)
    query = np.ascontiguousarray(vector, dtype="<f4").tobytes()
    return _chunks(connection, connection.execute(sql, (query, model_row)).fetchall(), allowed, limit)


def _chunks(
    connection: Connection, rows: Sequence[tuple[object, ...]], allowed: NDArray[np.bool_] | None, limit: int
) -> list[SemanticHit]:
    hits: list[SemanticHit] = []
    for distance, digest in cast("Sequence[tuple[float, bytes]]", rows):
        if len(hits) >= limit:
            break
        for chunk_id, note_id in connection.execute(
            "SELECT id, note_id FROM chunk WHERE digest = ? ORDER BY id", (digest,)
        ):
            chunk, note = cast("int", chunk_id), cast("int", note_id)
            if allowed is None or (chunk < len(allowed) and allowed[chunk]):
                hits.append(SemanticHit(chunk, note, digest, distance))
    return sorted(hits, key=lambda hit: (hit.distance, hit.chunk_id))[:limit]
