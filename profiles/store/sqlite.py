"""Opening SQLite the way every store needs it, and saying in our own errors what SQLite says in its."""

import contextlib
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Literal, Self, cast

import apsw
import numpy as np

from scrubjay.profiles.cancellation import is_abandoned
from scrubjay.profiles.errors import StoreBusy, StoreClosed, StoreCorrupt, StoreError, StoreLocked
from scrubjay.profiles.store.packed_texts import pack, unpack
from scrubjay.profiles.store.sqlite_dialect import SQLITE
from scrubjay.profiles.store.statements import Cursor, Dialect, FileConnection, Insert, Integers, Value

Role = Literal["writer", "reader"]

PAGE_SIZE = 8192
"""A 384-dimension vector takes 1,536 bytes: five a page here, two at 4,096."""

CACHE_KIB: dict[Role, int] = {"writer": 8192, "reader": 4096}
"""An idle daemon must stay small: at most 8 MB for the writer and 4 MB for each of five readers."""

MAX_READERS = 4
BUSY_TIMEOUT_MS = 10_000
WAL_PAGES = 1000
"""Pages in the write-ahead log before they are copied home: 8 MB."""

CIPHER_RESERVE = 32
"""Bytes a page that ChaCha20-Poly1305 takes."""
PLAIN_HEADER = b"SQLite format 3\0"
KEY_BYTES = 32
_STEPS = 20_000
"""Instructions of SQLite's machine between two questions whether anybody still waits: a millisecond or less."""
_PAGE_TYPES = frozenset({0, 2, 5, 10, 13})  # https://www.sqlite.org/fileformat2.html#b_tree_pages
_LOOKED_AT, _FEWEST = 64, 8  # pages; most of eight random bytes look like page types once in six million files


_NO_ID = np.zeros(1, np.int64)  # no row has it; apsw binds no empty array


class SqliteConnection(apsw.Connection):
    """A connection of apsw that is a `FileConnection`."""

    dialect: Dialect = SQLITE
    packed = staticmethod(pack)
    counted: dict[str, int] | None = None

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # pyright: ignore[reportArgumentType]
        self.removals = Counter[str]()
        self.convert_binding = _bound
        self._is_outermost: list[bool] = []  # of each transaction and savepoint that is open

    def __enter__(self) -> Self:
        """See `Connection`. By statements: in a block of apsw's, no thread of Python goes on until it is committed."""
        is_outermost = not self.in_transaction
        self.execute_here(f"BEGIN {self.transaction_mode}" if is_outermost else "SAVEPOINT inner")
        self._is_outermost.append(is_outermost)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        """See `Connection`."""
        is_outermost = self._is_outermost.pop()
        is_done = False
        try:
            if kind is None:
                self.execute_here("COMMIT" if is_outermost else "RELEASE inner")
                is_done = True
        finally:
            if not is_done and self.in_transaction:  # else SQLite has undone it, for an error that must not be masked
                self.execute_here("ROLLBACK" if is_outermost else "ROLLBACK TO inner; RELEASE inner")
        return False

    def execute_here(self, statement: str, bindings: Sequence[Value] = (), /) -> Cursor:
        """See `Connection`: all statements are."""
        return cast("FileConnection", self).execute(statement, bindings)

    def insert(self, rows_of: Insert, rows: Iterable[Sequence[object]], /) -> Cursor:
        """See `Connection`."""
        return cast("FileConnection", self).executemany(rows_of.text, cast("Iterable[Sequence[Value]]", rows))


def _bound(_cursor: object, _number: int, value: object) -> object:
    """What apsw does not know is an array of integers."""
    if not isinstance(value, Integers):
        raise TypeError(f"a statement can't be given a {type(value).__name__}")
    return apsw.carray(value.array if len(value.array) else _NO_ID)  # pyright: ignore[reportUnknownMemberType]


def connect(path: Path, key: bytes | None, role: Role) -> FileConnection:
    """Open one connection with this project's settings; a missing file is created (role "writer" only).

    Raises StoreLocked for a missing or wrong key, StoreCorrupt for a file that SQLite can't read.
    """
    if key is not None and len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, this one {len(key)}")
    if key is not None and path.exists() and path.stat().st_size and not is_encrypted(path):
        raise StoreError(f"{path} is not encrypted; open it without a key.")
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if role == "writer" else 0)
    with translated(path):
        connection = cast("FileConnection", SqliteConnection(str(path), flags=flags))
    try:
        with translated(path):
            _configure(connection, key, role)
    except BaseException:
        connection.close()
        raise
    return connection


def load_vectors(connection: FileConnection) -> None:
    """Let a connection use sqlite-vec. Its module is looked up and not imported: it loads Python's own SQLite, 1 MB.

    Raises apsw.Error where its library does not fit this machine, or is not there.
    """
    library = _vectors_library()
    connection.enable_load_extension(True)
    try:
        connection.load_extension(library)
    finally:
        connection.enable_load_extension(False)


@cache
def _vectors_library() -> str:
    found = find_spec("sqlite_vec")
    if found is None or found.origin is None:
        raise apsw.ExtensionLoadingError("sqlite-vec is not installed")
    return str(Path(found.origin).with_name("vec0"))


def pages_in_memory() -> int:
    """Bytes that SQLite has taken in this process, for all databases: pages, above all."""
    return int(apsw.memory_used())


def is_encrypted(path: Path) -> bool:
    """Whether a database file is there and does not begin as a plain one does."""
    try:
        with path.open("rb") as file:
            header = file.read(len(PLAIN_HEADER))
    except FileNotFoundError:
        return False
    return bool(header) and header != PLAIN_HEADER


def raw_key(key: bytes) -> str:
    """A key as the cipher takes it without the 64,007 rounds of derivation that a passphrase costs at each open."""
    return f"raw:{key.hex()}"


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Turn SQLite's errors into ours, naming the file."""
    try:
        yield
    except apsw.NotADBError as error:
        raise _unreadable(path) from error
    except apsw.CorruptError as error:
        raise StoreCorrupt(f"{path} is damaged: {error}. `scrubjay check --repair` rebuilds it.", path) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreBusy(f"Another process keeps {path} locked. Try again in a moment.", path) from error
    except (apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise StoreError(
            f"{path} can't be read or written: {error}. Is the disk full, or not writable?", path
        ) from error


def _unreadable(path: Path) -> StoreError:
    if is_encrypted(path) and not _is_plain_inside(path):
        return StoreLocked(f"{path} is encrypted, and the key is missing or wrong (or the file is damaged).", path)
    return StoreCorrupt(f"{path} is not a database that SQLite can read. `scrubjay check --repair` rebuilds it.", path)


def _is_plain_inside(path: Path) -> bool:
    """Whether a file whose header says nothing holds pages of a plain database all the same: then it is damaged.

    Most pages of a plain database begin with the type of a b-tree's page, or (overflow) with the first byte of a page
    number, 0; those of an encrypted one with any byte. Too few pages tell nothing.
    """
    with path.open("rb") as file:
        first = [file.read(1) for page in range(1, _LOOKED_AT + 1) if file.seek(page * PAGE_SIZE)]
    there = [byte for byte in first if byte]
    return len(there) >= _FEWEST and sum(byte[0] in _PAGE_TYPES for byte in there) * 2 > len(there)


def _configure(connection: FileConnection, key: bytes | None, role: Role) -> None:
    if key is not None:
        connection.pragma("cipher", "chacha20")
        connection.pragma("key", raw_key(key))
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.pragma("page_size", PAGE_SIZE)
    connection.pragma("cache_size", -CACHE_KIB[role])
    # In memory, or a plain copy of an encrypted table could end up in a temporary file.
    connection.pragma("temp_store", "MEMORY")
    connection.pragma("foreign_keys", True)
    # What the schema of a file from elsewhere calls, and what its pages say of their cells, is not believed.
    connection.pragma("trusted_schema", False)
    connection.pragma("cell_size_check", True)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.pragma("secure_delete", True)
    connection.pragma("synchronous", "NORMAL")
    if role == "writer":
        if key is None:
            # Room for the cipher's tag on each page, so that encrypting later rewrites pages where they are.
            connection.reserve_bytes("main", CIPHER_RESERVE)
        connection.transaction_mode = "IMMEDIATE"
        connection.wal_autocheckpoint(WAL_PAGES)
    connection.pragma("schema_version")  # the first read: a wrong key shows here
    load_vectors(connection)
    connection.set_progress_handler(is_abandoned, _STEPS)
    connection.create_scalar_function("unpacked", unpack, 1, deterministic=True)


class ReaderPool:
    """At most MAX_READERS connections to one file, opened when first needed and used again, last in, first out.

    One more is kept for short reads, so that a list of tags or a count never waits behind long searches.
    """

    def __init__(self, path: Path, key: bytes | None) -> None:
        self._path = path
        self._key = key
        self._idle: LifoQueue[FileConnection | None] = LifoQueue()
        self._reserve: LifoQueue[FileConnection | None] = LifoQueue()
        self._fill()
        self._closed = False

    @contextmanager
    def reading(self, *, short: bool = False) -> Generator[FileConnection]:
        """A connection inside one read transaction, so that all that is read belongs together.

        Waits while all are in use. short: it takes milliseconds, and may use the one that is kept for such.
        Raises StoreError once closed.
        """
        home, connection = self._taken(short=short)
        try:
            if self._closed:
                raise StoreClosed(self._path)
            if connection is None:
                connection = connect(self._path, self._key, "reader")
            with translated(self._path):
                connection.execute("BEGIN")
                connection.counted = {}
                try:
                    yield connection
                finally:
                    connection.counted = None
                    if connection.in_transaction:  # else SQLite has ended it, for an error that must not be masked
                        connection.execute("ROLLBACK")
        finally:
            home.put(connection)

    def _taken(self, *, short: bool) -> tuple[LifoQueue[FileConnection | None], FileConnection | None]:
        """A connection (None: not opened yet) and where it goes back to."""
        if short:
            with contextlib.suppress(Empty):
                return self._idle, self._idle.get_nowait()
        home = self._reserve if short else self._idle
        return home, home.get()

    def _fill(self) -> None:
        for _ in range(MAX_READERS):
            self._idle.put(None)
        self._reserve.put(None)

    @contextmanager
    def fresh(self) -> Generator[FileConnection]:
        """As `reading`, on a connection that is opened for this and then closed."""
        connection = connect(self._path, self._key, "reader")
        try:
            with translated(self._path):
                connection.execute("BEGIN")
                yield connection
        finally:
            connection.close()

    def release_memory(self) -> None:
        """Close those that are not in use; they are opened again when needed."""
        for home in (self._idle, self._reserve):
            idle: list[FileConnection | None] = []
            with contextlib.suppress(Empty):
                while True:
                    idle.append(home.get_nowait())
            for connection in idle:
                if connection is not None:
                    connection.close()
                home.put(None)

    def close(self) -> None:
        """Close all, waiting for those in use."""
        self._closed = True
        for home in (*[self._idle] * MAX_READERS, self._reserve):
            connection = home.get()
            if connection is not None:
                connection.close()
        self._fill()
