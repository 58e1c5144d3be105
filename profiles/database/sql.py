"""What this package uses of `apsw`, in types.

apsw's own stubs speak of `Buffer`, which type checkers only know from Python 3.12 on; and a row's columns are typed
here as Any, since only the statement knows them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NewType, Protocol, TypeAlias, cast

import apsw
import numpy as np
from numpy.typing import NDArray

Integers = NewType("Integers", object)
"""Integers that a statement reads as the column `value` of `carray(?)`."""
Value: TypeAlias = int | float | bytes | str | Integers | None
Row: TypeAlias = tuple[Any, ...]


def integers(array: NDArray[np.int64]) -> Integers:
    """Integers, one at least, for a statement that runs at once: they are not copied."""
    return cast("Integers", apsw.carray(array))  # pyright: ignore[reportUnknownMemberType]  # speaks of `Buffer`


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
    """One connection to one file."""

    transaction_mode: str

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

    def pragma(self, name: str, value: Value = ..., /) -> Any:
        """Read or set a pragma; the first value of its first row."""
        ...

    def __enter__(self) -> "Connection":
        """Begin a transaction (inside one, a savepoint)."""
        ...

    def __exit__(self, kind: object, error: object, trace: object) -> bool | None:
        """Commit, or undo on an exception."""
        ...

    def close(self) -> None: ...  # noqa: D102
    def reserve_bytes(self, schema: str, reserve: int, /) -> int: ...  # noqa: D102
    def last_insert_rowid(self) -> int: ...  # noqa: D102
    def db_filename(self, name: str, /) -> str: ...  # noqa: D102
    def set_busy_timeout(self, milliseconds: int, /) -> None: ...  # noqa: D102
    def wal_autocheckpoint(self, n: int, /) -> None: ...  # noqa: D102
    def enable_load_extension(self, enable: bool, /) -> None: ...  # noqa: D102
    def load_extension(self, filename: str, /) -> None: ...  # noqa: D102
    def create_scalar_function(  # noqa: D102
        self, name: str, callable: Callable[..., Value] | None, numargs: int = -1, *, deterministic: bool = False
    ) -> None: ...


def generation_of(connection: Connection) -> int:
    """How many transactions have written to the file."""
    return int(cast("str", connection.execute("SELECT value FROM meta WHERE name = 'generation'").get))
