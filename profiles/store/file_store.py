"""One profile's database in a file: the one door to it. Everything else in here is a function on a connection."""

import logging
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

import apsw

from scrubjay.profiles.cancellation import Abandoned
from scrubjay.profiles.errors import StoreClosed, StoreCorrupt, StoreError
from scrubjay.profiles.store import fts, integrity
from scrubjay.profiles.store.encryption import recover
from scrubjay.profiles.store.integrity import IntegrityProblem
from scrubjay.profiles.store.migrations import migrate
from scrubjay.profiles.store.proposals import stays_current
from scrubjay.profiles.store.repack import is_hollow, repack, shrink
from scrubjay.profiles.store.search_arrays import SearchArrays
from scrubjay.profiles.store.sqlite import BUSY_TIMEOUT_MS, WAL_PAGES, ReaderPool, connect, translated
from scrubjay.profiles.store.statements import Asked, Connection, FileConnection, generation_of
from scrubjay.profiles.store.store import UNREADABLE, Store, StoreFile
from scrubjay.profiles.store.writer import Writer

_log = logging.getLogger(__name__)

_LONG_LOG_PAGES = WAL_PAGES
"""A write-ahead log that is longer (8 MB) waits for readers to end: it begins anew at no other time than when nobody
reads in it, which may not come while somebody searches all the time, and pages of a long one take longer to find."""
_READERS_END_MS = 1_000

DAMAGE_ERRORS = (apsw.Error, SystemError, *UNREADABLE)


class FileStore(Store):
    """A store in a file of SQLite."""

    def __init__(self, path: Path, key: bytes | None, writer: FileConnection) -> None:
        super().__init__(path, SearchArrays())
        self.file = StoreFile(path, key)
        self._writer = writer
        self._write_lock = threading.Lock()
        self._readers = ReaderPool(path, key)
        self._closed = False
        self._log_is_stale = True  # the write-ahead log may hold text that is gone; of a process that was killed, say
        self._long_log = _LONG_LOG_PAGES
        self._log_pages = 0
        writer.set_wal_hook(self._logged)  # in place of SQLite's own, which copies pages before the commit returns

    @classmethod
    def open(cls, path: Path, *, key: bytes | None = None) -> "FileStore":
        """Open the database, bring its schema up to date, create it if there is none.

        key: 32 bytes for an encrypted file, None for a plain one; it decides which a new file becomes.
        Raises StoreLocked (key missing or wrong), StoreTooNew (left untouched), StoreCorrupt, StoreBusy.
        """
        recover(path)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
        writer = connect(path, key, "writer")
        try:
            with translated(path):
                migrate(writer)
                if repack(writer) or is_hollow(writer):
                    writer.close()
                    shrink(path, key)
                    writer = connect(path, key, "writer")
                    migrate(writer)
        except apsw.Error as error:
            writer.close()
            raise StoreCorrupt(
                f"{path} can't be used: {error}. `scrubjay check --repair` rebuilds it.", path
            ) from error
        except BaseException:
            writer.close()
            raise
        store = cls(path, key, writer)
        store._empty_log()
        return store

    @classmethod
    def beside(cls, file: StoreFile) -> "FileStore":
        """Open what another process of ours has opened, to read it alone. Raises StoreError where it can't be."""
        reader = connect(file.path, file.key, "reader")
        reader.pragma("query_only", True)
        store = cls(file.path, file.key, reader)
        store._log_is_stale = False  # that process empties it
        return store

    def close(self) -> None:
        """Close the file, once readers and the writer are done. May be called twice."""
        super().close()
        with self._write_lock:
            if self._closed:
                return
            self._closed = True
        self._readers.close()  # without the lock: who reads may be about to write, and never be done otherwise
        with self._write_lock:
            self._writer.close()

    @contextmanager
    def writing(self, *, durable: bool = False) -> Generator[Writer]:
        """See `Store`."""
        with self._write_lock:
            if self._closed:
                raise StoreClosed(self.path)
            with self._suspecting((apsw.SQLError,)), self._noticing(), translated(self.path):
                self._writer.pragma("synchronous", "FULL" if durable else "NORMAL")
                with self._arrays.committing() as committed_as:
                    with self._writer:
                        writer = Writer(self._writer)
                        yield writer
                        writer.finish()
                        generation = generation_of(self._writer)
                        committed_as(generation)
                    self._arrays.changed(writer.changes, generation)
                self._let_go()
                self._log_is_stale = self._log_is_stale or writer.removed_text
                self._shorten_log()

    def merge_phrases(self, goes_on: Callable[[], bool]) -> None:
        """See `Store`."""
        while goes_on() and self.read(fts.is_merge_owed):
            with self.writing() as writer:
                stays_current(writer.connection, self.machine)
                fts.merge_some(writer.connection)
                writer.removed_text = True
        with self._write_lock:
            self._writer.removals.clear()

    @contextmanager
    def _snapshot(self, *, short: bool = False, ahead: Sequence[Asked] = ()) -> Generator[Connection]:
        """See `Snapshots`. short: as in `ReaderPool`. ahead: a file is near.

        Raises StoreCorrupt, too, for whatever else goes wrong inside the block, such as a vector that holds no numbers.
        """
        del ahead
        with self._suspecting(DAMAGE_ERRORS), self._noticing(), self._readers.reading(short=short) as connection:
            yield connection
        if self._log_is_stale and self._write_lock.acquire(blocking=False):
            try:
                if not self._closed:
                    self._empty_log()
            finally:
                self._write_lock.release()

    @contextmanager
    def _telling(self) -> Generator[None]:
        """See `Snapshots`."""
        with self._suspecting(DAMAGE_ERRORS), self._noticing(), translated(self.path):
            yield

    @contextmanager
    def _noticing(self) -> Generator[None]:
        try:
            yield
        except StoreCorrupt:
            self.damaged = True
            raise

    @contextmanager
    def _suspecting(self, errors: tuple[type[Exception], ...]) -> Generator[None]:
        try:
            yield
        except UnicodeEncodeError:
            # Of a value that was given: what is stored has no half characters.
            raise StoreError("What was asked for has half a character in it, which no note has.", self.path) from None
        except apsw.InterruptError:
            raise Abandoned("Nobody waits for this any more.") from None
        except errors as error:
            self.suspect = not self._is_cleared
            _log.error("what is stored can't be read", extra={"error": type(error).__name__})
            what = f"Something in {self.path} can't be read ({type(error).__name__})."
            raise StoreCorrupt(f"{what} `scrubjay check --repair` mends it.", self.path) from error

    def _logged(self, _connection: FileConnection, _name: str, pages: int) -> int:
        """SQLite says after a commit how long the log is."""
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _shorten_log(self) -> None:
        """Copy the write-ahead log home after a transaction if it is long, and empty it if it must be or is very long.

        Then who writes waits a moment for those who read, and they do not. Where somebody reads for longer than that,
        it is not waited for at each transaction, but when the log is twice as long.
        """
        pages = self._log_pages
        if pages < _LONG_LOG_PAGES:
            self._long_log = _LONG_LOG_PAGES
        if pages >= self._long_log:
            self._log_is_stale = True
            self._empty_log(wait_ms=_READERS_END_MS)
            self._long_log = 2 * pages if self._log_is_stale else _LONG_LOG_PAGES
        elif self._log_is_stale:
            self._empty_log()
        elif pages >= WAL_PAGES:
            with suppress(apsw.Error):  # as in `_empty_log`
                self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _empty_log(self, *, wait_ms: int = 0) -> None:
        """Empty the write-ahead log if it may hold text that is gone: now, or after the last reader."""
        if self._log_is_stale:
            self._writer.set_busy_timeout(wait_ms)
            try:
                busy, _, _ = cast("tuple[int, int, int]", self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").get)
                self._log_is_stale = bool(busy)
            except apsw.Error:
                pass  # the disk is full, say: it is tried again, and what is wrong shows where it matters
            finally:
                self._writer.set_busy_timeout(BUSY_TIMEOUT_MS)

    @contextmanager
    def inspecting(self) -> Generator[Connection]:
        """As `reading`, on a fresh connection: FTS5's integrity check trusts what a used one has cached."""
        with self._readers.fresh() as connection:
            yield connection

    def damage(self, connection: Connection) -> Iterable[IntegrityProblem]:
        """See `Store`."""
        return integrity.damage(cast("FileConnection", connection))

    def phrase_problems(self) -> Iterable[IntegrityProblem]:
        """See `Store`: FTS5 is told to check itself, which is a write."""
        with self.writing() as writer:
            return list(integrity.phrases(writer.connection))

    def rebuild(self, connection: Connection) -> None:
        """See `Store`."""
        integrity.rebuild(connection)

    def release_memory(self) -> None:
        """See `Store`; the write-ahead log gives its room on the disk back, too."""
        self._readers.release_memory()
        super().release_memory()
        with self._write_lock:
            if not self._closed:
                self._log_is_stale = True
                self._empty_log()
                self._writer.pragma("shrink_memory")

    def _bytes_stored(self, connection: Connection) -> int:  # noqa: ARG002 (a file is looked at by its name)
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())
