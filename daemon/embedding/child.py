"""One run of the embedding worker: the process, its pipes, and the requests under way."""

import contextlib
import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import IO, cast

import msgspec

from daemon.embedding.protocol import EmbedderFailed, EmbeddingModel
from daemon.embedding.wire import Embedded, Frame, Reply, Request, Start, read_frame, reply_of, write_frame

WORKER_ARGUMENT = "--embedding-worker"  # a frozen build's entry point runs daemon.embedding.worker.main() on this

_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",  # the worker only ever loads files that are here
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",  # it is given one text at a time
}


class WorkerDied(Exception):
    """The process ended before it answered."""


def worker_command() -> list[str]:
    """How the worker is started: from the same Python, or from the same frozen program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, WORKER_ARGUMENT]
    return [sys.executable, "-P", "-m", "daemon.embedding.worker"]  # -P: never import from the working folder


class Child:
    """A worker process. Thread-safe; once it is dead it stays dead, and `close` clears it away."""

    def __init__(self, spec: EmbeddingModel, threads: int) -> None:
        """Start the process, without waiting for it. Raises OSError if it can't be started."""
        self._process = subprocess.Popen(
            worker_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a crash report could quote a note
            env=os.environ | _ENVIRONMENT,
            creationflags=subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0,
        )
        self._requests = cast(IO[bytes], self._process.stdin)
        self._replies = cast(IO[bytes], self._process.stdout)
        self._ids = itertools.count(1)
        self._writing = threading.Lock()
        self._state = threading.Lock()  # guards the two below
        self._under_way: dict[int, Future[bytes]] = {}
        self._dead = False
        self._reader = threading.Thread(target=self._read, name="embedding-replies", daemon=True)
        self._reader.start()
        self._send(Start.of(spec, threads))

    @property
    def alive(self) -> bool:
        """Whether it can still be asked."""
        return not self._dead

    @property
    def busy(self) -> bool:
        """Whether requests are under way."""
        return bool(self._under_way)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def ask(self, request: Callable[[int], Request]) -> "Future[bytes]":
        """Send the request made for a fresh id; the future gives the bytes of its vectors.

        The future fails with EmbedderFailed where the worker says why, and with WorkerDied if it ends first.
        """
        request_id = next(self._ids)
        future: Future[bytes] = Future()
        with self._state:
            if self._dead:
                raise WorkerDied
            self._under_way[request_id] = future
        self._send(request(request_id))
        return future

    def close(self) -> None:
        """End the process at once (it has nothing to lose) and wait until it is gone. What is under way fails."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        with contextlib.suppress(OSError):  # a frame that was cut short
            self._requests.close()
        self._replies.close()

    def _send(self, frame: Frame) -> None:
        # If the process is gone, the reader knows it too and fails what is under way.
        with self._writing, contextlib.suppress(OSError, ValueError):
            write_frame(self._requests, frame)

    def _read(self) -> None:
        with contextlib.suppress(msgspec.MsgspecError):  # not a reply: it is of no use any more
            while (frame := read_frame(self._replies)) is not None:
                self._settle(reply_of(frame))
        with self._state:
            self._dead = True
            orphans = list(self._under_way.values())
            self._under_way.clear()
        for future in orphans:
            future.set_exception(WorkerDied())

    def _settle(self, reply: Reply) -> None:
        with self._state:
            future = self._under_way.pop(reply.id)
        if isinstance(reply, Embedded):
            future.set_result(reply.vectors)
        else:
            future.set_exception(EmbedderFailed(reply.reason))
