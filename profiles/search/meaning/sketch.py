"""Sign-bit sketches of the vectors in RAM, one bit a dimension, to choose which vectors are measured."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.store.rows import Vector, Vectors

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

_LEAST_ROWS = 1_024
"""That there is room for."""

_SIGNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little").astype(np.float32)
"""For each value of a byte, its bits as numbers; shape (256, 8)."""


def sketches(vectors: Vectors | NDArray[np.int8]) -> list[bytes]:
    """The sketch of each row: bit i is set where dimension i is positive, 8 a byte, lowest first."""
    return [row.tobytes() for row in np.packbits(vectors > 0, axis=1, bitorder="little")]


class Sketch:
    """The sketches of one model's embeddings. Not thread-safe: its owner holds a lock.

    Column-wise (one array for each 64-bit word): a query reads each word of all rows in one go.
    """

    def __init__(self, dim: int, capacity: int = _LEAST_ROWS) -> None:
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
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self._bits.nbytes + self._ids.nbytes + self._row_of.nbytes

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
        points = by_byte.ravel().take(sketches + np.arange(len(by_byte)) * 256)
        return np.einsum("ij->i", points)  # of so short rows in half the time of `sum`

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
        if count > len(self._ids):
            self._copy_to(max(count, 2 * len(self._ids)))

    def release_memory(self) -> None:
        """Give back the memory of rows that went, where they were more than are left."""
        if max(2 * self._count, _LEAST_ROWS) < len(self._ids):
            self._copy_to(max(self._count, _LEAST_ROWS))

    def _copy_to(self, capacity: int) -> None:
        bits, ids = np.zeros((self._words, capacity), np.uint64), np.zeros(capacity, np.int32)
        bits[:, : self._count], ids[: self._count] = self._bits[:, : self._count], self.ids
        self._bits, self._ids = bits, ids
