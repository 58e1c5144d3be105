"""A worker process that is started when it is needed and ended when it is idle."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from scrubjay.daemon.workers.loops import Conditions, Loop
from scrubjay.daemon.workers.process import WorkerDied, WorkerProcess

T = TypeVar("T")

_log = logging.getLogger(__name__)


class OnDemandProcess(Generic[T]):
    """At most one process at a time, started on demand. Thread-safe.

    idle_seconds: without a request, after which the process is ended.
    """

    def __init__(self, idle_seconds: float, conditions: Conditions) -> None:
        self._changed = threading.Condition()  # guards all below
        self._idle_seconds = idle_seconds
        self._process: WorkerProcess[T] | None = None
        self._closed = False
        self._idle_loop: Loop | None = None
        self._conditions = conditions

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
        with self._changed:
            if self._closed:
                raise WorkerDied
            if self._process and not self._process.alive:
                self._process.close()
                self._process = None
            if self._process is None:
                self._process = start()
                if self._idle_loop is None:
                    self._idle_loop = Loop("resting", "Ending an idle process", self._end_when_idle, self._conditions)
                    self._idle_loop.start()
                self._changed.notify_all()
            return self._process

    def end(self) -> None:
        """End the process now, whatever it does; the next that is needed is another."""
        with self._changed:
            process, self._process = self._process, None
        if process:
            process.close()

    def unload_after(self, seconds: float) -> None:
        """End the process after so long without a request, from now on."""
        with self._changed:
            self._idle_seconds = seconds
            self._changed.notify_all()

    def close(self) -> None:
        """End the process for good. May be called twice."""
        with self._changed:
            self._closed = True
            if self._idle_loop:
                self._idle_loop.stopping.set()
            self._changed.notify_all()
        self.end()

    def _end_when_idle(self) -> None:
        with self._changed:
            process = self._process
            if self._closed:
                return
            if process is None:
                self._changed.wait()
                return
            quiet_seconds = process.idle_since + self._idle_seconds - time.monotonic()
            if quiet_seconds > 0:
                self._changed.wait(quiet_seconds)
                return
            process.close()
            self._process = None
        _log.info("an idle worker process was ended")
