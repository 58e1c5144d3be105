"""How commands make calls of the API: to the daemon if it runs, else to the same API inside this process."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from daemon.api.calls import Call
from daemon.cli.connect import connect, open_engine, running
from daemon.home import Home

T = TypeVar("T")


class Answers(Protocol):
    """What a call can be made to."""

    def send(self, call: Call[T]) -> T:
        """The reply. Raises ApiError."""
        ...


@contextmanager
def asking() -> "Generator[Answers]":
    """What answers calls, as long as this is entered."""
    if running(Home.find()):
        with connect() as client:
            yield client
        return
    from daemon.runtime.in_process import in_process

    with open_engine() as engine, in_process(engine) as api:
        yield api
