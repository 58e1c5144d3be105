"""A child process that is started on demand, talked to in frames, and ended when idle."""

import contextlib
import itertools
import logging
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from typing import IO, Generic, TypeVar, cast

import psutil

from scrubjay.daemon.processes.frames import LONGEST_BODY, Frame, read_frame, write_frame, write_head
from scrubjay.daemon.processes.scheduler import Job, Scheduler

_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",  # a worker only ever loads files that are here
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",  # it is given one text at a time
}

_END_SECONDS = 5.0
_BLOCK = 1 << 18
_TAKEN_AT_ONCE = 1 << 12  # bytes; the smallest pipe there is, that of Windows, holds twice as many
_POLL_SECONDS = 0.5
_WALL_FACTOR = 10  # a machine with other things to do may take so much longer

T = TypeVar("T")


class WorkerDied(Exception):
    """The process ended before it answered."""


class TookTooLong(Exception):
    """The process used up its time."""


def worker_command(module: str, argument: str) -> list[str]:
    """How a worker is started: as a module of the same Python, or by an argument of the same frozen program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, argument]
    return [sys.executable, "-P", "-m", module]  # -P: never import from the working folder


class WorkerProcess(Generic[T]):
    """A process that answers requests in any order. Thread-safe; once dead it stays dead, and `close` clears it away.

    part: what it does, for the scheduler's `conditions`. decode: makes a reply of its bytes; what it raises counts as
    the death of the process, and so does a reply of more than `longest_reply` bytes.
    """

    def __init__(
        self,
        part: str,
        command: Sequence[str],
        decode: Callable[[bytes], T],
        scheduler: Scheduler,
        environment: Mapping[str, str] = os.environ,
        *,
        longest_reply: int = LONGEST_BODY,
    ) -> None:
        """Start the process, without waiting for it. Raises OSError if it can't be started."""
        self._part = part
        self._decode = decode
        self._longest_reply = longest_reply
        self._scheduler = scheduler
        self._conditions = scheduler.conditions
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a crash report could quote a note
            env={**environment, **_ENVIRONMENT},
            creationflags=subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0,
        )
        self._requests = cast(IO[bytes], self._process.stdin)
        self._replies = cast(IO[bytes], self._process.stdout)
        self._numbers = itertools.count(1)
        self._writing = threading.Lock()
        self._closed = False
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
    def closed(self) -> bool:
        """Whether `close` has ended it, or is about to."""
        return self._closed

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

    def how_it_ended(self) -> str:
        """Once dead: "ends with status 3", "is ended by SIGKILL", and the like, for a sentence about each run of it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = self._process.wait(_END_SECONDS)
            by_signal = sys.platform != "win32" and status < 0
            return f"is ended by {signal.Signals(-status).name}" if by_signal else f"ends with status {status}"
        return "answers nothing that makes sense"

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

    def ask_within(self, body: bytes, seconds: float, file: tuple[IO[bytes], int] | None = None) -> T:
        """Send a request and wait for its reply, while the process uses no more than so much processor time.

        file: what to send first, as a body of its own, block by block, so that it is never all in memory: so many bytes
        from where it stands; zeros take the place of those that it lacks. Nothing else may be sent meanwhile.
        By the clock, sending and answering may take ten times as long together; then the process is ended.

        Raises TookTooLong, whereupon the process should be closed, WorkerDied, and what reading the file raises
        (OSError), once the request was completed without it.
        """
        with self._ended_after(_WALL_FACTOR * seconds):
            if file is not None:
                self._send_file(*file)
            before = self.processor_seconds()
            answer = self.ask(body)
            while self.processor_seconds() - before < seconds:
                try:
                    return answer.result(_POLL_SECONDS)
                except TimeoutError:
                    continue
                except WorkerDied:
                    if self.ran_out_of_time():
                        break
                    raise
        raise TookTooLong

    @contextlib.contextmanager
    def _ended_after(self, seconds: float) -> Generator[None]:
        """End the process after so long: what is written to it, or waited for, then fails. Raises TookTooLong."""
        is_over = False

        def end() -> None:
            nonlocal is_over
            is_over = True
            self._process.kill()

        part = "Ending a process that takes too long"
        alarm = Job("overdue-process", part, end, every=seconds, takes="moments", once=True)
        self._scheduler.add(alarm)
        try:
            yield
        except WorkerDied:
            if is_over:
                raise TookTooLong from None
            raise
        finally:
            self._scheduler.remove(alarm)

    def _send_file(self, source: IO[bytes], size: int) -> None:
        failure: OSError | None = None
        left = size
        with self._writing, contextlib.suppress(OSError, ValueError):  # its reader is gone, or closed
            write_head(self._requests, 0, size)
            while left:
                block = b""
                try:
                    block = source.read(min(left, _BLOCK)) if failure is None else b""
                except OSError as error:
                    failure = error
                left -= self._requests.write(block or bytes(min(left, _BLOCK)))
            self._requests.flush()
        if failure is not None:
            raise failure

    def close(self) -> None:
        """End the process at once (it has nothing to lose) and wait until it is gone. What is under way fails."""
        self._closed = True
        self._process.kill()
        self._process.wait()
        self._reader.join()
        with contextlib.suppress(OSError):  # a frame that was cut short
            self._requests.close()
        self._replies.close()

    def _write(self, frame: Frame) -> None:
        # What a pipe may not take at once waits for the process to read, which it may never do; and so does what comes
        # after it. Who asks has a limit of time, and must not be held up.
        if len(frame.body) <= _TAKEN_AT_ONCE and self._writing.acquire(blocking=False):
            self._write_now(frame)
        else:
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
            while (frame := read_frame(self._replies, self._longest_reply)) is not None:
                reply = self._decode(frame.body)
                with self._state:
                    future = self._under_way.pop(frame.number)
                    self._last_use = time.monotonic()
                self._conditions.clear(self._part)
                future.set_result(reply)
                del frame, reply, future  # else they stay until the next reply
        except Exception as error:  # noqa: BLE001  (replies that make no sense: the process is replaced)
            self._conditions.failed(self._part, error)
            self._process.kill()
        with self._state:
            self._dead = True
            orphans = list(self._under_way.values())
            self._under_way.clear()
        for future in orphans:
            future.set_exception(WorkerDied())


# A worker process that is started when it is needed and ended when it is idle.

_log = logging.getLogger(__name__)


class OnDemandProcess(Generic[T]):
    """At most one process at a time, started on demand. Thread-safe.

    idle_seconds: without a request, after which the process is ended by the scheduler.
    """

    def __init__(self, idle_seconds: float, scheduler: Scheduler) -> None:
        self._lock = threading.Lock()  # guards all below
        self._idle_seconds = idle_seconds
        self._process: WorkerProcess[T] | None = None
        self._closed = False
        self._scheduler = scheduler
        self._ending = Job("idle-process", "Ending an idle process", self._end_when_idle, self._idle_in)

    @property
    def pid(self) -> int | None:
        """Of the process that lives now, if any."""
        process = self._process
        return process.pid if process and process.alive else None

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def running(self, start: Callable[[], WorkerProcess[T]]) -> WorkerProcess[T]:
        """The live process, started if there is none. Raises WorkerDied when closed, and whatever `start` raises."""
        with self._lock:
            if self._closed:
                raise WorkerDied
            if self._process and not self._process.alive:
                self._process.close()
                self._process = None
            if self._process is None:
                self._process = start()
                self._scheduler.add(self._ending)
            return self._process

    def end(self) -> None:
        """End the process now, whatever it does; the next that is needed is another."""
        with self._lock:
            process, self._process = self._process, None
        if process:
            process.close()

    def unload_after(self, seconds: float) -> None:
        """End the process after so long without a request, from now on."""
        with self._lock:
            self._idle_seconds = seconds
            if self._process:
                self._scheduler.add(self._ending)

    def close(self) -> None:
        """End the process for good. May be called twice."""
        with self._lock:
            self._closed = True
        self._scheduler.remove(self._ending)
        self.end()

    def _idle_in(self) -> float:
        """Seconds until the process has been idle for long enough; endless where there is none."""
        process = self._process
        return max(0.0, process.idle_since + self._idle_seconds - time.monotonic()) if process else math.inf

    def _end_when_idle(self) -> None:
        if not self._lock.acquire(blocking=False):
            return  # one is being started, perhaps, which takes its time
        try:
            if self._process is None or self._idle_in():
                return
            self._process.close()
            self._process = None
        finally:
            self._lock.release()
        _log.info("an idle worker process was ended")
