"""Many rows by one statement: a column is one array, and the server takes them apart.

COPY would be the usual way; PostgreSQL refuses it for tables with policies for rows, and it knows no ON CONFLICT.
"""

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from psycopg import postgres

from scrubjay.profiles.store.statements import Insert


@dataclass(frozen=True, slots=True)
class Halves:
    """A vector as a `halfvec`, two bytes a dimension. numbers: shape (dim,)."""

    numbers: NDArray[np.float32]


def text(value: str) -> bytes:
    """PostgreSQL takes neither the character of number 0 nor a lone surrogate."""
    return (value.replace("\0", "\ufffd") if "\0" in value else value).encode("utf-8", "replace")


def halves(value: Halves) -> bytes:
    """As pgvector receives a `halfvec`."""
    return struct.pack(">hh", len(value.numbers), 0) + value.numbers.astype(">f2").tobytes()


# How values of a type are sent. What has another type goes as a text, from which the server makes the value.
_SENT: Mapping[str, Callable[[Any], bytes]] = {
    "int8": struct.Struct(">q").pack,
    "int4": struct.Struct(">i").pack,
    "float8": struct.Struct(">d").pack,
    "bytea": bytes,
    "text": text,
    "halfvec": halves,
    "tsvector": bytes,
}
_FIXED: Mapping[str, np.dtype[Any]] = {
    name: np.dtype([("size", ">i4"), ("value", kind)])
    for name, kind in (("int8", ">i8"), ("int4", ">i4"), ("float8", ">f8"))
}


@dataclass(frozen=True, slots=True)
class ColumnType:
    """The type of a column. number: the server's own, which differs among servers for an extension's."""

    name: str
    number: int


def statement_of(insert: Insert, types: Sequence[ColumnType]) -> str:
    """The statement that inserts any number of rows, given as one array for each column."""
    arrays, values = list[str](), list[str]()
    for place, (name, column) in enumerate(zip(insert.columns, types, strict=True), 1):
        as_sent = column.name if column.name in _SENT else "text"
        arrays.append(f"${place}::{as_sent}[]")
        values.append(name if column.name in _SENT else f"CAST({name} AS {column.name})")
    given = f"unnest({', '.join(arrays)}) AS given ({', '.join(insert.columns)})"
    # The WHERE is for the parser: without it, ON CONFLICT might belong to a join.
    return f"{insert.head} SELECT {', '.join(values)} FROM {given} WHERE TRUE{insert.rest}"  # noqa: S608


def arrays(rows: Iterable[Sequence[object]], types: Sequence[ColumnType]) -> list[bytes]:
    """The columns of some rows as arrays; none where there is no row.

    Format: one dimension, see array_recv in PostgreSQL's arrayfuncs.c.
    """
    columns = cast("Iterable[Sequence[object]]", zip(*rows, strict=True))
    return [_array(values, column) for values, column in zip(columns, types, strict=False)]


def _array(values: Sequence[object], column: ColumnType) -> bytes:
    number = column.number if column.name in _SENT else _TEXT
    head = struct.pack(">iiiii", 1, int(None in values), number, len(values), 1)
    fixed = _FIXED.get(column.name)
    if fixed is not None and None not in values:
        elements = np.empty(len(values), fixed)
        elements["size"], elements["value"] = fixed["value"].itemsize, values
        return head + elements.tobytes()
    sent = _SENT.get(column.name, text)
    data = [None if value is None else sent(value) for value in values]
    parts = [head] * (1 + 2 * len(data))
    parts[1::2] = [_NO_VALUE if each is None else _size(len(each)) for each in data]
    parts[2::2] = [each or b"" for each in data]
    return b"".join(parts)


_size = struct.Struct(">i").pack
_NO_VALUE = _size(-1)
_TEXT = postgres.types["text"].oid
