"""Embedders in processes of their own, one a model, that share their settings."""

import threading
from weakref import WeakSet

from daemon.embedding.client import WorkerEmbedder
from daemon.embedding.protocol import EmbeddingModel


class Workers:
    """Makes the daemon's embedders, and changes how many threads all of them use and when they rest. Thread-safe.

    Each is its caller's to close; one that was closed is forgotten here.
    """

    def __init__(self, *, threads: int, idle_seconds: float) -> None:
        """See WorkerEmbedder."""
        self._threads = threads
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()  # guards all fields
        self._made: WeakSet[WorkerEmbedder] = WeakSet()

    def embedder(self, spec: EmbeddingModel) -> WorkerEmbedder:
        """What embeds with a model, in a process that starts with the first request."""
        with self._lock:
            made = WorkerEmbedder(spec, threads=self._threads, idle_seconds=self._idle_seconds)
            self._made.add(made)
            return made

    def use_threads(self, threads: int) -> None:
        """Embed passages with so many threads from now on, whatever the model."""
        with self._lock:
            self._threads = threads
            made = list(self._made)
        for embedder in made:
            embedder.use_threads(threads)

    def rest_after(self, seconds: float) -> None:
        """End each process after so long without a request, from now on."""
        with self._lock:
            self._idle_seconds = seconds
            made = list(self._made)
        for embedder in made:
            embedder.rest_after(seconds)
