"""Vectors as they are stored: a signed byte a dimension, in steps of the largest one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.rows import Vector, Vectors

STEPS = 127
"""Of a dimension's share of a vector's largest one; decision 0021 has what eight bits find of the exact top 10."""
_DIGITS = 9  # of a distance: as many as do not depend on how many rows are multiplied at once


def quantized(vectors: Vectors) -> list[bytes]:
    """Each row as signed bytes. What is positive stays so, or the sketch would not be the vector's own."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    steps = np.rint(vectors / largest * STEPS)
    steps[(steps == 0) & (vectors > 0)] = 1
    return [row.tobytes() for row in steps.astype(np.int8)]


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """Stored vectors as numbers, one row each, and how long the rows are."""

    steps: NDArray[np.float64]
    lengths: NDArray[np.float64]

    @classmethod
    def of(cls, stored: Sequence[bytes]) -> "StoredVectors":
        """Of one at least. Raises ValueError for what was not written as a vector."""
        steps = np.frombuffer(b"".join(stored), np.int8).reshape(len(stored), -1).astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", steps, steps))
        if not lengths.all():
            raise ValueError("a vector without a direction")
        return cls(steps, lengths)

    def distances(self, vector: Vector) -> NDArray[np.float64]:
        """Cosine distances of a vector and each of these, whatever others are measured with them.

        Raises ValueError for a vector of another number of dimensions.
        """
        length = max(float(np.linalg.norm(vector)), float(np.finfo(np.float32).tiny))
        return np.round(1 - self.steps @ vector.astype(np.float64) / (self.lengths * length), _DIGITS)

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """Some of the vectors, of length 1 again."""
        return (self.steps[rows] / self.lengths[rows, np.newaxis]).astype(np.float32)


def unquantized(stored: Sequence[bytes]) -> Vectors:
    """The vectors, of length 1 again, one row each. Raises ValueError for what was not written as one."""
    return StoredVectors.of(stored).vectors(np.arange(len(stored))) if stored else np.empty((0, 0), np.float32)
