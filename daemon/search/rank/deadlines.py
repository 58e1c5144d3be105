"""Queries several stores, and waits for none of them longer than the deadline.

One thread queries them in turn: several would slow one another down, since Python does most of the work and switches
between threads at each row (docs/decisions/0006). The caller waits in another thread, and abandons this one where a
store hangs.
"""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import monotonic
from typing import Any, TypeVar

from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store.store import Store

T = TypeVar("T")


class StoreTimedOut(Exception):
    """A store did not answer in time."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Turn:
    """One search's pass over its stores, which another thread may watch."""

    def __init__(self) -> None:
        self._current: tuple[str, Store, float] | None = None  # the store that is being queried, and since when
        self._given_up = False

    def each(self, stores: Mapping[str, Store], ask: Callable[[str, Store], T]) -> tuple[dict[str, T], set[str]]:
        """The answers of those that could give one, and the names of the others."""
        answers: dict[str, T] = {}
        missing: set[str] = set()
        for name, store in stores.items():
            if self._given_up:
                raise StoreTimedOut(name)  # the caller has given up
            self._current = (name, store, monotonic())
            try:
                answers[name] = ask(name, store)
            except ProfileError:
                missing.add(name)
            finally:
                self._current = None
        return answers, missing

    def overdue_store(self, deadline: float) -> tuple[str, Store] | None:
        """The store that has been queried for `deadline` seconds and has not answered."""
        current = self._current
        return current[:2] if current and monotonic() - current[2] >= deadline else None

    def give_up(self) -> None:
        """Query no other store."""
        self._given_up = True


class Turns:
    """Watches searches. Thread-safe. deadline: seconds that a store may take."""

    def __init__(self, pool: ThreadPoolExecutor, deadline: float) -> None:
        self._pool = pool
        self._deadline = deadline
        self._lock = threading.Lock()
        self._overdue: dict[int, Future[Any]] = {}  # by the store's identity: one that was reopened is another

    def overdue(self, stores: Mapping[str, Store]) -> set[str]:
        """The names of those that missed a deadline and are still busy with that query."""
        with self._lock:
            self._overdue = {key: future for key, future in self._overdue.items() if not future.done()}
            return {name for name, store in stores.items() if id(store) in self._overdue}

    def take(self, stores: Mapping[str, Store], search: Callable[[Turn], T]) -> T:
        """What `search` over these stores gives. Raises Late where one of several misses the deadline.

        A single store is queried in this thread, without a deadline.
        """
        turn = Turn()
        if len(stores) < 2:
            return search(turn)
        future = self._pool.submit(search, turn)
        pause = self._deadline
        while not wait((future,), timeout=pause).done:
            if timed_out := turn.overdue_store(self._deadline):
                turn.give_up()
                with self._lock:
                    self._overdue[id(timed_out[1])] = future
                raise StoreTimedOut(timed_out[0])
            pause = self._deadline / 4
        return future.result()
