"""What the daemon and its embedding worker say to each other, as the MessagePack bodies of frames.

The first frame is `Start`, which has no reply; then requests go one way and replies the other.
"""

from pathlib import Path
from typing import TypeAlias

import msgspec

from daemon.embedding.protocol import EmbeddingModel


class Start(msgspec.Struct, tag=True, frozen=True):
    """Which model to run, and how many threads bulk work may use (0 = one a core)."""

    name: str
    dim: int
    max_tokens: int
    fingerprint: str
    query_prefix: str
    passage_prefix: str
    reads_unspaced: bool
    path: str
    threads: int

    @classmethod
    def of(cls, spec: EmbeddingModel, threads: int) -> "Start":
        """The frame for a model that lies in files."""
        return cls(
            name=spec.name,
            dim=spec.dim,
            max_tokens=spec.max_tokens,
            fingerprint=spec.fingerprint,
            query_prefix=spec.query_prefix,
            passage_prefix=spec.passage_prefix,
            reads_unspaced=spec.reads_unspaced,
            path=str(spec.path or ""),
            threads=threads,
        )

    def spec(self) -> EmbeddingModel:
        """The model again, at the other end."""
        return EmbeddingModel(
            name=self.name,
            dim=self.dim,
            max_tokens=self.max_tokens,
            fingerprint=self.fingerprint,
            query_prefix=self.query_prefix,
            passage_prefix=self.passage_prefix,
            reads_unspaced=self.reads_unspaced,
            path=Path(self.path) if self.path else None,
        )


class Query(msgspec.Struct, tag=True, frozen=True):
    """Embed one query, ahead of all passages."""

    text: str


class Passages(msgspec.Struct, tag=True, frozen=True):
    """Embed passages."""

    texts: list[str]


class Embedded(msgspec.Struct, tag=True, frozen=True):
    """The vectors of a request: float32, native byte order, row after row."""

    vectors: bytes


class Failed(msgspec.Struct, tag=True, frozen=True):
    """The request could not be answered; the reason holds no note text."""

    reason: str


Request: TypeAlias = Query | Passages
Reply: TypeAlias = Embedded | Failed

encode = msgspec.msgpack.encode
start_of = msgspec.msgpack.Decoder(Start).decode
request_of = msgspec.msgpack.Decoder(Request).decode
reply_of = msgspec.msgpack.Decoder(Reply).decode
