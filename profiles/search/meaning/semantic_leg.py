"""The semantic leg: candidates from the sketch in RAM, then the cosine distances of their stored vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning import vectors
from scrubjay.profiles.search.meaning.calibration import load_for, without_mean
from scrubjay.profiles.search.meaning.sketch import Sketch
from scrubjay.profiles.search.meaning.vectors import StoredVectors
from scrubjay.profiles.store.columns import PASSAGES, Changes, Columns, note_mask, places_in_note
from scrubjay.profiles.store.filter_sql import matching_notes
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.rows import SemanticCandidates, SemanticHit, Vector
from scrubjay.profiles.store.statements import Connection, integers, numbers

MEASURED = 200
OVERSAMPLING = 3
"""Candidates measured exactly, see `to_measure`; docs/retrieval.md has what they find."""
AROUND_A_CENTRE = 3
"""Times as many, where sketches are around a centre: so they say less of vectors that point much the same way."""
_AT_ONCE = 4096
"""Vectors that are Python's objects at one time while all are compared."""
_SKETCHES_AT_ONCE = 1 << 16
"""Of 48 bytes each, for 384 dimensions: as much text as SQLite puts together for one row."""
SMALL_SCOPE = 1000
"""Texts; with fewer that pass the filter, all are measured, and no sketch is needed."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Chunks whose distance is to be measured; the arrays run parallel."""

    chunks: NDArray[np.int64]
    texts: NDArray[np.int32]  # the id of each chunk's embedding
    stored: Mapping[int, bytes] | None = None  # by these ids, as stored, where the vectors came with them


def to_measure(limit: int, store_count: int) -> int:
    """How many candidates each of `store_count` that are searched together measures for a leg of `limit` hits.

    They share what one alone would measure; fewer than the hits can't be, since the nearest may all lie in one store.
    """
    return max(limit, max(MEASURED, OVERSAMPLING * limit) // store_count)


class SemanticIndex:
    """The sketch of one model and which chunk holds which text. Not thread-safe: its owner holds a lock."""

    def __init__(self, connection: Connection, model_row: int, columns: Columns) -> None:
        self.generation = columns.generation
        self.model_row = model_row
        stored = "FROM embedding WHERE model_id = ?"
        top = cast("int", connection.execute(f"SELECT coalesce(max(id), 0) {stored}", (model_row,)).get)
        first = connection.execute(f"SELECT length(sketch) {stored} LIMIT 1", (model_row,)).get
        self.dim = 8 * cast("int", first or 0)
        calibration = load_for(connection, model_row)
        self._mean = None if calibration is None else calibration.mean  # that sketches are around
        self._sketch = Sketch(self.dim, max(top + 1, 1024))
        for first in range(1, top + 1, _SKETCHES_AT_ONCE):
            ids, joined = cast(
                "tuple[str | None, bytes | None]",
                connection.execute(
                    f"SELECT group_concat(id), CAST(group_concat(sketch, '') AS BLOB) {stored} AND id BETWEEN ? AND ?",
                    (model_row, first, first + _SKETCHES_AT_ONCE - 1),
                ).get,
            )
            self._sketch.add_joined(numbers(ids), joined or b"")
        # Through two indexes in the same order: not a page of the vectors themselves is read.
        pairs = connection.execute(
            "SELECT group_concat(chunk.id), group_concat(embedding.id) FROM chunk INDEXED BY chunk_digest"
            " CROSS JOIN embedding INDEXED BY embedding_digest ON embedding.digest = chunk.digest AND model_id = ?",
            (model_row,),
        ).get
        chunks, texts = cast("tuple[str | None, str | None]", pairs)
        self._embedding_of = np.zeros(len(columns.note_of), np.int32)  # chunk id -> embedding id; 0: none
        self._top = 0  # the greatest id in it
        self._pair(np.stack((numbers(chunks), numbers(texts)), axis=1))

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self._sketch.nbytes + self._embedding_of.nbytes

    def changed(self, changes: Changes, generation: int) -> None:
        """Take in what a transaction did. What another model embedded meanwhile is none of this one's."""
        if changes.model in (None, self.model_row):
            if changes.sketches and not self.dim:
                self.dim = len(changes.sketches[0][1]) * 8
                self._sketch = Sketch(self.dim)
            self._sketch.add(changes.sketches)
            self._pair(np.array(changes.embedded, np.int64).reshape(-1, 2))
        self._sketch.remove(changes.gone_embeddings)
        self.generation = generation

    def release_memory(self) -> None:
        """See `Sketch.release_memory`."""
        self._sketch.release_memory()

    def candidates(
        self, vector: Vector, k: int, columns: Columns, chunks: NDArray[np.bool_] | None, also: Sequence[int] = ()
    ) -> Measured:
        """The chunks of the k texts whose signs agree best with `vector`, with those of `also` that have a vector.

        More than k where sketches are around a centre, see AROUND_A_CENTRE.
        columns: of this very generation. chunks: which chunk ids take part (None: all).
        """
        if self._mean is None:
            texts = self._texts(vector, k, chunks)
        else:
            texts = self._texts(without_mean(vector, self._mean), AROUND_A_CENTRE * k, chunks)
        wanted = np.zeros(self._top + 1, bool)
        wanted[texts[texts <= self._top]] = True
        size = min(len(self._embedding_of), len(columns.note_of))
        found = wanted[self._embedding_of[:size]]
        if chunks is not None:
            found[len(chunks) :] = False
            found[: len(chunks)] &= chunks[:size]
        known = np.array(also, np.int64)
        found[known[known < size]] = True
        found = np.flatnonzero(found)
        found = found[(self._embedding_of[found] > 0) & (columns.note_of[found] > 0)]
        return Measured(found, self._embedding_of[found])

    def _texts(self, vector: Vector, k: int, chunks: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Ids of the embeddings to measure. vector: as sketches are compared with."""
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

    def _pair(self, pairs: NDArray[np.int64]) -> None:
        """Note (chunk id, embedding id) rows."""
        if not len(pairs):
            return
        missing = int(pairs[:, 0].max()) + 1 - len(self._embedding_of)
        if missing > 0:
            self._embedding_of = np.concatenate((self._embedding_of, np.zeros(missing, np.int32)))
        self._embedding_of[pairs[:, 0]] = pairs[:, 1]
        self._top = max(self._top, int(pairs[:, 1].max()))


def allowed_chunks(connection: Connection, columns: Columns, where: NoteFilter | None) -> NDArray[np.bool_] | None:
    """For each chunk id whether its note passes; None where all do."""
    return None if where is None else note_mask(columns, matching_notes(connection, where))


def measure(
    connection: Connection,
    columns: Columns,
    candidates: Measured,
    vector: Vector,
    limit: int,
    also: Sequence[int] = (),
) -> SemanticCandidates:
    """Exact distances of the candidates: the nearest `limit` chunks, a few of each note, equal distances by chunk id.

    also: chunks among the candidates whose vectors are wanted too, however far they are.
    A text that several chunks hold gives a hit for each.
    """
    if not len(candidates.texts):
        return SemanticCandidates((), {})
    wanted, rows_of = np.unique(candidates.texts.astype(np.int64), return_inverse=True)
    if candidates.stored is None:
        sql = "SELECT id, vector FROM carray(?) AS wanted CROSS JOIN embedding WHERE id = wanted.value"
        rows = cast("list[tuple[int, bytes]]", connection.execute(sql, (integers(wanted),)).fetchall())
    else:
        rows = [(text, candidates.stored[text]) for text in wanted.tolist()]
    if not rows:
        return SemanticCandidates((), {})
    chunks = candidates.chunks
    if len(rows) < len(wanted):  # a text of newer arrays is not there yet in the connection's snapshot
        place = np.full(len(wanted), -1)
        place[np.searchsorted(wanted, [text for text, _ in rows])] = np.arange(len(rows))
        there = place[rows_of] >= 0
        chunks, rows_of = chunks[there], place[rows_of[there]]
    stored = StoredVectors.of([vector for _, vector in rows])
    distance = stored.distances(vector)[rows_of]
    order = np.lexsort((chunks, distance))
    notes = columns.note_of[chunks]
    places = places_in_note(notes[order])
    near = order[places < PASSAGES][:limit]
    shown_notes = np.zeros(len(columns.first_chunk), bool)
    shown_notes[notes[near]] = True
    first = order[places == 0]
    further = first[~shown_notes[notes[first]]]
    is_also = np.zeros(len(columns.note_of), bool)
    is_also[np.array([chunk for chunk in also if chunk < len(is_also)], np.int64)] = True
    shown = np.concatenate((near, np.flatnonzero(is_also[chunks])))
    digests = columns.digests_of(chunks[shown].tolist())
    hits = list(map(SemanticHit, chunks[near].tolist(), notes[near].tolist(), digests, distance[near].tolist()))
    known_vectors = dict(zip(digests, stored.vectors(rows_of[shown]), strict=True))
    return SemanticCandidates(hits, known_vectors, chunks[further], distance[further], columns)


def scan(
    connection: Connection,
    columns: Columns,
    model: str,
    vector: Vector,
    allowed: NDArray[np.bool_] | None,
    limit: int,
) -> list[SemanticHit]:
    """As `measure`, over every vector of a model: what the sketch must agree with."""
    model_row = vectors.model_id(connection, model)
    rows = connection.execute(
        "SELECT vector, embedding.digest, chunk.id FROM embedding JOIN chunk ON chunk.digest = embedding.digest"
        " WHERE model_id = ? ORDER BY chunk.id",
        (model_row,),
    )
    note_of, hits = columns.note_of, list[SemanticHit]()
    while some := cast("list[tuple[bytes, bytes, int]]", list(islice(rows, _AT_ONCE))):
        measured = StoredVectors.of([stored for stored, _, _ in some]).distances(vector)
        for (_, digest, chunk), distance in zip(some, measured.tolist(), strict=True):
            # A chunk of the connection's snapshot may have gone in the newer columns.
            is_there = chunk < len(note_of) and note_of[chunk] > 0
            if is_there and (allowed is None or (chunk < len(allowed) and allowed[chunk])):
                hits.append(SemanticHit(chunk, int(note_of[chunk]), digest, distance))
    hits.sort(key=lambda hit: (hit.distance, hit.chunk_id))
    return hits[:limit]
