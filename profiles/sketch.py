"""Sign-bit sketches: one bit a dimension, compared by Hamming distance, to choose candidates in RAM.

For unit vectors the share of differing signs estimates the angle between them (Charikar, STOC 2002, with the axes as
hyperplanes). 48 bytes for 384 dimensions; 400 candidates out of 50,000 in under 1 ms. The candidates are then
measured exactly in SQLite.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from profiles.rows import Vector, Vectors

_WORD_BITS = 64


def sketches(vectors: Vectors) -> list[bytes]:
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
        self._ids: NDArray[np.int64] = np.zeros(capacity, np.int64)
        self._row_of = np.full(
            capacity, -1, np.int32
        )  # embedding id -> row; an array, since a dict takes 100 bytes each
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def ids(self) -> NDArray[np.int64]:
        """The embedding id of each row, in the order that masks follow."""
        return self._ids[: len(self)]

    def add(self, rows: Sequence[tuple[int, bytes]]) -> None:
        """Insert or replace (embedding id, sketch) pairs. Raises ValueError for a sketch of another dimension."""
        if not rows:
            return
        raw = np.zeros((len(rows), self._words * 8), np.uint8)
        for number, (_, sketch) in enumerate(rows):
            if len(sketch) != self._bytes:
                raise ValueError(f"a sketch has {self._bytes} bytes here, not {len(sketch)}")
            raw[number, : self._bytes] = np.frombuffer(sketch, np.uint8)
        words = raw.view("<u8")
        places = np.fromiter((self._place(embedding) for embedding, _ in rows), np.int64, len(rows))
        self._bits[:, places] = words.T
        self._ids[places] = [embedding for embedding, _ in rows]

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
        """The ids of the k rows (fewer if there are fewer) with the fewest differing signs, in no order.

        mask: over `ids`; only rows where it is true take part. Equal distances at the edge: the first rows win.
        """
        count = len(self)
        if not count or k <= 0:
            return np.empty(0, np.int64)
        query = np.zeros(self._words * 8, np.uint8)
        query[: self._bytes] = np.packbits(vector > 0, bitorder="little")
        distance = np.zeros(count, np.uint16)
        for word, bits in zip(query.view("<u8"), self._bits, strict=True):
            distance += np.bitwise_count(bits[:count] ^ word)
        if mask is not None:
            distance[~mask] = np.iinfo(np.uint16).max
        within = np.cumsum(
            np.bincount(distance, minlength=self._words * _WORD_BITS + 1)[: self._words * _WORD_BITS + 1]
        )
        edge = int(np.searchsorted(within, k))
        rows = np.flatnonzero(distance < edge)
        ties = np.flatnonzero(distance == edge)[: k - len(rows)] if edge < len(within) else np.empty(0, np.int64)
        return self._ids[np.concatenate((rows, ties))]

    def _row(self, embedding: int) -> int:
        return int(self._row_of[embedding]) if embedding < len(self._row_of) else -1

    def _place(self, embedding: int) -> int:
        """The row of an embedding, a new one at the end if it has none."""
        place = self._row(embedding)
        if place >= 0:
            return place
        if self._count == len(self._ids):
            self._bits = np.concatenate((self._bits, np.zeros(self._bits.shape, np.uint64)), axis=1)
            self._ids = np.concatenate((self._ids, np.zeros(len(self._ids), np.int64)))
        if embedding >= len(self._row_of):
            room = max(embedding + 1, 2 * len(self._row_of)) - len(self._row_of)
            self._row_of = np.concatenate((self._row_of, np.full(room, -1, np.int32)))
        self._row_of[embedding] = self._count
        self._count += 1
        return self._count - 1
