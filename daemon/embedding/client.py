"""The daemon's embedder: a child process holds the model, so its memory, crashes and priority are its own."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for

import numpy as np

from daemon.embedding.child import Child, WorkerDied
from daemon.embedding.protocol import Awaited, EmbedderFailed, EmbeddingModel
from daemon.embedding.wire import Passages, Query, Request
from profiles.rows import Vector, Vectors

_TRIES = 2
_QUERY_SECONDS = 30.0  # with the model's loading; a worker that takes longer is stuck
_PASSAGES_SECONDS = 600.0
_REST_SECONDS = 30.0  # after a failed restart, requests fail at once for so long instead of starting processes

_log = logging.getLogger(__name__)


class WorkerEmbedder:
    """Embedder whose model runs in a child process.

    The process starts with the first request, ends after `idle_seconds` without one, and is started again by the next.
    If it dies, the requests under way are asked once more of a new one; then they raise EmbedderFailed. Queries
    overtake passages. `threads` is for passages alone: 1 is polite, 0 takes every core (at low priority).
    """

    def __init__(self, spec: EmbeddingModel, *, threads: int = 0, idle_seconds: float = 600.0) -> None:
        self._spec = spec
        self._threads = threads
        self._idle_seconds = idle_seconds
        self._changed = threading.Condition()  # guards all below
        self._child: Child | None = None
        self._last_use = 0.0
        self._rest_until = 0.0
        self._closed = False

    @property
    def spec(self) -> EmbeddingModel:
        """The model that embeds."""
        return self._spec

    @property
    def worker_pid(self) -> int | None:
        """The process that holds the model now, if any: for `status` and for measuring."""
        child = self._child
        return child.pid if child and child.alive else None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """See Embedder."""
        if not texts:
            return np.empty((0, self._spec.dim), np.float32)
        clean = [_encodable(text) for text in texts]
        data = self._ask(lambda request_id: Passages(request_id, clean), _PASSAGES_SECONDS)
        return _floats(data).reshape(len(texts), self._spec.dim)

    def embed_query(self, text: str) -> Vector:
        """See Embedder."""
        clean = _encodable(text)
        return _floats(self._ask(lambda request_id: Query(request_id, clean), _QUERY_SECONDS))

    def send_query(self, text: str) -> Awaited:
        """See Embedder. Sent by this very thread: handing it to another would cost more than the model takes."""
        clean = _encodable(text)
        try:
            child = self._running()
            answer = child.ask(lambda request_id: Query(request_id, clean))
        except (WorkerDied, EmbedderFailed):
            return lambda _seconds: self.embed_query(text)  # which tries again, or says what is wrong

        def wait(seconds: float) -> Vector:
            try:
                return _floats(answer.result(seconds))
            except WorkerDied:
                return self.embed_query(text)
            except TimeoutError:
                threading.Thread(target=_close_if_stuck, args=(child, answer), name="stuck", daemon=True).start()
                raise

        return wait

    def warm(self) -> None:
        """See Embedder."""
        with contextlib.suppress(EmbedderFailed, WorkerDied):  # whoever embeds next is told
            was_running = self.worker_pid is not None
            child = self._running()
            if not was_running:
                child.ask(lambda request_id: Query(request_id, "warm"))

    def use_threads(self, threads: int) -> None:
        """Embed passages with so many threads from now on. What is under way is asked of a new process."""
        with self._changed:
            if threads == self._threads:
                return
            self._threads = threads
            child, self._child = self._child, None
            self._changed.notify_all()
        if child:
            child.close()

    def rest_after(self, seconds: float) -> None:
        """End the process after so long without a request, from now on."""
        with self._changed:
            self._idle_seconds = seconds
            self._changed.notify_all()

    def close(self) -> None:
        """See Embedder."""
        with self._changed:
            child, self._child, self._closed = self._child, None, True
            self._changed.notify_all()
        if child:
            child.close()

    def _ask(self, request: Callable[[int], Request], seconds: float) -> bytes:
        for _ in range(_TRIES):
            child = self._running()
            try:
                return child.ask(request).result(seconds)
            except WorkerDied:
                if self._closed:
                    raise EmbedderFailed("The embedder was closed while it worked.") from None
                _log.warning("the embedding worker died")
            except TimeoutError:
                child.close()
                raise EmbedderFailed(f"The embedding model did not answer within {seconds:.0f} seconds.") from None
        with self._changed:
            self._rest_until = time.monotonic() + _REST_SECONDS
        raise EmbedderFailed(
            f"The process of the embedding model {self._spec.name} died twice over the same request. "
            "If it happens again, memory may be short: close other programs, or set embedding_threads to 1."
        )

    def _running(self) -> Child:
        """The live child, started if need be."""
        with self._changed:
            if self._closed:
                raise EmbedderFailed("The embedder is closed.")
            self._last_use = time.monotonic()
            if self._child and self._child.alive:
                return self._child
            if self._child:
                self._child.close()
                self._child = None
                self._changed.notify_all()
            if self._last_use < self._rest_until:
                raise EmbedderFailed(f"The embedding model {self._spec.name} just failed; it is tried again soon.")
            self._child = self._started()
            return self._child

    def _started(self) -> Child:
        try:
            child = Child(self._spec, self._threads)
        except OSError as error:
            raise EmbedderFailed(f"The embedding model's process can't be started: {error.strerror}.") from error
        threading.Thread(target=self._put_away_when_idle, args=(child,), name="embedding-idle", daemon=True).start()
        return child

    def _put_away_when_idle(self, child: Child) -> None:
        with self._changed:
            while self._child is child:
                quiet_until = (time.monotonic() if child.busy else self._last_use) + self._idle_seconds
                if quiet_until <= time.monotonic():
                    self._child = None
                    break
                self._changed.wait(quiet_until - time.monotonic())
            else:
                return  # closed, or another child has taken its place
        child.close()
        _log.info("the embedding model is put away")


def _close_if_stuck(child: Child, answer: "Future[bytes]") -> None:
    """End a process that does not answer in all the time that a model may take to load."""
    done, _ = wait_for([answer], _QUERY_SECONDS)
    if not done:
        child.close()


def _floats(data: bytes) -> Vector:
    return np.frombuffer(data, np.float32).copy()  # which the caller may write to, as with any other embedder


def _encodable(text: str) -> str:
    """`text` without lone surrogates, which no UTF-8 holds."""
    return text.encode("utf-8", "replace").decode()
