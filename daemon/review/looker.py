"""Where stores are looked at for what could be tidied: small ones right here, large ones in a process of their own."""

import pickle
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeAlias

from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.processes.worker_process import WorkerDied, WorkerProcess, worker_command
from scrubjay.daemon.review.steps import Errand, Step, Steps, Stopped, Wanted
from scrubjay.profiles.errors import StoreClosed, StoreError
from scrubjay.profiles.store.statements import counted
from scrubjay.profiles.store.store import Store

REVIEW_ARGUMENT = "--review-worker"  # a frozen build's entry point runs daemon.review.review_worker.main() on this
SMALL = 5_000
"""Passages of a store that is looked at right here: that takes a second, and 10 MB. A process takes half a second."""
PATIENCE = 5
"""What a look that took long has found serves for this many times as long, however much changes meanwhile."""


_Process: TypeAlias = WorkerProcess[Step | Stopped | None]


class Looker:
    """Looks at one store at a time. The process that looks at a large one ends with the look. Thread-safe."""

    def __init__(self, graphs: GraphCache, scheduler: Scheduler | None = None) -> None:
        self.scheduler = scheduler or Scheduler()
        self._graphs = graphs
        self._looking = threading.Lock()  # one look at a time
        self._state = threading.Lock()  # guards the two below
        self._process: tuple[Store, _Process] | None = None
        self._closed = False

    @contextmanager
    def look(self, store: Store, wanted: Wanted, now_ns: int) -> Generator[Steps]:
        """The steps of `look.look`, wherever it is done. Raises StoreError once `leave` or `close` was called."""
        with self._looking:
            process = self._started(store)
            if process is None or store.file is None:
                from scrubjay.daemon.review.look import look  # noqa: PLC0415 - all finders, 1 MB, for small stores alone

                yield look(store, self._graphs.current, wanted, now_ns)
                return
            try:
                yield _steps(process, store, Errand(store.file, wanted, now_ns))
            finally:
                self._end()

    def leave(self, store: Store) -> None:
        """End the process if it looks at this store, which has just been closed."""
        self._end(store)

    def close(self) -> None:
        """End the process, whatever it does, and start none any more."""
        with self._state:
            self._closed = True
        self._end()

    def _started(self, store: Store) -> _Process | None:
        """The process that looks at a store; None for one that is looked at here."""
        with self._state, store.reading(short=True) as connection:  # closed meanwhile, it can't be read
            if store.file is None or counted(connection, "chunks") <= SMALL:
                return None
            if self._closed:
                raise StoreClosed(store.path)
            command = worker_command("scrubjay.daemon.review.review_worker", REVIEW_ARGUMENT)
            process = _Process("Looking for what could be tidied", command, _step, self.scheduler)
            self._process = (store, process)
            return process

    def _end(self, of: Store | None = None) -> None:
        """of: whose process is meant; None: whichever there is."""
        with self._state:
            if self._process is not None and of in (None, self._process[0]):
                self._process[1].close()
                self._process = None


def _steps(process: _Process, store: Store, errand: Errand) -> Steps:
    body: object = errand
    try:
        while (step := process.ask(pickle.dumps(body, pickle.HIGHEST_PROTOCOL)).result()) is not None:
            if isinstance(step, Stopped):
                store.told(damaged=step.damaged, suspect=step.suspect)
                raise StoreError(f"{store.path} can't be read any more ({step.code}).", store.path)
            body = yield step
    except WorkerDied:
        if process.closed:
            raise StoreClosed(store.path) from None
        raise


def _step(body: bytes) -> Step | Stopped | None:
    return pickle.loads(body)  # noqa: S301 - the other end is this very program
