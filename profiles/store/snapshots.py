"""The snapshots that a store is read in: one for each read, or one for all that a thread reads in one go."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Concatenate, ParamSpec, TypeVar

from scrubjay.profiles.store.statements import Asked, Connection

P = ParamSpec("P")
T = TypeVar("T")

HELD_AT_ONCE = 2
"""Threads that hold on to a connection of a store, which has four: who reads one thing never waits for them all."""

_QUICK: set[Callable[..., object]] = set()


def quick(function: Callable[P, T]) -> Callable[P, T]:
    """A read that takes milliseconds: `read` does not have it wait while long searches use all connections."""
    _QUICK.add(function)
    return function


class _Held:
    """A snapshot that one thread reads from until it lets go; begun by its first read."""

    def __init__(self, begun: AbstractContextManager[Connection]) -> None:
        self._begun = begun
        self._connection: Connection | None = None

    def connection(self) -> Connection:
        """Its connection."""
        if self._connection is None:
            self._connection = self._begun.__enter__()
        return self._connection

    def end(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection = None
            self._begun.__exit__(None, None, None)


class _OfThread(threading.local):
    is_holding = False
    ahead: Sequence[Asked] = ()
    held: _Held | None = None


class Snapshots(ABC):
    """Where the reads of a store come from. Thread-safe."""

    def __init__(self) -> None:
        self._of_thread = _OfThread()
        self._slots = threading.BoundedSemaphore(HELD_AT_ONCE)

    @abstractmethod
    def _snapshot(self, *, short: bool = False, ahead: Sequence[Asked] = ()) -> AbstractContextManager[Connection]:
        """A connection inside a read transaction; what goes wrong in the block is told as an error of ours.

        ahead: as for `one_snapshot`.
        """

    @abstractmethod
    def _telling(self) -> AbstractContextManager[None]:
        """What goes wrong in a read within the block is told as an error of ours."""

    @contextmanager
    def one_snapshot(self, ahead: Sequence[Asked] = ()) -> Generator[None]:
        """Have all that this thread reads in the block come from one snapshot, where few other threads do the same.

        Where they do, each read has one of its own: a search is as right by these, and only takes longer. What the
        thread writes meanwhile is seen by what it reads after.

        ahead: what will probably be read in it; from a server it comes together with the snapshot.
        """
        if self._of_thread.is_holding or not self._slots.acquire(blocking=False):
            yield
            return
        self._of_thread.is_holding, self._of_thread.ahead = True, ahead
        try:
            yield
        finally:
            self._of_thread.is_holding, self._of_thread.ahead = False, ()
            try:
                self._let_go()
            finally:
                self._slots.release()

    def read(self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a function of this package (of `reads`, above all) reads through a connection, given these arguments.

        Raises StoreError, as all reads of a store do.
        """
        with self.reading(short=function in _QUICK) as connection:
            return function(connection, *args, **kwargs)

    @contextmanager
    def reading(self, *, short: bool = False) -> Generator[Connection]:
        """A connection inside one read transaction, for functions of this package.

        short: it takes milliseconds, and need not wait while long searches use all connections.
        """
        if not self._of_thread.is_holding:
            with self._snapshot(short=short) as connection:
                yield connection
            return
        if self._of_thread.held is None:
            self._of_thread.held = _Held(self._snapshot(ahead=self._of_thread.ahead))
        try:
            with self._telling():
                yield self._of_thread.held.connection()
        except BaseException:
            self._let_go()  # the transaction may have ended by it
            raise

    def _let_go(self) -> None:
        """End the snapshot that this thread holds, if it does; the next read begins another. `close` calls it."""
        held, self._of_thread.held = self._of_thread.held, None
        if held is not None:
            held.end()
