"""A lock that many readers share, and a writer holds alone."""

import threading
from collections.abc import Generator
from contextlib import contextmanager


class SharedLock:
    """Readers wait for a writer that is there or waits, so that it is never kept waiting by more than are in. Not
    reentrant: who holds it must not ask for it again.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()  # guards all below
        self._readers = 0
        self._writers_waiting = 0
        self._is_written = False

    @property
    def is_awaited(self) -> bool:
        """Whether a writer waits."""
        with self._changed:
            return self._writers_waiting > 0

    @contextmanager
    def shared(self) -> Generator[None]:
        """Hold it together with other readers."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._is_written or self._writers_waiting))
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Generator[None]:
        """Hold it while nobody else does."""
        with self._changed:
            self._writers_waiting += 1
            try:
                self._changed.wait_for(lambda: not (self._is_written or self._readers))
                self._is_written = True
            finally:
                self._writers_waiting -= 1
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._is_written = False
                self._changed.notify_all()
