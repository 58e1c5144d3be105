"""The embedder used in place of a model that is not on this machine."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scrubjay.daemon.embedding.model import BUNDLED, ModelNotAvailable
from scrubjay.daemon.embedding.protocol import Awaited, EmbeddingModel
from scrubjay.profiles.database.rows import Vector, Vectors


class AbsentModel:
    """Embedder that embeds nothing and says why: searches go by words until the model is here.

    Notes are cut for the bundled model meanwhile. The fingerprint is one that no model has, so that no vector is ever
    stored or compared under it.
    """

    def __init__(self, name: str, why: str) -> None:
        """name: of the model that is missing. why: a sentence with what to do."""
        self._spec = replace(BUNDLED, fingerprint=f"absent {name.lower()}")
        self._why = why

    @property
    def spec(self) -> EmbeddingModel:
        """The bundled model's measures, under a fingerprint of its own."""
        return self._spec

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Raises ModelNotAvailable for any text."""
        if texts:
            raise ModelNotAvailable(self._why)
        return np.empty((0, self._spec.dim), np.float32)

    def embed_query(self, text: str) -> Vector:
        """Raises ModelNotAvailable."""
        del text
        raise ModelNotAvailable(self._why)

    def send_query(self, text: str) -> Awaited:
        """The function returned raises ModelNotAvailable."""
        return lambda _seconds: self.embed_query(text)

    def warm(self) -> None:
        """There is nothing to load."""

    def forget_texts(self) -> None:
        """There is nothing to forget."""

    def close(self) -> None:
        """There is nothing to release."""
