"""The connections of one process to one profile on a server. A lost one is made anew by the next use."""

import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

import psycopg

from scrubjay.profiles.postgres.connection import ProfileConnection


class Connections:
    """At most so many, made when first needed and used again, last in, first out; those that broke are made anew."""

    def __init__(self, most: int, make: Callable[[], ProfileConnection]) -> None:
        """make: may raise what it likes, which `one` raises then."""
        self._make = make
        self._most = most
        self._free = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._idle: list[ProfileConnection] = []
        self._used: set[ProfileConnection] = set()

    @contextmanager
    def one(self) -> Generator[ProfileConnection]:
        """Waits while all are in use."""
        with self._free:
            connection = self._taken()
            try:
                yield connection
            finally:
                with self._lock:
                    self._used.discard(connection)
                    self._idle.append(connection)

    def _taken(self) -> ProfileConnection:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        if connection is None or not connection.is_open:
            connection = self._make()
        with self._lock:
            self._used.add(connection)
        return connection

    def cut(self) -> None:
        """Cut those in use: who waits is told that the server is away. The others are closed."""
        with self._lock:
            idle, self._idle = self._idle, []
            for connection in self._used:
                _cut(connection)
        for connection in idle:
            connection.close()

    def close(self) -> None:
        """Close all, waiting for those in use."""
        for _ in range(self._most):
            self._free.acquire()
        self.cut()
        for _ in range(self._most):
            self._free.release()


def _cut(connection: ProfileConnection) -> None:
    with suppress(OSError, psycopg.Error):  # it has ended by itself
        line = socket.socket(fileno=connection.raw.fileno())
        try:
            line.shutdown(socket.SHUT_RDWR)
        finally:
            line.detach()  # it is libpq's to close
