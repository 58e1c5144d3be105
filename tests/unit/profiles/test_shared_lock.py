"""A lock that readers share, and a writer holds alone."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from queue import Queue

from scrubjay.profiles.store.shared_lock import SharedLock


class Visitor:
    """A thread that comes in by some door of a lock, and leaves when it is let go."""

    def __init__(self, name: str, door: Callable[[], AbstractContextManager[None]], seen: "Queue[str]") -> None:
        self._let_go = threading.Event()
        self._thread = threading.Thread(target=self._visit, args=(name, door, seen), daemon=True)
        self._thread.start()

    def leave(self) -> None:
        self._let_go.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def _visit(self, name: str, door: Callable[[], AbstractContextManager[None]], seen: "Queue[str]") -> None:
        with door():
            seen.put(name)
            assert self._let_go.wait(60)


def test_readers_are_in_together_and_a_writer_alone_before_the_readers_that_came_after_it() -> None:
    lock, seen = SharedLock(), Queue[str]()
    readers = [Visitor(f"reader {number}", lock.shared, seen) for number in range(2)]
    assert {seen.get(timeout=60) for _ in readers} == {"reader 0", "reader 1"}
    writer = Visitor("writer", lock.alone, seen)
    while not lock.is_awaited:
        pass
    late = Visitor("late reader", lock.shared, seen)
    readers[0].leave()
    assert seen.empty()
    readers[1].leave()
    assert seen.get(timeout=60) == "writer"
    assert seen.empty()
    writer.leave()
    assert seen.get(timeout=60) == "late reader"
    late.leave()


def test_an_exception_leaves_the_lock_free() -> None:
    lock = SharedLock()
    for door in (lock.shared, lock.alone, lock.shared, lock.alone):
        try:
            with door():
                raise KeyError
        except KeyError:
            pass
    assert not lock.is_awaited
