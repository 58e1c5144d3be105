"""Work that nobody waits for any more, and how it ends: long loops ask `check`, and SQLite asks between its steps.

Work that gives way to other work pauses in `check`, too.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


class Abandoned(Exception):
    """Nobody waits for what this thread works at. Not an error of a profile: nothing is wrong with one."""


_LEAST_WORK = 0.005  # seconds between two pauses, so that no work stands still
_LONGEST_PAUSE = 0.1  # seconds: more than what has the right of way takes, mostly


class RightOfWay:
    """What some work has over other work: while it goes on, the other pauses again and again. Thread-safe.

    Threads of Python take turns at the interpreter, however many processors there are.
    """

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._taken = 0

    @contextmanager
    def taken(self) -> Generator[None]:
        """Have other work give way to what this thread does in the block."""
        with self._condition:
            self._taken += 1
        try:
            yield
        finally:
            with self._condition:
                self._taken -= 1
                self._condition.notify_all()

    def give(self) -> None:
        """Wait while it is taken, for a moment at most."""
        if self._taken:
            with self._condition:
                self._condition.wait_for(lambda: not self._taken, _LONGEST_PAUSE)


class _Thread(threading.local):
    given_up: threading.Event | None = None
    gives: RightOfWay | None = None
    works_until: float = 0.0


_thread = _Thread()


@contextmanager
def ending_with(given_up: threading.Event | None, gives: RightOfWay | None = None) -> Generator[None]:
    """Let what this thread does in the block end, by Abandoned, soon after `given_up` is set. None: nothing ends it.

    gives: what it pauses for.
    """
    before = _thread.given_up, _thread.gives
    _thread.given_up, _thread.gives = given_up, gives
    try:
        yield
    finally:
        _thread.given_up, _thread.gives = before


def is_abandoned() -> bool:
    """Whether nobody waits for what this thread works at."""
    return _thread.given_up is not None and _thread.given_up.is_set()


def check() -> None:
    """Raises Abandoned where nobody waits for what this thread works at. Pauses where it is to give way."""
    if _thread.gives is not None and monotonic() >= _thread.works_until:
        _thread.gives.give()
        _thread.works_until = monotonic() + _LEAST_WORK
    if is_abandoned():
        raise Abandoned("Nobody waits for this any more.")


def carried_over(work: Callable[[], T]) -> Callable[[], T]:
    """The same work for another thread, which ends and gives way where it would have in this one."""
    given_up, gives = _thread.given_up, _thread.gives

    def carried() -> T:
        with ending_with(given_up, gives):
            return work()

    return carried
