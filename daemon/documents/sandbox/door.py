"""A door to a process that is closed to the world: files go in, replies come out, whatever the files are."""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Mapping
from typing import IO, TypeVar

from scrubjay.daemon.documents.extracted import Reason, UnreadableFile, unreadable
from scrubjay.daemon.documents.sandbox.confinement import Measure, missing
from scrubjay.daemon.documents.sandbox.wire import (
    LONGEST_REPLY,
    BoxReady,
    BoxRefusal,
    BoxStart,
    Drawn,
    Read,
    Reply,
    Request,
    encode,
    is_answer,
    reply_of,
)
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.processes.worker_process import (
    OnDemandProcess,
    TookTooLong,
    WorkerDied,
    WorkerProcess,
    worker_command,
)

_START_SECONDS = 60.0
_NEEDED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMP")
_OF_PYTHON = ("PYTHON", "_PYI", "_MEI")  # and of programs that PyInstaller has bundled
_TRIES = 2  # with one file, where the process ends over it: what ended it may have meant another one

_log = logging.getLogger(__name__)

T = TypeVar("T", Read, Drawn)


class BoxClosed(Exception):
    """The box was closed while it worked."""


class Door:
    """One process at a time, which starts with the first file and ends after `idle_seconds` without one.

    module: its `main()` is the process; argument: by which a frozen program starts it. is_strict: whether it is
    given files only if no measure is missing by which it should be closed to the world. threads: that it may use.
    Thread-safe, one file at a time.
    """

    def __init__(
        self,
        module: str,
        argument: str,
        idle_seconds: float,
        scheduler: Scheduler | None,
        is_strict: Callable[[], bool],
        threads: int = 1,
    ) -> None:
        self._program = (module, argument)
        self._threads = threads
        self._is_strict = is_strict
        self._scheduler = scheduler or Scheduler()
        self._worker = OnDemandProcess[Reply](idle_seconds, self._scheduler)
        self._lock = threading.Lock()
        self._measures: tuple[Measure, ...] | None = None

    @property
    def pid(self) -> int | None:
        """The process that reads now, if any: for `status` and for measuring."""
        return self._worker.pid

    @property
    def measures(self) -> tuple[Measure, ...] | None:
        """By what the process is closed to the world; None before the first one was started."""
        return self._measures

    def look(self) -> tuple[Measure, ...] | None:
        """As `measures`, of a process that is started for it if there was none; None where it can't be."""
        with self._lock, contextlib.suppress(WorkerDied, OSError):
            if self._measures is None:
                self._worker.running(self._started)
        return self._measures

    def unload_after(self, seconds: float) -> None:
        """End the process after so long without a file, from now on."""
        self._worker.unload_after(seconds)

    def close(self) -> None:
        """End the process for good, whatever it does. May be called twice."""
        self._worker.close()

    def answer(self, stream: IO[bytes], size: int, request: Request, expected: type[T]) -> T | UnreadableFile:
        """The reply to a request about a file, which begins where `stream` stands; or why there is none.

        Raises BoxClosed, and OSError where the process can't be started or the file can't be read.
        """
        begin = stream.tell()
        with self._lock:
            for _ in range(_TRIES):
                stream.seek(begin)
                try:
                    reply = self._asked(stream, size, request)
                except TookTooLong:
                    self._worker.end()
                    _log.warning("a file took too long and is left out")
                    return unreadable(Reason.TOO_SLOW)
                except WorkerDied:
                    if self._worker.closed:
                        raise BoxClosed from None
                    self._worker.end()
                    _log.warning("the process that reads files was ended")
                else:
                    if isinstance(reply, BoxRefusal):
                        return reply.unreadable
                    if isinstance(reply, expected) and is_answer(request, reply):
                        return reply
                    self._worker.end()
                    _log.warning("the process that reads files answered what was not asked and was ended")
        return unreadable(Reason.PROCESS_ENDED)

    def _asked(self, stream: IO[bytes], size: int, request: Request) -> Reply:
        process = self._worker.running(self._started)
        if self._is_strict() and missing(self._measures or ()):
            return BoxRefusal(unreadable(Reason.BOX_INCOMPLETE))
        reply = process.ask_within(encode(request), request.seconds, (stream, size))
        if isinstance(reply, Read) and reply.worn:
            self._worker.end()
        return reply

    def _started(self) -> WorkerProcess[Reply]:
        """A process that is closed to the world. Raises OSError if it can't be started, WorkerDied if it ends."""
        process = WorkerProcess(
            "Reading files",
            worker_command(*self._program),
            reply_of,
            self._scheduler,
            needed(os.environ),
            longest_reply=LONGEST_REPLY,
        )
        with contextlib.suppress(WorkerDied, TimeoutError):
            ready = process.ask(encode(BoxStart(self._threads))).result(_START_SECONDS)
            if isinstance(ready, BoxReady):
                self._measures = ready.measures
                return process
        process.close()
        raise WorkerDied


def needed(environment: Mapping[str, str]) -> dict[str, str]:
    """Of an environment what another Python needs to start: the rest may hold keys and tokens."""
    return {name: value for name, value in environment.items() if name in _NEEDED or name.startswith(_OF_PYTHON)}
