"""One run of a worker process: its pipes, and the requests under way."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import IO, Generic, TypeVar, cast

import psutil

from scrubjay.daemon.workers.frames import Frame, read_frame, write_frame
from scrubjay.daemon.workers.loops import Conditions

_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",  # a worker only ever loads files that are here
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",  # it is given one text at a time
}

_END_SECONDS = 5.0

T = TypeVar("T")


class WorkerDied(Exception):
    """The process ended before it answered."""


def worker_command(module: str, argument: str) -> list[str]:
    """How a worker is started: as a module of the same Python, or by an argument of the same frozen program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, argument]
    return [sys.executable, "-P", "-m", module]  # -P: never import from the working folder


class WorkerProcess(Generic[T]):
    """A process that answers requests in any order. Thread-safe; once dead it stays dead, and `close` clears it away.

    part: what it does, for `conditions`, see Loop. decode: makes a reply of its bytes; what it raises counts as the
    death of the process.
    """

    def __init__(self, part: str, command: Sequence[str], decode: Callable[[bytes], T], conditions: Conditions) -> None:
        """Start the process, without waiting for it. Raises OSError if it can't be started."""
        self._part = part
        self._decode = decode
        self._conditions = conditions
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a crash report could quote a note
            env=os.environ | _ENVIRONMENT,
            creationflags=subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0,
        )
        self._requests = cast(IO[bytes], self._process.stdin)
        self._replies = cast(IO[bytes], self._process.stdout)
        self._numbers = itertools.count(1)
        self._writing = threading.Lock()
        self._state = threading.Lock()  # guards the three below
        self._under_way: dict[int, Future[T]] = {}
        self._dead = False
        self._last_use = time.monotonic()
        self._reader = threading.Thread(target=self._read, name="worker-replies", daemon=True)
        self._reader.start()

    @property
    def alive(self) -> bool:
        """Whether it can still answer."""
        return not self._dead

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def idle_since(self) -> float:
        """time.monotonic() of the last request or reply; now, while requests are under way."""
        return time.monotonic() if self._under_way else self._last_use

    def processor_seconds(self) -> float:
        """What it has used so far; 0 where the system does not say."""
        try:
            times = psutil.Process(self.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return times.user + times.system

    def ran_out_of_time(self) -> bool:
        """Once dead: whether the system ended it for the processor time that it was allowed (RLIMIT_CPU)."""
        if sys.platform == "win32":
            return False
        with contextlib.suppress(subprocess.TimeoutExpired):  # its pipe ends a moment before it does
            return self._process.wait(_END_SECONDS) == -signal.SIGXCPU
        return False

    def send(self, body: bytes) -> None:
        """Send what needs no reply."""
        self._write(Frame(0, body))

    def ask(self, body: bytes) -> "Future[T]":
        """Send a request. The future fails with WorkerDied if the process ends first. Raises WorkerDied."""
        number, future = next(self._numbers), Future[T]()
        with self._state:
            if self._dead:
                raise WorkerDied
            self._under_way[number] = future
            self._last_use = time.monotonic()
        self._write(Frame(number, body))
        return future

    def close(self) -> None:
        """End the process at once (it has nothing to lose) and wait until it is gone. What is under way fails."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        with contextlib.suppress(OSError):  # a frame that was cut short
            self._requests.close()
        self._replies.close()

    def _write(self, frame: Frame) -> None:
        if self._writing.acquire(blocking=False):
            self._write_now(frame)
        else:  # the pipe is full: perhaps the process reads nothing any more, which must not hold up who asks
            threading.Thread(target=self._write_in_turn, args=(frame,), name="worker-requests", daemon=True).start()

    def _write_in_turn(self, frame: Frame) -> None:
        self._writing.acquire()
        self._write_now(frame)

    def _write_now(self, frame: Frame) -> None:
        """Once `_writing` is acquired; releases it."""
        # If the process is gone, the reader knows it too and fails what is under way.
        try:
            with contextlib.suppress(OSError, ValueError):
                write_frame(self._requests, frame)
        finally:
            self._writing.release()

    def _read(self) -> None:
        try:
            while (frame := read_frame(self._replies)) is not None:
                reply = self._decode(frame.body)
                with self._state:
                    future = self._under_way.pop(frame.number)
                    self._last_use = time.monotonic()
                self._conditions.clear(self._part)
                future.set_result(reply)
        except Exception as error:  # noqa: BLE001  (replies that make no sense: the process is replaced)
            self._conditions.failed(self._part, error)
        with self._state:
            self._dead = True
            orphans = list(self._under_way.values())
            self._under_way.clear()
        for future in orphans:
            future.set_exception(WorkerDied())
