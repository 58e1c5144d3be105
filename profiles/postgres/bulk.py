"""Many rows by one statement: a column is one array, and the server takes them apart.

COPY would be the usual way; PostgreSQL refuses it for tables with policies for rows, and it knows no ON CONFLICT.
"""

import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from psycopg import postgres

from scrubjay.profiles.database.sql import Halves

_INSERT = re.compile(
    r"\s*INSERT\s+INTO\s+(?P<table>\w+)\s*\((?P<names>[^()]*)\)\s*VALUES\s*\(\s*\?(?:\s*,\s*\?)*\s*\)(?P<rest>[^?]*)", re.IGNORECASE
)
_NULL = struct.pack(">i", -1)


def text(value: str) -> bytes:
    """PostgreSQL takes neither the character of number 0 nor a lone surrogate."""
    return value.replace("\0", "\ufffd").encode("utf-8", "replace")


def halves(value: Halves) -> bytes:
    """As pgvector receives a `halfvec`."""
    return struct.pack(">hh", len(value.numbers), 0) + value.numbers.astype(">f2").tobytes()


# How a value of a type is sent. What has another type goes as a text, from which the server makes the value.
_SENT: Mapping[str, Callable[[Any], bytes]] = {
    "int8": struct.Struct(">q").pack,
    "int4": struct.Struct(">i").pack,
    "float8": struct.Struct(">d").pack,
    "bytea": bytes,
    "text": text,
    "halfvec": halves,
}


@dataclass(frozen=True, slots=True)
class Inserted:
    """An INSERT of one row of question marks: its table, the names of its columns, and what follows the values."""

    table: str
    names: tuple[str, ...]
    rest: str


@lru_cache(maxsize=256)
def inserted(sql: str) -> Inserted | None:
    """The parts of a statement that inserts one row, all of whose values are bound; None for any other."""
    found = _INSERT.fullmatch(sql)
    if found is None:
        return None
    return Inserted(found["table"], tuple(name.strip() for name in found["names"].split(",")), found["rest"])


@dataclass(frozen=True, slots=True)
class ColumnType:
    """The type of a column. number: the server's own, which differs among servers for an extension's."""

    name: str
    number: int


def statement_of(insert: Inserted, types: Sequence[ColumnType]) -> str:
    """The statement that inserts any number of rows, given as one array for each column."""
    arrays, values = list[str](), list[str]()
    for place, (name, column) in enumerate(zip(insert.names, types, strict=True), 1):
        as_sent = column.name if column.name in _SENT else "text"
        arrays.append(f"${place}::{as_sent}[]")
        values.append(name if column.name in _SENT else f"CAST({name} AS {column.name})")
    names = ", ".join(insert.names)
    given = f"unnest({', '.join(arrays)}) AS given ({names})"
    # The WHERE is for the parser: without it, ON CONFLICT might belong to a join.
    return f"INSERT INTO {insert.table} ({names}) SELECT {', '.join(values)} FROM {given} WHERE TRUE{insert.rest}"  # noqa: S608


def arrays(rows: Iterable[Sequence[object]], types: Sequence[ColumnType]) -> list[bytes]:
    """The columns of some rows as arrays; none where there is no row.

    Format: one dimension, see `array_recv` in PostgreSQL's arrayfuncs.c.
    """
    columns = cast("Iterable[Sequence[object]]", zip(*rows, strict=True))
    return [_array(values, column) for values, column in zip(columns, types, strict=False)]


def _array(values: Sequence[object], column: ColumnType) -> bytes:
    sent = _SENT.get(column.name, text)
    number = column.number if column.name in _SENT else postgres.types["text"].oid
    parts = [struct.pack(">iiiii", 1, int(None in values), number, len(values), 1)]
    size = struct.Struct(">i").pack
    for value in values:
        if value is None:
            parts.append(_NULL)
        else:
            data = sent(value)
            parts += size(len(data)), data
    return b"".join(parts)
