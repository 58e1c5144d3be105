"""What statements are run on: a connection to a file (apsw) or to a server (profiles/team/), in types.

Both understand the same statements: values are question marks, functions that one engine lacks are defined for it. The
columns of a row are typed here as Any, since only the statement knows them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

Engine: TypeAlias = Literal["sqlite", "postgres"]


@dataclass(frozen=True, slots=True)
class Integers:
    """Integers that a statement reads as the column `value` of `carray(?)`."""

    array: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Halves:
    """A vector as a server's `halfvec`, two bytes a dimension. numbers: shape (dim,)."""

    numbers: NDArray[np.float32]


Value: TypeAlias = int | float | bytes | str | Integers | Halves | None
Row: TypeAlias = tuple[Any, ...]


def integers(values: NDArray[np.int64] | Sequence[int]) -> Integers:
    """Integers for a statement that runs at once: an array is not copied."""
    return Integers(np.ascontiguousarray(values, np.int64))


def json_texts(values: Iterable[str]) -> str:
    """Texts that a statement reads as the column `value` of `json_each(?)`.

    What PostgreSQL has no text for is replaced.
    """
    return msgspec.json.encode([value.replace("\0", "\ufffd") for value in values]).decode()


def upsert(table: str, keys: Sequence[str], others: Sequence[str], source: str = "") -> str:
    """An INSERT that replaces the row with these keys, where there is one; values in the order of `keys` and `others`.

    source: a SELECT of the values, in place of as many question marks; it must have a condition.
    """
    names = (*keys, *others)
    source = source or f"VALUES ({', '.join('?' * len(names))})"
    sets = ", ".join(f"{name} = excluded.{name}" for name in others)
    action = f"UPDATE SET {sets}" if sets else "NOTHING"
    return f"INSERT INTO {table} ({', '.join(names)}) {source} ON CONFLICT ({', '.join(keys)}) DO {action}"


def numbers(listed: str | None) -> NDArray[np.int64]:
    """The integers that `group_concat` has listed; none of None.

    SQLite puts a column of many rows together in a third of the time that stepping through them takes.
    """
    return np.fromstring(listed or "", np.int64, sep=",")


class Cursor(Protocol):
    """A statement that runs; iterating steps through its rows."""

    def __iter__(self) -> Iterator[Row]: ...

    def fetchall(self) -> list[Row]:
        """All rows that are left; with none, the statements have run to their end."""
        ...

    @property
    def get(self) -> Any:
        """The first row, its only column if it has one, None if there is no row."""
        ...


class Connection(Protocol):
    """One connection to one profile's tables. Where engines differ, a statement is chosen by `engine`."""

    @property
    def engine(self) -> Engine:
        """Which dialect it understands."""
        ...

    counted: dict[str, int] | None
    """What is known of COUNTED in the snapshot that is being read; None outside one."""

    def packed(self, text: str) -> Value:
        """A text as it is stored in a column that statements read by `unpacked(…)`."""
        ...

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open; SQLite itself ends one after some errors."""
        ...

    def execute(self, statements: str, bindings: Sequence[Value] | Mapping[str, Value] | None = None, /) -> Cursor:
        """Run statements; values are bound to `?` in order or to `:name`."""
        ...

    def executemany(self, statements: str, bindings: Iterable[Sequence[Value]], /) -> Cursor:
        """Run a statement once for each sequence of values."""
        ...

    def __enter__(self) -> "Connection":
        """Begin a transaction (inside one, a savepoint)."""
        ...

    def __exit__(self, kind: object, error: object, trace: object) -> bool | None:
        """Commit, or undo on an exception."""
        ...

    def close(self) -> None: ...  # noqa: D102


class FileConnection(Connection, Protocol):
    """One connection to one file."""

    transaction_mode: str

    def pragma(self, name: str, value: Value = ..., /) -> Any:
        """Read or set a pragma; the first value of its first row."""
        ...

    def reserve_bytes(self, schema: str, reserve: int, /) -> int: ...  # noqa: D102
    def last_insert_rowid(self) -> int: ...  # noqa: D102
    def db_filename(self, name: str, /) -> str: ...  # noqa: D102
    def set_busy_timeout(self, milliseconds: int, /) -> None: ...  # noqa: D102
    def wal_autocheckpoint(self, n: int, /) -> None: ...  # noqa: D102
    def config(self, op: int, /, *args: Any) -> int: ...  # noqa: D102
    def set_progress_handler(self, callable: Callable[[], bool] | None, nsteps: int = 100) -> None: ...  # noqa: D102
    def enable_load_extension(self, enable: bool, /) -> None: ...  # noqa: D102
    def load_extension(self, filename: str, /) -> None: ...  # noqa: D102
    def create_scalar_function(  # noqa: D102
        self, name: str, callable: Callable[..., Value] | None, numargs: int = -1, *, deterministic: bool = False
    ) -> None: ...


class CopyingConnection(Connection, Protocol):
    """One connection to a server."""

    def copy_out(self, query: str) -> bytes:
        """The rows of a query without values in COPY's binary format."""
        ...


_COPY_HEAD, _COPY_TAIL = 19, 2  # bytes before the first row and after the last


def copied_rows(copied: bytes, width: int, tail: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """What `copy_out` gave of rows of `width` columns of type bigint, then bytes of length `tail` (0: none), no NULLs.

    Shapes (rows, width) and (rows, tail). Format: https://www.postgresql.org/docs/current/sql-copy.html#binary-format
    """
    parts = [part for at in range(width) for part in ((f"size{at}", ">i4"), (f"value{at}", ">i8"))]
    parts = [("columns", ">i2"), *parts, *((("size", ">i4"), ("bytes", f"{tail}u1")) if tail else ())]
    layout = np.dtype(parts)
    count = (len(copied) - _COPY_HEAD - _COPY_TAIL) // layout.itemsize
    rows = np.frombuffer(copied, layout, count, _COPY_HEAD)
    values = np.stack([rows[f"value{at}"].astype(np.int64) for at in range(width)], axis=1)
    return values, rows["bytes"] if tail else np.empty((count, 0), np.uint8)


COUNTED = ("generation", "chunks", "tokens")
"""Names of numbers in `meta` that every search needs."""
COUNTED_NUMBERS = f"SELECT name, value FROM meta WHERE name IN ({', '.join(map(repr, COUNTED))})"  # noqa: S608 (of constants)
"""The statement that reads them."""


def counted(connection: Connection, name: str) -> int:
    """One of COUNTED; of a snapshot they are read together and once, of a server's at its beginning."""
    known = connection.counted
    if known is None:
        return int(cast("str", connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).get))
    if name not in known:
        known |= known_numbers(connection.execute(COUNTED_NUMBERS))
    return known[name]


def known_numbers(rows: Iterable[Row]) -> dict[str, int]:
    """What `COUNTED_NUMBERS` gave, by name."""
    return {str(name): int(value) for name, value in rows if str(value).isdecimal()}


def generation_of(connection: Connection) -> int:
    """How many transactions have written to the store."""
    return counted(connection, "generation")
