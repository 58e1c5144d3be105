"""What embeds, whatever process the model lives in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from scrubjay.profiles.errors import Unavailable
from scrubjay.profiles.store.rows import Vector, Vectors


class EmbedderFailed(Unavailable):
    """The model can't be loaded or could not embed; one more try was made where that could help."""

    code = "embedder-failed"


Pooling: TypeAlias = Literal["mean", "first", "last", "none"]
"""From the vectors of a text's tokens to its own: their mean, that of its first or of its last token; "none" where the
model gives a text's vector itself."""


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """Which model, and how its input is prepared."""

    name: str
    dim: int
    max_tokens: int  # a longer text is cut there; counts [CLS] and [SEP]
    fingerprint: str  # vectors compare only where this is equal
    query_prefix: str = ""  # put before a query
    passage_prefix: str = ""  # put before a passage
    reads_unspaced: bool = True  # whether it was trained on scripts written without spaces, such as Chinese
    pooling: Pooling | None = None  # of a model that the user added; None: fastembed knows it
    path: Path | None = None  # folder with the ONNX file and the tokenizer's files; None for an embedder without files
    languages: tuple[str, ...] = ("en",)  # ISO 639-1: that a model reads that was not trained on many
    unread: tuple[str, ...] = ()  # those that it was tried on, and told no texts apart in
    is_usual: bool = False  # whether ranking was tuned with it: of others, what a similarity says is measured

    def reads(self, language: str) -> bool:
        """Whether it was trained on a language; "" where that is unknown.

        One that reads Chinese has learnt many, and of those that it was not tried on, all that can be hoped for.
        """
        return language not in self.unread and (self.reads_unspaced or language in ("", *self.languages))


Awaited: TypeAlias = Callable[[float], Vector]
"""Waits at most so many seconds for a vector. Raises TimeoutError, EmbedderFailed."""


class Embedder(Protocol):
    """Text in, vectors out: float32 and L2-normalised, so that a dot product is the cosine. Thread-safe."""

    @property
    def spec(self) -> EmbeddingModel:
        """The model that embeds."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Embed passages: shape (len(texts), dim), rows in the order of `texts`; (0, dim) for none.

        Made for bulk: it may take seconds, and queries overtake it. Raises EmbedderFailed.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Embed one query: shape (dim,). Raises EmbedderFailed."""
        ...

    def send_query(self, text: str) -> Awaited:
        """Begin to embed one query, in another process if there is one; the result waits for it. Never raises."""
        ...

    def warm(self) -> None:
        """Begin to load the model, so that the next query need not wait for that. Returns at once; never raises."""
        ...

    def forget_texts(self) -> None:
        """Let go of what it was given to embed. Pending work is done all the same."""
        ...

    def close(self) -> None:
        """Release memory and processes. Pending work fails with EmbedderFailed. May be called twice."""
        ...
