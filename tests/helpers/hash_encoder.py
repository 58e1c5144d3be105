"""An Embedder without a model, for tests about everything else."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b

import numpy as np

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbeddingModel
from scrubjay.profiles.store.rows import Vector, Vectors

_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")  # an ideograph is a word


class HashEncoder:
    """Embedder for tests: a text's vector is the normalised sum of its words' own random directions.

    Same text, same vector: in any order, any process, any machine. The more words two texts share, the nearer they are;
    texts without a common word are nearly orthogonal. It shares the bundled model's tokenizer and window.
    """

    def __init__(self, dim: int = 384) -> None:
        self._spec = replace(BUNDLED, name="hash-encoder", dim=dim, fingerprint=f"hash-encoder-{dim}")

    @property
    def spec(self) -> EmbeddingModel:
        return self._spec

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self._spec.dim), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[:] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str) -> Vector:
        words = _WORDS.findall(text.casefold()) or [""]
        total = np.sum([_direction(word, self._spec.dim) for word in words], axis=0)
        return (total / np.linalg.norm(total)).astype(np.float32)

    def send_query(self, text: str) -> Awaited:
        return lambda _seconds: self.embed_query(text)

    def warm(self) -> None:
        pass

    def forget_texts(self) -> None:
        """See Embedder: nothing is kept."""

    def close(self) -> None:
        pass


@cache
def _direction(word: str, dim: int) -> Vector:
    seed = int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(dim).astype(np.float32)
