"""Connections to a profile on a server, which take the statements that one to a file takes; a lost one is made anew."""

import socket
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import lru_cache, partial
from selectors import EVENT_READ, DefaultSelector
from time import monotonic
from typing import Any, Literal, TypeAlias, cast

import msgspec
import numpy as np
import psycopg
from psycopg import generators, postgres, pq
from psycopg.adapt import Buffer, Dumper
from psycopg.types.numeric import Int8BinaryDumper, NumericBinaryLoader
from psycopg.types.string import StrBinaryDumper
from psycopg.waiting import Ready, Wait

from scrubjay.profiles.errors import KeyChanged, StoreError, StoreFull
from scrubjay.profiles.search.words.postings import SHARDS
from scrubjay.profiles.store.statements import (
    COUNTED_NUMBERS,
    Asked,
    Dialect,
    Insert,
    Integers,
    Keys,
    Row,
    Value,
    generation_of,
    json_texts,
    known_numbers,
)
from scrubjay.profiles.team import bulk
from scrubjay.profiles.team.bulk import Halves
from scrubjay.profiles.team.dialect import POSTGRES
from scrubjay.profiles.team.hashed_words import HashedWords, Lexemes
from scrubjay.profiles.team.known_notes import KnownNotes
from scrubjay.profiles.team.server import KEY_CHANGED, ServerConnection, settings_for

Sent: TypeAlias = Value | Halves
"""What a statement can be given."""


@lru_cache(maxsize=1024)
def numbered(sql: str) -> bytes:
    """A statement with its marks as PostgreSQL has them: `$1`, `$2`… for `?1`, `?2`…, or for each `?` in order."""
    first, *others = sql.split("?")
    if all(part[:1].isdecimal() for part in others):
        return "$".join((first, *others)).encode()
    return "".join((first, *(f"${number}{part}" for number, part in enumerate(others, 1)))).encode()


_RUN = "concat_ws(' ', pg_postmaster_start_time(), to_regclass('meta')::oid)"  # another one after a start or a restore
_CHECK = f"SELECT current_setting('scrubjay.profile', TRUE), {_RUN}, (SELECT words_key FROM team_profile WHERE id = ?)"  # noqa: S608
_SNAPSHOT = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_QUERIES = ("SELECT", "WITH")
READ_SECONDS, WRITE_SECONDS = 20.0, 600.0
"""That a statement may take."""
_WRITER_SETTINGS = {
    "statement_timeout": f"{WRITE_SECONDS:.0f}s",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "60s",
    "tcp_keepalives_idle": "20",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
"""Who writes waits for others only so long, and is not waited for when its machine falls asleep."""
# How pgvector goes through its index: https://github.com/pgvector/pgvector#iterative-index-scans. Twice as many as are
# chosen: with as many, the best passage of one query in 64 (CACM) was not among them.
_INDEX_SETTINGS = {"hnsw.ef_search": "200", "hnsw.iterative_scan": "strict_order"}
_INT8 = postgres.types["int8"].oid
_INT8_ARRAY = postgres.types["int8"].array_oid
_ELEMENT = np.dtype([("size", ">i4"), ("value", ">i8")])


_BEGINNINGS_KEPT = 4
_BEGINNING = (
    f"{SHARDS} SELECT term, sum(length(entries)) FROM (SELECT number FROM shards WHERE number IS NOT NULL LIMIT ?)"  # noqa: S608
    " AS first CROSS JOIN posting WHERE shard = number AND begin_key = ? GROUP BY term"
)


class _IntegersDumper(Dumper):
    """int8[], as https://www.postgresql.org/docs/current/arrays.html sends it: one dimension, no NULLs."""

    format = pq.Format.BINARY
    oid = _INT8_ARRAY

    def dump(self, obj: Integers | Keys) -> Buffer:
        values = np.array(obj, np.int64) if isinstance(obj, Keys) else obj.array
        elements = np.empty(len(values), _ELEMENT)
        elements["size"], elements["value"] = 8, values
        dimensions = [len(elements), 1] if len(elements) else []
        return np.array([len(dimensions) // 2, 0, _INT8, *dimensions], ">i4").tobytes() + elements.tobytes()


class _HalvesDumper(Dumper):
    """The server knows from the statement that it is a vector."""

    format = pq.Format.BINARY

    def dump(self, obj: Halves) -> Buffer:
        return bulk.halves(obj)


class _Sent(bytes):
    """A value as the server receives it, whose type it knows from the statement."""


class _SentDumper(Dumper):
    format = pq.Format.BINARY

    def dump(self, obj: _Sent) -> Buffer:
        return obj


class _TextDumper(StrBinaryDumper):
    def dump(self, obj: str) -> Buffer:
        return bulk.text(obj)


class _NumberLoader(NumericBinaryLoader):
    """Sums of whole numbers are whole numbers."""

    def load(self, data: Buffer) -> Any:
        number = super().load(data)
        return int(number) if number == number.to_integral_value() else float(number)


def prepare_types(raw: ServerConnection) -> None:
    """Let a fresh connection take and give the values that statements of both engines have."""
    raw.adapters.register_dumper(int, Int8BinaryDumper)
    raw.adapters.register_dumper(str, _TextDumper)
    raw.adapters.register_dumper(Lexemes, _TextDumper)
    raw.adapters.register_dumper(Integers, _IntegersDumper)
    raw.adapters.register_dumper(Keys, _IntegersDumper)
    raw.adapters.register_dumper(Halves, _HalvesDumper)
    raw.adapters.register_dumper(_Sent, _SentDumper)
    raw.adapters.register_loader("numeric", _NumberLoader)


class ServerRows:
    """Rows that a server has given."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self.fetchall())

    def fetchall(self) -> list[Row]:
        """See `Cursor`."""
        return self._rows

    @property
    def get(self) -> Any:
        """See `Cursor`."""
        rows = self.fetchall()
        if not rows:
            return None
        return rows[0][0] if len(rows[0]) == 1 else rows[0]


class ServerCursor(ServerRows):
    """The rows of a statement. Inside a pipeline they are waited for when they are asked for."""

    def __init__(self, cursor: psycopg.RawCursor[Row]) -> None:
        self._cursor = cursor

    def fetchall(self) -> list[Row]:
        """See `Cursor`."""
        try:
            return self._cursor.fetchall()
        except psycopg.ProgrammingError as error:
            # Of a statement that gives no rows; the server's own errors, of this statement or one before, have a state.
            if error.sqlstate is None and self._cursor.description is None:
                return []
            raise


class ProfileConnection:
    """One connection to one profile's tables on a server. Not thread-safe.

    words: what index terms are asked for by. known: what `execute_here` reads. machine: who this one is among those of
    a team, see `leases`. stays: whether a text must not leave this computer. What a statement asks for is looked at:
    its answer would be nothing, since no row holds such a text, but a server may log what it is asked. What is written
    has been filtered.

    run: which one of the server, and of the profile's tables in it, the last transaction was in.

    Tables are found within a transaction, which says what it is for: a pooler may give each another session.
    """

    dialect: Dialect = POSTGRES

    def __init__(
        self,
        raw: ServerConnection,
        profile: int,
        words: HashedWords,
        known: KnownNotes,
        machine: str = "",
        stays: Callable[[str], bool] = lambda _text: False,
    ) -> None:
        self.raw, self.words = raw, words
        self._known_notes = known
        self._beginnings: dict[tuple[int, int], list[tuple[str, int]]] = {}  # see `terms_beginning`
        self._beginnings_of = -1  # the generation
        prepare_types(raw)
        self._stays = lru_cache(maxsize=4096)(stays)
        self._transactions: list[AbstractContextManager[object]] = []
        self.counted: dict[str, int] | None = None
        self._types: dict[Insert, list[bulk.ColumnType]] = {}
        self.profile = profile
        self.run = ""
        self._answers: dict[Asked, list[Row]] = {}
        self._rows: dict[str, Mapping[int, Row]] = {}  # by statement: those of ids
        self._is_ending = False  # whether the end of a snapshot is not confirmed yet
        settings_of = partial(settings_for, raw, profile)
        self._writing = settings_of(
            {"scrubjay.machine": machine, "scrubjay.words_key": words.key_name, **_WRITER_SETTINGS}
        )
        self._reading = {
            seconds: settings_of(
                {"scrubjay.machine": machine, "statement_timeout": f"{seconds:.0f}s", **_INDEX_SETTINGS}
            )
            for seconds in (READ_SECONDS, WRITE_SECONDS)
        }

    @staticmethod
    def packed(text: str) -> str:
        """The server packs what is long by itself."""
        return text

    @property
    def in_transaction(self) -> bool:
        """See `Connection`."""
        return self.raw.info.transaction_status != pq.TransactionStatus.IDLE

    def execute(self, statements: str, bindings: Sequence[Sent] | None = None, /) -> ServerRows:
        """See `Connection`: one statement. What came ahead in this snapshot is not asked for again."""
        known = self._known(statements, bindings or ())
        if known is not None:
            return ServerRows(known)
        if bindings and statements.lstrip().startswith(_QUERIES):
            bindings = [self._sendable(value) for value in bindings]
        return ServerCursor(self._cursor().execute(numbered(statements), bindings))

    def together(self, asked: Sequence[tuple[str, Sequence[Value]]]) -> list[list[Row]]:
        """The rows of several statements that read: one way to the server and back."""
        with self.raw.pipeline():
            cursors = [self.execute(*each) for each in asked]
        return [cursor.fetchall() for cursor in cursors]

    def execute_here(self, statement: str, bindings: Sequence[Value] = (), /) -> ServerRows:
        """See `Connection`. Within a transaction that writes the server is asked: it has what was just written."""
        if self._transactions:
            return self.execute(statement, bindings)
        kept = [bulk.text(value).decode() if isinstance(value, str) else value for value in bindings]
        return ServerRows(self._known_notes.rows(generation_of(self), self.together, statement, kept))

    def terms_beginning(self, begin_key: int, shards: int) -> list[tuple[str, int]]:
        """(term, bytes of its entries) of the terms of this `begin_key` in the first `shards` of the index.

        What was read last is kept, since with each keystroke the same is asked for again.
        """
        generation = generation_of(self)
        if self._beginnings_of != generation or len(self._beginnings) > _BEGINNINGS_KEPT:
            self._beginnings, self._beginnings_of = {}, generation
        known = self._beginnings.get((begin_key, shards))
        if known is None:
            rows = self.execute(_BEGINNING, (shards, begin_key)).fetchall()
            known = self._beginnings[begin_key, shards] = [(term, int(size)) for term, size in rows]
        return known

    def _known(self, statement: str, bindings: Sequence[Sent]) -> list[Row] | None:
        if rows := self._rows.get(statement):
            (wanted,) = bindings
            ids = cast("Integers", wanted).array.tolist()
            return [rows[each] for each in ids] if all(each in rows for each in ids) else None
        if self._answers and all(isinstance(value, str | int | Keys) for value in bindings):
            return self._answers.get((statement, cast("tuple[str | int | Keys, ...]", tuple(bindings))))
        return None

    def keep_rows(self, statement: str, rows: Mapping[int, Row]) -> None:
        """Know what a statement will give for these ids, its only value, until the snapshot ends."""
        self._rows[statement] = rows

    def _sendable(self, value: Sent) -> Sent:
        """A value as it may be sent: texts that stay here, alone or in a list of `json_texts`, are empty in it."""
        if not isinstance(value, str) or isinstance(value, Lexemes) or not value:
            return value
        if value.startswith('["'):
            texts = msgspec.json.decode(value, type=list[str])
            return json_texts("" if self._stays(text) else text for text in texts)
        return "" if self._stays(value) else value

    def executemany(self, statements: str, bindings: Iterable[Sequence[Value]], /) -> ServerCursor:
        """See `Connection`: all are sent before the first is waited for."""
        cursor = self._cursor()
        cursor.executemany(numbered(statements), bindings)
        return ServerCursor(cursor)

    def insert(self, rows_of: Insert, rows: Iterable[Sequence[object]], /) -> ServerCursor:
        """See `Connection`: by one statement."""
        cursor, types = self._cursor(), self._types_of(rows_of)
        if columns := bulk.arrays(rows, types):
            cursor.execute(bulk.statement_of(rows_of, types).encode(), [_Sent(column) for column in columns])
            self.raw.wait(_sent_whole(self.raw.pgconn))
        return ServerCursor(cursor)

    def execute_with(self, columns: Mapping[str, str], rows: Iterable[Sequence[object]], statement: str) -> None:
        """Run a statement that changes by the rows of `given`. columns: its names, each with its type."""
        types = [bulk.ColumnType(kind, postgres.types[kind].oid) for kind in columns.values()]
        if arrays := bulk.arrays(rows, types):
            marks = ", ".join(f"${place}::{kind}[]" for place, kind in enumerate(columns.values(), 1))
            given = f"WITH given AS (SELECT * FROM unnest({marks}) AS given ({', '.join(columns)}))"  # noqa: S608
            self._cursor().execute(f"{given} {statement}".encode(), [_Sent(array) for array in arrays])

    def _cursor(self) -> psycopg.RawCursor[Row]:
        cursor = psycopg.RawCursor(self.raw)
        cursor.format = pq.Format.BINARY
        return cursor

    def _types_of(self, insert: Insert) -> list[bulk.ColumnType]:
        """The types of the columns that a statement sets, asked for once."""
        known = self._types.get(insert)
        if known is None:
            sql = (
                "SELECT attname::text, typname::text, atttypid::bigint FROM pg_attribute"
                " JOIN pg_type ON pg_type.oid = atttypid WHERE attrelid = to_regclass(?) AND attnum > 0"
            )
            rows = cast("list[tuple[str, str, int]]", self.execute(sql, (insert.table,)).fetchall())
            by_name = {name: bulk.ColumnType(kind, number) for name, kind, number in rows}
            known = self._types[insert] = [by_name[name.strip('"')] for name in insert.columns]
        return known

    def begin_snapshot(self, *, seconds: float = READ_SECONDS, ahead: Sequence[Asked] = ()) -> None:
        """Begin to read a snapshot, and know COUNTED and what is asked `ahead` of it: one way to the server and back.

        seconds: for each statement, READ_SECONDS or WRITE_SECONDS. Raises StoreError where the session is not for this
        profile, and KeyChanged.
        """
        self._settle()
        with self.raw.pipeline():
            self._cursor().execute(_SNAPSHOT)
            self._cursor().execute(self._reading[seconds])
            checked = self.check()
            numbers = self._cursor().execute(COUNTED_NUMBERS.encode())
            asked = {question: self.execute(*question) for question in ahead}
        self.verify(checked)
        self.counted = known_numbers(numbers.fetchall())
        self._answers = {question: answer.fetchall() for question, answer in asked.items()}

    def check(self) -> ServerRows:
        """Ask within a transaction for what `verify` is told by."""
        return self.execute(_CHECK, (self.profile,))

    def verify(self, checked: ServerRows) -> None:
        """Raises StoreError where the session is not for this profile, and KeyChanged."""
        ((profile, self.run, words_key),) = checked.fetchall()
        if profile != str(self.profile):
            raise StoreError(
                "The session is for another profile. A pooler before the server must leave all statements of a"
                " transaction together; ask the server's operator."
            )
        if words_key not in (self.words.key_name, None):  # None: the grant has gone just now
            raise KeyChanged(KEY_CHANGED)

    def end_snapshot(self) -> None:
        """End it. That this was done is waited for by who uses the connection next."""
        self.counted = None
        self._answers, self._rows = {}, {}
        self.raw.pgconn.send_query(b"ROLLBACK")
        self._is_ending = True
        self.raw.wait(_sent_whole(self.raw.pgconn))

    def _settle(self) -> None:
        if self._is_ending:
            self._is_ending = False
            self.raw.wait(generators.fetch_many(self.raw.pgconn))

    def copy_out(self, query: str) -> bytes:
        """The rows of a query without values in COPY's binary format."""
        cursor = psycopg.RawCursor(self.raw)
        with cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT BINARY)".encode()) as copied:
            return b"".join(bytes(block) for block in copied)

    @contextmanager
    def _transaction(self) -> Generator[None]:
        self._settle()
        with self.raw.transaction():
            with self.raw.pipeline():
                self._cursor().execute(self._writing)
                yield
                checked = self.check()
            self.verify(checked)

    def __enter__(self) -> "ProfileConnection":
        """Begin a transaction that writes; inside one, a savepoint.

        A statement is waited for when its rows are asked for: the server works while more is made ready. An error of a
        statement comes with a later one, or at the end.
        """
        inner = cast("AbstractContextManager[object]", self.raw.transaction()) if self._transactions else None
        transaction = inner or self._transaction()
        transaction.__enter__()
        self._transactions.append(transaction)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool | None:
        return self._transactions.pop().__exit__(kind, error, trace)  # pyright: ignore[reportArgumentType]

    @property
    def is_open(self) -> bool:
        """Whether the session goes on, as far as is known here.

        A server has nothing to say to who asks nothing, but that it has ended the session.
        """
        try:
            self._settle()
        except psycopg.Error:
            self.raw.close()
        if not self.raw.closed:
            with DefaultSelector() as selector:
                selector.register(self.raw.fileno(), EVENT_READ)
                if selector.select(0):
                    self.raw.close()
        return not self.raw.closed

    def close(self) -> None:
        """End the session."""
        self.raw.close()


def _sent_whole(libpq: pq.abc.PGconn) -> Generator[Wait, Ready]:
    """Hand over what libpq still holds back of a long statement: the server begins with it once it has all."""
    while libpq.flush():
        ready = yield Wait.RW
        if ready & Ready.R:
            libpq.consume_input()


Use: TypeAlias = Literal["search", "short", "write"]
"""What a connection is wanted for."""
MOST_AT_ONCE: Mapping[Use, int] = {"search": 4, "short": 1, "write": 1}
"""Connections in use; their sum is what a member takes of a server at most."""
ROOM_SECONDS = 3.0
"""How long a server that has no room for another connection is asked again."""
_ASKED_AGAIN_SECONDS = 0.2
IDLE_SECONDS = 60.0
"""After which a connection that was not needed makes room for others."""


class Connections:
    """Made when first needed and used again, last in, first out, whatever for; those that broke are made anew."""

    def __init__(self, make: Callable[[], ProfileConnection]) -> None:
        """make: may raise what it likes, which `one` raises then."""
        self._make = make
        self._free = {use: threading.Semaphore(most) for use, most in MOST_AT_ONCE.items()}
        self._returned = threading.Condition()
        self._idle: list[tuple[float, ProfileConnection]] = []  # since when
        self._used: set[ProfileConnection] = set()
        self._waiting = 0

    @contextmanager
    def one(self, use: Use) -> Generator[ProfileConnection]:
        """Waits while all that may be are in use for the same, or while the server has no room for another."""
        with self._returned:
            self._waiting += 1
        with self._free[use]:
            try:
                connection = self._taken()
            finally:
                with self._returned:
                    self._waiting -= 1
            try:
                yield connection
            finally:
                with self._returned:
                    self._used.discard(connection)
                    self._idle.append((monotonic(), connection))
                    self._returned.notify()
                self._end_unneeded()

    def counts(self) -> tuple[int, int]:
        """How many are open, and how many uses wait for one."""
        with self._returned:
            return len(self._used) + len(self._idle), self._waiting

    def _taken(self) -> ProfileConnection:
        until = monotonic() + ROOM_SECONDS
        while True:
            with self._returned:
                _, connection = self._idle.pop() if self._idle else (0.0, None)
            try:
                if connection is None or not connection.is_open:
                    connection = self._make()
            except StoreFull:
                if monotonic() >= until:
                    raise
                with self._returned:
                    self._returned.wait_for(lambda: self._idle, _ASKED_AGAIN_SECONDS)
                continue
            with self._returned:
                self._used.add(connection)
            return connection

    def _end_unneeded(self) -> None:
        with self._returned:
            since = monotonic() - IDLE_SECONDS
            unneeded = [connection for at, connection in self._idle if at < since]
            self._idle = [(at, connection) for at, connection in self._idle if at >= since]
        for connection in unneeded:
            connection.close()

    def cut(self) -> None:
        """Cut those in use: who waits is told that the server is away. The others are closed."""
        with self._returned:
            idle, self._idle = self._idle, []
            for connection in self._used:
                _cut(connection)
        for _, connection in idle:
            connection.close()

    def close(self) -> None:
        """Close all, waiting for those in use."""
        with ExitStack() as waiting:
            for use, most in MOST_AT_ONCE.items():
                for _ in range(most):
                    waiting.enter_context(self._free[use])
            self.cut()


def _cut(connection: ProfileConnection) -> None:
    with suppress(OSError, psycopg.Error):  # it has ended by itself
        line = socket.socket(fileno=connection.raw.fileno())
        try:
            line.shutdown(socket.SHUT_RDWR)
        finally:
            line.detach()  # it is libpq's to close
