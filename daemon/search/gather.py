"""Asking several stores at once, and waiting for none of them longer than the deadline."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import monotonic
from typing import Any, TypeVar

from profiles.errors import ProfileError
from profiles.store import Store

T = TypeVar("T")


class Gatherer:
    """Thread-safe. A store that missed a deadline is asked again only when it has finished what it was at.

    So one that hangs holds one or two threads of the pool, and never all of them.
    """

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self._lock = threading.Lock()
        self._overdue: dict[int, Future[Any]] = {}  # by the store's identity: one that was reopened is another

    def each(
        self, stores: Mapping[str, Store], ask: Callable[[str, Store], T], until: float
    ) -> tuple[dict[str, T], set[str]]:
        """The answers that came before `until` (of time.monotonic), and the names of those who gave none.

        A single store is asked in this thread, without a deadline.
        """
        if len(stores) > 1:
            return self._all(stores, ask, until)
        answers: dict[str, T] = {}
        for name, store in stores.items():
            try:
                answers[name] = ask(name, store)
            except ProfileError:
                return {}, {name}
        return answers, set()

    def _all(
        self, stores: Mapping[str, Store], ask: Callable[[str, Store], T], until: float
    ) -> tuple[dict[str, T], set[str]]:
        with self._lock:
            self._overdue = {key: future for key, future in self._overdue.items() if not future.done()}
            missing = {name for name, store in stores.items() if id(store) in self._overdue}
        futures = {name: self._pool.submit(ask, name, store) for name, store in stores.items() if name not in missing}
        wait(futures.values(), timeout=max(0.0, until - monotonic()))
        answers: dict[str, T] = {}
        for name, future in futures.items():
            if not future.done():
                missing.add(name)
                if not future.cancel():
                    with self._lock:
                        self._overdue[id(stores[name])] = future
            elif isinstance(future.exception(), ProfileError):
                missing.add(name)
            else:
                answers[name] = future.result()
        return answers, missing
