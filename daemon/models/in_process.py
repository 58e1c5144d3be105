"""The model in this very process: for one-shot commands, for tests, and inside the worker.

The first text imports fastembed: half a second and 60 MB. The daemon uses `worker_embedder` instead.
"""

import contextlib
import os
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from scrubjay.daemon.processes.priority import lower_priority
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbedderFailed, EmbeddingModel
from scrubjay.profiles.store.rows import Vector, Vectors

if TYPE_CHECKING:
    from scrubjay.daemon.models.onnx_model import TextModel

_TINY = np.finfo(np.float32).tiny  # keeps a vector of zeros from a division by zero


class InProcessEmbedder:
    """Embedder that loads the model into this process when it is first needed.

    Every text runs alone, on one thread: a query on its caller's, passages on `threads` of lower priority (0 = one a
    core), all through one session. For chunks of notes (100 to 256 tokens) that is as fast as any batch; nothing is
    padded; and a text's vector does not depend on its company, as it would in a batch, whose activations are
    quantised with one common scale.
    """

    def __init__(self, spec: EmbeddingModel, threads: int = 0) -> None:
        self._spec = spec
        self._threads = threads or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._model: TextModel | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._closed = False

    @property
    def spec(self) -> EmbeddingModel:
        """The model that embeds."""
        return self._spec

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """See Embedder."""
        vectors = np.empty((len(texts), self._spec.dim), np.float32)
        prefix = self._spec.passage_prefix
        try:
            for row, vector in zip(vectors, self._bulk().map(self._embed, map(prefix.__add__, texts)), strict=True):
                row[:] = vector
        except (CancelledError, RuntimeError):  # RuntimeError: the pool takes no more work
            raise EmbedderFailed("The embedder was closed while it worked.") from None
        return vectors

    def embed_query(self, text: str) -> Vector:
        """See Embedder."""
        return self._embed(self._spec.query_prefix + text)

    def send_query(self, text: str) -> Awaited:
        """Embeds when, and in the thread in which, the vector is waited for."""
        return lambda _seconds: self.embed_query(text)

    def warm(self) -> None:
        """See Embedder."""
        if self._model is None:
            threading.Thread(target=self._warm, name="warm", daemon=True).start()

    def forget_texts(self) -> None:
        """See Embedder: nothing is kept beyond a call."""

    def close(self) -> None:
        """See Embedder."""
        with self._lock:
            pool, self._pool, self._model, self._closed = self._pool, None, None, True
        if pool:
            pool.shutdown(cancel_futures=True)

    def _warm(self) -> None:
        with contextlib.suppress(EmbedderFailed):  # the next call that embeds raises it
            self.embed_query("warm")

    def _embed(self, text: str) -> Vector:
        model = self._loaded()
        # A lone surrogate (a broken file name, a half emoji from a text field) can't be encoded as UTF-8.
        clean = text.encode("utf-8", "replace").decode()
        try:
            (found,) = model.embed(clean)
        except Exception as error:  # noqa: BLE001  # onnxruntime's errors share no other base
            # Without its cause: an error's message may hold text of a note.
            raise EmbedderFailed(
                f"The embedding model {self._spec.name} could not embed a text ({type(error).__name__})."
            ) from None
        vector = np.asarray(found, np.float32)
        return (vector / max(np.linalg.norm(vector), _TINY)).astype(np.float32, copy=False)

    def _loaded(self) -> "TextModel":
        from scrubjay.daemon.models.onnx_model import load_text_embedding  # noqa: PLC0415  # what never embeds goes without

        with self._lock:
            if self._closed:
                raise EmbedderFailed("The embedder is closed.")
            if self._model is None:
                self._model = load_text_embedding(self._spec)
            return self._model

    def _bulk(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._closed:
                raise EmbedderFailed("The embedder is closed.")
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, "embed-passages", initializer=lower_priority)
            return self._pool
