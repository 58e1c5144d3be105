"""The daemon's embedders: a child process runs each model, so its memory, crashes and priority are its own."""

import contextlib
import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from weakref import WeakSet

import numpy as np

from scrubjay.daemon.models.model_messages import (
    EmbedQuery,
    Failed,
    ModelStart,
    Passages,
    Reply,
    Request,
    encode,
    reply_of,
)
from scrubjay.daemon.processes.scheduler import Job, Scheduler
from scrubjay.daemon.processes.worker_process import OnDemandProcess, WorkerDied, WorkerProcess, worker_command
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbedderFailed, EmbeddingModel
from scrubjay.profiles.store.rows import Vector, Vectors

WORKER_ARGUMENT = "--embedding-worker"  # a frozen build's entry point runs daemon.models.model_worker.main() on this

_TRIES = 2
_QUERY_SECONDS = 30.0  # with the model's loading; a worker that takes longer is stuck
_PASSAGES_SECONDS = 600.0
_RETRY_SECONDS = 30.0  # after a failed restart, requests fail at once for so long instead of starting processes

_log = logging.getLogger(__name__)


class WorkerEmbedder:
    """Embedder whose model runs in a child process.

    The process starts with the first request, ends after `idle_seconds` without one, and is started again by the next.
    If it dies, the pending requests are sent once more to a new one; then they raise EmbedderFailed. If it is ended
    here, for texts to be forgotten say, they are sent to the next, however often. Queries overtake passages, and short
    ones long ones. `threads` is for passages alone: 1 is polite, 0 takes every core (at low priority).
    """

    def __init__(
        self,
        spec: EmbeddingModel,
        *,
        threads: int = 0,
        idle_seconds: float = 600.0,
        scheduler: Scheduler | None = None,
    ) -> None:
        self._spec = spec
        self._threads = threads
        self._scheduler = scheduler or Scheduler()
        self._worker = OnDemandProcess[Reply](idle_seconds, self._scheduler)
        self._no_retry_before = 0.0  # time.monotonic()
        self._abandoned: Future[Reply] | None = None  # the answer to a query that nobody waits for any more

    @property
    def spec(self) -> EmbeddingModel:
        """The model that embeds."""
        return self._spec

    @property
    def worker_pid(self) -> int | None:
        """The process that runs the model now, if any: for `status` and for measuring."""
        return self._worker.pid

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """See Embedder."""
        if not texts:
            return np.empty((0, self._spec.dim), np.float32)
        found = self._ask(Passages([_encodable(text) for text in texts]), _PASSAGES_SECONDS)
        return found.reshape(len(texts), self._spec.dim)

    def embed_query(self, text: str) -> Vector:
        """See Embedder."""
        return self._ask(EmbedQuery(_encodable(text)), _QUERY_SECONDS)

    def send_query(self, text: str) -> Awaited:
        """See Embedder. Sent by this very thread: handing it to another would cost more than the model takes.

        While an earlier query has no answer, though its asker has given up, no other one waits for the model.
        """
        if self._abandoned and not self._abandoned.done():
            return self._not_answering
        try:
            process = self._running()
            answer = process.ask(encode(EmbedQuery(_encodable(text))))
        except (WorkerDied, EmbedderFailed):
            return lambda _seconds: self.embed_query(text)  # which tries again, or says what is wrong

        def wait(seconds: float) -> Vector:
            try:
                return _floats(answer.result(seconds))
            except WorkerDied:
                return self.embed_query(text)
            except TimeoutError:
                self._abandoned = answer
                self._scheduler.add(_ending_if_stuck(process, answer))
                raise

        return wait

    def warm(self) -> None:
        """See Embedder."""
        with contextlib.suppress(EmbedderFailed, WorkerDied):  # the next call that embeds raises it
            was_running = self.worker_pid is not None
            process = self._running()
            if not was_running:
                process.ask(encode(EmbedQuery("warm")))

    def use_threads(self, threads: int) -> None:
        """Embed passages with so many threads from now on. Pending requests are sent to a new process."""
        if threads != self._threads:
            self._threads = threads
            self._worker.end()

    def forget_texts(self) -> None:
        """See Embedder. The process ends; pending requests are sent to a new one."""
        self._worker.end()

    def unload_after(self, seconds: float) -> None:
        """End the process after so long without a request, from now on."""
        self._worker.unload_after(seconds)

    def close(self) -> None:
        """See Embedder."""
        self._worker.close()

    def _ask(self, request: Request, seconds: float) -> Vector:
        died = 0
        while died < _TRIES:
            process = self._running()
            try:
                return _floats(process.ask(encode(request)).result(seconds))
            except WorkerDied:
                if self._worker.closed:
                    raise EmbedderFailed("The embedder was closed while it worked.") from None
                if not process.closed:
                    died += 1
                    _log.warning("the embedding worker died")
            except TimeoutError:
                process.close()
                raise EmbedderFailed(f"The embedding model did not answer within {seconds:.0f} seconds.") from None
        self._no_retry_before = time.monotonic() + _RETRY_SECONDS
        raise EmbedderFailed(
            f"The process of the embedding model {self._spec.name} died twice over the same request. "
            "If it happens again, memory may be short: close other programs, or set embedding_threads to 1."
        )

    def _not_answering(self, seconds: float) -> Vector:
        del seconds
        raise EmbedderFailed("The embedding model does not answer at the moment.")

    def _running(self) -> WorkerProcess[Reply]:
        """The live process, started if need be."""
        if self._worker.pid is None and time.monotonic() < self._no_retry_before:
            raise EmbedderFailed(f"The embedding model {self._spec.name} just failed; it is tried again soon.")
        try:
            return self._worker.running(self._started)
        except WorkerDied:
            raise EmbedderFailed("The embedder is closed.") from None
        except OSError as error:
            raise EmbedderFailed(f"The embedding model's process can't be started: {error.strerror}.") from error

    def _started(self) -> WorkerProcess[Reply]:
        command = worker_command("scrubjay.daemon.models.model_worker", WORKER_ARGUMENT)
        process = WorkerProcess("Embedding", command, reply_of, self._scheduler)
        process.send(encode(ModelStart(self._spec, self._threads)))
        return process


class Workers:
    """Makes the daemon's embedders, and changes how many threads all of them use and when they rest. Thread-safe.

    Each is its caller's to close; one that was closed is forgotten here.
    """

    def __init__(self, *, threads: int, idle_seconds: float, scheduler: Scheduler | None = None) -> None:
        """See WorkerEmbedder."""
        self._threads = threads
        self._idle_seconds = idle_seconds
        self._scheduler = scheduler or Scheduler()
        self._lock = threading.Lock()  # guards all fields
        self._made: WeakSet[WorkerEmbedder] = WeakSet()

    def embedder(self, spec: EmbeddingModel) -> WorkerEmbedder:
        """What embeds with a model, in a process that starts with the first request."""
        with self._lock:
            made = WorkerEmbedder(
                spec, threads=self._threads, idle_seconds=self._idle_seconds, scheduler=self._scheduler
            )
            self._made.add(made)
            return made

    def use_threads(self, threads: int) -> None:
        """Embed passages with so many threads from now on, whatever the model."""
        with self._lock:
            self._threads = threads
            made = list(self._made)
        for embedder in made:
            embedder.use_threads(threads)

    def unload_after(self, seconds: float) -> None:
        """End each process after so long without a request, from now on."""
        with self._lock:
            self._idle_seconds = seconds
            made = list(self._made)
        for embedder in made:
            embedder.unload_after(seconds)


def _ending_if_stuck(process: WorkerProcess[Reply], answer: "Future[Reply]") -> Job:
    """Ends a process that does not answer in all the time that a model may take to load."""

    def end() -> None:
        if not answer.done():
            process.close()

    return Job("stuck-process", "Ending a process that does not answer", end, every=_QUERY_SECONDS, once=True)


def _floats(reply: Reply) -> Vector:
    if isinstance(reply, Failed):
        raise EmbedderFailed(reply.reason)
    return np.frombuffer(reply.vectors, np.float32).copy()  # which the caller may write to, as with any other embedder


def _encodable(text: str) -> str:
    """`text` without lone surrogates, which no UTF-8 holds."""
    return text.encode("utf-8", "replace").decode()
