"""Vectors in the database, one a text and model, and their sign-bit sketches in RAM."""

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.columns import Changes
from scrubjay.profiles.database.rows import PendingChunk, Vector, Vectors
from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.semantic.quantized import quantized, unquantized

# Sign-bit sketches: one bit a dimension, 48 bytes for 384 of them, to choose candidates in RAM.
#
# In two steps. For unit vectors the share of differing signs estimates the angle between them (Charikar, STOC 2002,
# with the axes as hyperplanes), which picks a few thousand rows out of all. Of these the query's own numbers are then
# taken against the rows' signs (asymmetric distance; Gordo and Perronnin, CVPR 2011), a far better estimate, which
# picks the candidates that SQLite measures exactly. docs/retrieval.md has what each step finds of the exact top 10.

_WORD_BITS = 64
_BLOCK = 1 << 14
"""Rows whose signs are compared in one go."""
_WORDS_A_BYTE = 255 // _WORD_BITS
"""Words whose differing bits a byte can count: numpy adds bytes faster than wider numbers."""

FIRST_STEP = 15
FIRST_STEP_SHARE = 64
"""Rows that the first step picks: FIRST_STEP for each that is wanted, or of a large sketch one in FIRST_STEP_SHARE."""

_SIGNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little").astype(np.float32)
"""For each value of a byte, its bits as numbers; shape (256, 8)."""


def sketches(vectors: Vectors | NDArray[np.int16]) -> list[bytes]:
    """The sketch of each row: bit i is set where dimension i is positive, 8 a byte, lowest first."""
    return [row.tobytes() for row in np.packbits(vectors > 0, axis=1, bitorder="little")]


class Sketch:
    """The sketches of one model's embeddings. Not thread-safe: its owner holds a lock.

    Column-wise (one array for each 64-bit word): a query reads each word of all rows in one go.
    """

    def __init__(self, dim: int, capacity: int = 1024) -> None:
        self._words = -(-dim // _WORD_BITS)
        self._bytes = -(-dim // 8)
        self._bits: NDArray[np.uint64] = np.zeros((self._words, capacity), np.uint64)
        self._ids: NDArray[np.int32] = np.zeros(capacity, np.int32)
        # Embedding id -> row; an array, since a dict takes 100 bytes each.
        self._row_of = np.full(capacity, -1, np.int32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def ids(self) -> NDArray[np.int32]:
        """The embedding id of each row, in the order that masks follow."""
        return self._ids[: len(self)]

    def add(self, rows: Sequence[tuple[int, bytes]]) -> None:
        """Insert or replace (embedding id, sketch) pairs. Raises ValueError for a sketch of another dimension."""
        latest = dict(rows)
        wrong = next((len(sketch) for sketch in latest.values() if len(sketch) != self._bytes), None)
        if wrong is not None:
            raise ValueError(f"a sketch has {self._bytes} bytes here, not {wrong}")
        self.add_joined(np.fromiter(latest, np.int64, len(latest)), b"".join(latest.values()))

    def add_joined(self, ids: NDArray[np.int64], joined: bytes) -> None:
        """Insert or replace the sketches of distinct embeddings, one after the other in `joined`.

        Raises ValueError where it has not as many bytes as they have.
        """
        if len(joined) != len(ids) * self._bytes:
            raise ValueError(f"{len(ids)} sketches have {len(ids) * self._bytes} bytes here, not {len(joined)}")
        if not len(ids):
            return
        raw = np.zeros((len(ids), self._words * 8), np.uint8)
        raw[:, : self._bytes] = np.frombuffer(joined, np.uint8).reshape(-1, self._bytes)
        places = self._places(ids)
        self._bits[:, places] = raw.view("<u8").T
        self._ids[places] = ids

    def remove(self, ids: Sequence[int]) -> None:
        """Drop rows; unknown ids are passed over. The last row takes each freed place."""
        for embedding in ids:
            place = self._row(embedding)
            if place < 0:
                continue
            self._count -= 1
            moved = int(self._ids[self._count])
            self._bits[:, place] = self._bits[:, self._count]
            self._ids[place] = moved
            self._row_of[moved] = place
            self._row_of[embedding] = -1

    def nearest(self, vector: Vector, k: int, mask: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """The ids of the k rows (fewer if there are fewer) that seem nearest to `vector`, in no order.

        mask: over `ids`; only rows where it is true take part. Equal estimates at the edge: the first rows win.
        """
        if not len(self) or k <= 0:
            return np.empty(0, np.int64)
        rows = self._fewest_differences(vector, max(FIRST_STEP * k, len(self) // FIRST_STEP_SHARE), mask)
        if len(rows) > k:
            rows.sort()
            likeness = self._likeness(vector, rows)
            edge = np.partition(likeness, len(rows) - k)[len(rows) - k]
            certain = np.flatnonzero(likeness > edge)
            rows = rows[np.concatenate((certain, np.flatnonzero(likeness == edge)[: k - len(certain)]))]
        return self._ids[rows].astype(np.int64)

    def _likeness(self, vector: Vector, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """For each row, the sum of the vector's numbers where the row's are positive: ordered as their products are."""
        padded = np.zeros(self._words * 8 * 8, np.float32)
        padded[: len(vector)] = vector
        by_byte = padded.reshape(-1, 8) @ _SIGNS.T
        sketches = np.ascontiguousarray(self._bits[:, rows].T).view(np.uint8)
        return by_byte.ravel().take(sketches + np.arange(len(by_byte)) * 256).sum(axis=1)

    def _fewest_differences(self, vector: Vector, k: int, mask: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """The k rows with the fewest differing signs, in no order."""
        distance, counts = self._differences(vector, mask)
        edge = int(np.searchsorted(np.cumsum(counts), k))
        rows = np.flatnonzero(distance < edge)
        ties = np.flatnonzero(distance == edge)[: k - len(rows)] if edge < len(counts) else np.empty(0, np.int64)
        return np.concatenate((rows, ties))

    def _differences(
        self, vector: Vector, mask: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """The number of differing signs of each row (the most there can be and one, outside the mask); rows by number.

        In blocks that stay in the processor's cache: of a million rows, what is computed on the way would not.
        """
        count, most = len(self), self._words * _WORD_BITS
        query = np.zeros(self._words * 8, np.uint8)
        query[: self._bytes] = np.packbits(vector > 0, bitorder="little")
        distance = np.zeros(count, np.uint16)
        counts = np.zeros(most + 1, np.int64)
        words = list(zip(query.view("<u8"), self._bits, strict=True))
        for start in range(0, count, _BLOCK):
            block = distance[start : start + _BLOCK]
            size = len(block)
            differing, ones, some = np.empty(size, np.uint64), np.empty(size, np.uint8), np.empty(size, np.uint8)
            for first in range(0, len(words), _WORDS_A_BYTE):
                some[:] = 0
                for word, bits in words[first : first + _WORDS_A_BYTE]:
                    np.bitwise_xor(bits[start : start + size], word, out=differing)
                    np.bitwise_count(differing, out=ones)
                    some += ones
                block += some
            if mask is not None:
                block[~mask[start : start + size]] = most + 1
            counts += np.bincount(block, minlength=most + 2)[: most + 1]
        return distance, counts

    def _row(self, embedding: int) -> int:
        return int(self._row_of[embedding]) if embedding < len(self._row_of) else -1

    def _places(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of distinct embeddings, new ones at the end for those that have none."""
        top = int(ids.max())
        if top >= len(self._row_of):
            room = np.full(max(top + 1, 2 * len(self._row_of)), -1, np.int32)
            room[: len(self._row_of)] = self._row_of
            self._row_of = room
        places = self._row_of[ids].astype(np.int64)
        new = np.flatnonzero(places < 0)
        self._make_room(self._count + len(new))
        places[new] = np.arange(self._count, self._count + len(new))
        self._row_of[ids[new]] = places[new]
        self._count += len(new)
        return places

    def _make_room(self, count: int) -> None:
        """For so many rows. What is not used of the new arrays takes no memory: the system clears it when touched."""
        if count <= len(self._ids):
            return
        capacity = max(count, 2 * len(self._ids))
        bits, ids = np.zeros((self._words, capacity), np.uint64), np.zeros(capacity, np.int32)
        bits[:, : self._count], ids[: self._count] = self._bits[:, : self._count], self.ids
        self._bits, self._ids = bits, ids


CURRENT = "embedding_model"
"""The name in `meta` of the fingerprint that pending texts are counted against."""


def current_model(connection: Connection) -> int | None:
    """Row id of the model in use, or None before the first one."""
    sql = "SELECT id FROM model WHERE fingerprint = (SELECT value FROM meta WHERE name = ?)"
    return cast("int | None", connection.execute(sql, (CURRENT,)).get)


def is_current(connection: Connection, model: str) -> bool:
    """Whether a model is the one in use."""
    return connection.execute("SELECT value FROM meta WHERE name = ?", (CURRENT,)).get == model


def model_id(connection: Connection, model: str) -> int | None:
    """Row id of a model, or None for one that has never been used."""
    return cast("int | None", connection.execute("SELECT id FROM model WHERE fingerprint = ?", (model,)).get)


def use_model(connection: Connection, model: str, changes: Changes) -> int:
    """Make `model` the one in use: what it has not embedded is pending from here on. Returns its row id."""
    connection.execute("INSERT OR IGNORE INTO model (fingerprint) VALUES (?)", (model,))
    new = cast("int", model_id(connection, model))
    if new != current_model(connection):
        connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", (CURRENT, model))
        seed_pending(connection, new)
        changes.model_changed = True
    return new


def seed_pending(connection: Connection, model: int) -> None:
    """Work out from scratch which texts the model has not embedded."""
    connection.execute("DELETE FROM pending_embedding")
    connection.execute(
        "INSERT INTO pending_embedding (mtime_ns, digest)"
        " SELECT max(note.mtime_ns), chunk.digest FROM chunk JOIN note ON note.id = chunk.note_id"
        " WHERE NOT EXISTS (SELECT 1 FROM embedding WHERE model_id = ? AND digest = chunk.digest)"
        " GROUP BY chunk.digest",
        (model,),
    )


def queue_for_embedding(
    connection: Connection, model: int | None, chunk_id: int, digest: bytes, mtime_ns: int, changes: Changes
) -> None:
    """A chunk came to be: tie it to its vector if there is one, or else put its text in the queue."""
    sql = "SELECT id FROM embedding WHERE model_id = ? AND digest = ?"
    known = cast("int | None", connection.execute(sql, (model, digest)).get)
    if known is not None:
        changes.model = model
        changes.embedded.append((chunk_id, known))
        return
    connection.execute(
        "INSERT INTO pending_embedding (mtime_ns, digest) VALUES (?, ?)"
        " ON CONFLICT (digest) DO UPDATE SET mtime_ns = max(mtime_ns, excluded.mtime_ns)",
        (mtime_ns, digest),
    )


def pending(connection: Connection, limit: int) -> list[PendingChunk]:
    """The texts of the newest notes that have no vector, newest first."""
    sql = "SELECT digest FROM pending_embedding ORDER BY mtime_ns DESC, digest LIMIT ?"
    found: list[PendingChunk] = []
    for (digest,) in connection.execute(sql, (limit,)).fetchall():
        row = connection.execute(
            "SELECT note.title, chunk.headings, unpacked(chunk.packed) FROM chunk JOIN note ON note.id = chunk.note_id"
            " WHERE chunk.digest = ? ORDER BY chunk.id LIMIT 1",
            (digest,),
        ).get
        title, headings, text = cast("tuple[str, str, str]", row)
        heads = msgspec.json.decode(headings, type=tuple[str, ...])
        found.append(PendingChunk(cast("bytes", digest), title, heads, text))
    return found


def pending_count(connection: Connection) -> int:
    """How many texts wait for their vector."""
    return cast("int", connection.execute("SELECT count(*) FROM pending_embedding").get)


def put(connection: Connection, model: str, digests: Sequence[bytes], vectors: Vectors, changes: Changes) -> None:
    """Store vectors and tie them to their chunks; see `Writer.put_embeddings`."""
    if vectors.ndim != 2 or len(vectors) != len(digests):
        raise ValueError(f"{len(digests)} digests need as many vectors, not an array of shape {vectors.shape}")
    in_use = current_model(connection)
    model_row = use_model(connection, model, changes) if in_use is None else model_id(connection, model)
    if model_row is None:
        model_row = use_model(connection, model, changes)
    if not np.isfinite(vectors).all():
        raise ValueError("a vector that holds what is no number")
    for digest, vector, sketch in zip(digests, quantized(vectors), sketches(vectors), strict=True):
        chunks = [cast("int", row[0]) for row in connection.execute("SELECT id FROM chunk WHERE digest = ?", (digest,))]
        connection.execute("DELETE FROM pending_embedding WHERE digest = ?", (digest,))
        if not chunks:
            continue
        row = connection.execute(
            "INSERT INTO embedding (model_id, digest, sketch, vector) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (digest, model_id) DO UPDATE SET sketch = excluded.sketch, vector = excluded.vector"
            " RETURNING id",
            (model_row, digest, sketch, vector),
        ).get
        embedding_id = cast("int", row)
        changes.model = model_row
        changes.sketches.append((embedding_id, sketch))
        changes.embedded.extend((chunk, embedding_id) for chunk in chunks)


def forget_orphans(connection: Connection, digests: Iterable[bytes], changes: Changes) -> None:
    """Drop the vectors and the places in the queue of those digests that no chunk holds."""
    for digest in digests:
        if connection.execute("SELECT 1 FROM chunk WHERE digest = ? LIMIT 1", (digest,)).get is not None:
            continue
        connection.execute("DELETE FROM pending_embedding WHERE digest = ?", (digest,))
        rows = connection.execute("DELETE FROM embedding WHERE digest = ? RETURNING id", (digest,)).fetchall()
        changes.gone_embeddings.extend(cast("int", row[0]) for row in rows)


def forget_other_models(connection: Connection, model: str) -> None:
    """Drop every other model and its vectors."""
    others = "SELECT id FROM model WHERE fingerprint <> ?"
    connection.execute(f"DELETE FROM embedding WHERE model_id IN ({others})", (model,))  # noqa: S608
    connection.execute("DELETE FROM model WHERE fingerprint <> ?", (model,))


def vectors_of(connection: Connection, digests: Sequence[bytes]) -> dict[bytes, Vector]:
    """The vectors that the model in use has for these texts; texts without one are left out."""
    model = current_model(connection)
    sql = (
        "SELECT digest, vector FROM embedding WHERE model_id = ? AND digest IN (SELECT unhex(value) FROM json_each(?))"
    )
    wanted = msgspec.json.encode([digest.hex() for digest in digests]).decode()
    rows = cast("list[tuple[bytes, bytes]]", connection.execute(sql, (model, wanted)).fetchall())
    vectors = unquantized([vector for _, vector in rows])
    return dict(zip((digest for digest, _ in rows), vectors, strict=True))
