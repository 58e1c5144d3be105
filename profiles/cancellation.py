"""Work that nobody waits for any more, and how it ends: long loops ask `check`, and SQLite asks between its steps."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Abandoned(Exception):
    """Nobody waits for what this thread works at. Not an error of a profile: nothing is wrong with one."""


class _Thread(threading.local):
    given_up: threading.Event | None = None


_thread = _Thread()


@contextmanager
def ending_with(given_up: threading.Event | None) -> Generator[None]:
    """Let what this thread does in the block end, by Abandoned, soon after `given_up` is set. None: nothing ends it."""
    before, _thread.given_up = _thread.given_up, given_up
    try:
        yield
    finally:
        _thread.given_up = before


def is_abandoned() -> bool:
    """Whether nobody waits for what this thread works at."""
    return _thread.given_up is not None and _thread.given_up.is_set()


def check() -> None:
    """Raises Abandoned where nobody waits for what this thread works at."""
    if is_abandoned():
        raise Abandoned("Nobody waits for this any more.")


def carried_over(work: Callable[[], T]) -> Callable[[], T]:
    """The same work for another thread, which ends where it would have ended in this one."""
    given_up = _thread.given_up

    def carried() -> T:
        with ending_with(given_up):
            return work()

    return carried
