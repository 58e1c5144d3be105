"""What a profile's names for its notes have taught of how they are asked for: a matrix for the query's vector."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.store.rows import Vector
from scrubjay.profiles.store.statements import Connection, upsert

_COLUMNS = "pairs, ridge, before, gain, low, high, shift"
_TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True, slots=True)
class Learned:
    """How well a matrix did on names of notes that it was not learned from."""

    pairs: int  # names with their notes
    ridge: float  # how strongly it was kept to changing nothing
    before: float  # mean reciprocal rank of these notes without it
    gain: float  # what the matrix adds to that, and 95 % interval of the gain
    low: float
    high: float
    shift: float = 0.0  # how much higher the best similarity is with it


@dataclass(frozen=True, slots=True)
class QueryMatrix:
    """What is applied to the vector of each query of one profile and model."""

    matrix: NDArray[np.float32]  # shape (dim, dim)
    shift: float  # to be taken from similarities, so that they compare with those of other profiles

    def of(self, vector: Vector) -> Vector:
        """A query's vector as this profile's names would have it, of length 1."""
        moved = vector @ self.matrix
        return (moved / max(float(np.linalg.norm(moved)), _TINY)).astype(np.float32, copy=False)


def put(connection: Connection, model: str, learned: Learned, matrix: NDArray[np.float32] | None) -> None:
    """Store what was learned for a model, in place of what was. matrix: None where it is not to be used."""
    values = (learned.pairs, learned.ridge, learned.before, learned.gain, learned.low, learned.high, learned.shift)
    stored = b"" if matrix is None else matrix.astype("<f4").tobytes()
    sql = upsert("query_matrix", ("model",), (*_COLUMNS.split(", "), "matrix"))
    connection.execute(sql, (model, *values, stored))


def learned(connection: Connection, model: str) -> tuple[Learned, bool] | None:
    """What was learned for a model, and whether its matrix is good enough to be used; None before that."""
    sql = f"SELECT {_COLUMNS}, length(matrix) FROM query_matrix WHERE model = ?"  # noqa: S608
    row = cast(
        "tuple[int, float, float, float, float, float, float, int] | None", connection.execute(sql, (model,)).get
    )
    return None if row is None else (Learned(*row[:7]), row[7] > 0)


def load(connection: Connection, model: str) -> QueryMatrix | None:
    """The matrix of a model; None where there is none to be used. Raises ValueError for what was not written as one."""
    sql = "SELECT shift, matrix FROM query_matrix WHERE model = ? AND length(matrix) > 0"
    row = cast("tuple[float, bytes] | None", connection.execute(sql, (model,)).get)
    if row is None:
        return None
    numbers = np.frombuffer(row[1], "<f4").astype(np.float32)
    side = round(len(numbers) ** 0.5)
    return QueryMatrix(numbers.reshape(side, side), row[0])


def forget_others(connection: Connection, model: str) -> None:
    """Drop what was learned for every other model."""
    connection.execute("DELETE FROM query_matrix WHERE model <> ?", (model,))
