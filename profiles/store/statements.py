"""What statements are run on: a connection to a file or to a server, in types.

Both understand the same statements: values are question marks, functions that one engine lacks are defined for it. What
they can't say alike is a `Dialect`. The columns of a row are typed here as Any, since only the statement knows them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.words.phrases import PhraseIndex, PhrasePlaces


@dataclass(frozen=True, slots=True)
class Integers:
    """Integers that a statement reads as the column `value` of `carray(?)`."""

    array: NDArray[np.int64]


class Keys(tuple[int, ...]):
    """Integers by which a server knows what it is asked for, as a value that compares."""

    __slots__ = ()


Value: TypeAlias = int | float | bytes | str | Integers | Keys | None
Row: TypeAlias = tuple[Any, ...]
Sql: TypeAlias = tuple[str, Sequence[Value]]
"""A condition, and its values in the order of its question marks."""
Asked: TypeAlias = tuple[str, tuple[str | int | Keys, ...]]
"""A statement that reads, and its values."""


FoundEntry: TypeAlias = tuple[float, int, str, str]
"""Of an entry of the journal: what it scores, its id, its author, its tags as JSON."""


def integers(values: NDArray[np.int64] | Sequence[int]) -> Integers:
    """Integers for a statement that runs at once: an array is not copied."""
    return Integers(np.ascontiguousarray(values, np.int64))


def json_texts(values: Iterable[str]) -> str:
    """Texts that a statement reads as the column `value` of `json_each(?)`.

    What PostgreSQL has no text for is replaced.
    """
    return msgspec.json.encode([value.replace("\0", "\ufffd") for value in values]).decode()


@dataclass(frozen=True, slots=True)
class Insert:
    """Rows that go into a table; their values are in the order of the columns. rest: what follows the values."""

    table: str
    columns: tuple[str, ...]
    rest: str = ""

    @property
    def text(self) -> str:
        """The statement for one row."""
        return f"{self.head} VALUES ({', '.join('?' * len(self.columns))}){self.rest}"

    @property
    def head(self) -> str:
        """What stands before the values."""
        return f"INSERT INTO {self.table} ({', '.join(self.columns)})"


def put(table: str, keys: Sequence[str], others: Sequence[str]) -> Insert:
    """Rows that replace those with the same keys, where there are such; values in the order of `keys` and `others`."""
    sets = ", ".join(f"{name} = excluded.{name}" for name in others)
    action = f"UPDATE SET {sets}" if sets else "NOTHING"
    return Insert(table, (*keys, *others), f" ON CONFLICT ({', '.join(keys)}) DO {action}")


def upsert(table: str, keys: Sequence[str], others: Sequence[str], source: str = "") -> str:
    """`put` of one row, as a statement. source: a SELECT of the values; it must have a condition."""
    insert = put(table, keys, others)
    return f"{insert.head} {source}{insert.rest}" if source else insert.text


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What an engine says or does in a way of its own."""

    works_ahead: bool
    """Whether it works on a statement while the next is made ready, so that a large write is better begun early."""
    postings_of: Callable[["Connection", Iterable[str]], Asked]
    """The statement that gives (term, field, shard, entries) of some terms."""
    most_frequent: Callable[["Connection", str, int, int], list[str]]
    """The terms that begin with this (itself left out) and stand most often in the first so many shards; at most so
    many."""
    add_postings: Callable[["Connection", Sequence[tuple[str, int, int, bytes]]], object]
    """Adds the entries of (term, field, shard, entries) rows to those that are there."""
    replace_postings: Callable[["Connection", Sequence[tuple[str, int, int, bytes]]], object]
    """Puts them in their place."""
    notes_by_change: str
    """The table `note`, to be read by the index of what changed last."""
    add_chunks: Callable[["Connection", Iterable[Sequence[Value]]], object]
    """Inserts chunks; the values of a row are those of `rows.CHUNK_COLUMNS`."""
    last_id: str
    """Gives the highest id that ever was in the table of a name, if it has had any."""
    keep_last_ids: Callable[["Connection", Mapping[str, int]], object]
    """Has `last_id` give these, by table, where that is not seen from the rows that were inserted."""
    put_vectors: Insert
    """Values: model, digest, `chosen_by`, vector. Gives (digest, id)."""
    chosen_by: Callable[[bytes, NDArray[np.float32]], object]
    """What a vector, given its sketch, is chosen by as a candidate, as it is stored."""
    read_chosen_by: str
    """The column of `embedding` with that, as `is_chosen_by` takes it."""
    is_chosen_by: Callable[[bytes, NDArray[np.int16], bytes], bool]
    """Whether what is stored for this is the own of a vector, given its sketch and its signed bytes."""
    choose_anew: Callable[["Connection", int, Callable[[Sequence[bytes]], Sequence[bytes]]], object]
    """Stores once more what the vectors of a model (its row) are chosen by, given what makes sketches of them."""
    phrase_places: Callable[["Connection", str], PhrasePlaces | None]
    """Where the words of a text stand in this order and next to each other; None where it holds no word."""
    phrase_index: Callable[["Connection"], PhraseIndex]
    """What keeps that in step within one transaction."""
    holding: Callable[["Connection", str], Sql]
    """The condition on `note` that it has a text in this sense, in a passage or in what it says of itself."""
    journal_by_words: Callable[["Connection", Sequence[str], Sql], list[FoundEntry]]
    """The journal's entries that have any of some terms and fit a condition, with BM25 as FTS5 has it."""
    journal_by_meaning: Callable[["Connection", str, NDArray[np.float32], Sql], list[FoundEntry]]
    """The journal's entries that a model has embedded and that fit a condition, with their cosine."""


class Connection(Protocol):
    """One connection to one profile's tables."""

    @property
    def dialect(self) -> Dialect:
        """What its engine does in its own way."""
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

    def execute(self, statements: str, bindings: Sequence[Value] | None = None, /) -> Cursor:
        """Run statements. Values are bound to each `?` in order, or to `?1`, `?2`…; there is no `?` within a text."""
        ...

    def execute_here(self, statement: str, bindings: Sequence[Value] = (), /) -> Cursor:
        """As `execute`, of a statement that reads what notes are filtered by and called: of `note` the columns id,
        vault, path, path_key, file_key, stem_key, mtime_ns, created_ns, lang and kind; `note_tag` and `note_property`
        but for what is shown; of `chunk` whether a note has any. What it is given is sent to no server.
        """
        ...

    def executemany(self, statements: str, bindings: Iterable[Sequence[Value]], /) -> Cursor:
        """Run a statement once for each sequence of values."""
        ...

    def insert(self, rows_of: Insert, rows: Iterable[Sequence[object]], /) -> Cursor:
        """Insert rows. With ON CONFLICT DO UPDATE, each key once."""
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
    removals: Counter[str]
    """By table of FTS5, how many rows went in the work that goes on, see `Store.merge_phrases`."""

    def pragma(self, name: str, value: Value = ..., /) -> Any:
        """Read or set a pragma; the first value of its first row."""
        ...

    def reserve_bytes(self, schema: str, reserve: int, /) -> int: ...  # noqa: D102
    def last_insert_rowid(self) -> int: ...  # noqa: D102
    def db_filename(self, name: str, /) -> str: ...  # noqa: D102
    def set_busy_timeout(self, milliseconds: int, /) -> None: ...  # noqa: D102
    def wal_autocheckpoint(self, n: int, /) -> None: ...  # noqa: D102
    def set_wal_hook(self, callable: Callable[["FileConnection", str, int], int] | None, /) -> None: ...  # noqa: D102
    def config(self, op: int, /, *args: Any) -> int: ...  # noqa: D102
    def set_progress_handler(self, callable: Callable[[], bool] | None, nsteps: int = 100) -> None: ...  # noqa: D102
    def enable_load_extension(self, enable: bool, /) -> None: ...  # noqa: D102
    def load_extension(self, filename: str, /) -> None: ...  # noqa: D102
    def create_scalar_function(  # noqa: D102
        self, name: str, callable: Callable[..., Value] | None, numargs: int = -1, *, deterministic: bool = False
    ) -> None: ...


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
