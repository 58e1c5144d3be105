"""What the daemon and its embedding worker say to each other: frames over two pipes.

A frame is 4 bytes (length of the rest, little-endian) and one MessagePack value. The first frame is `Start`; then
requests go one way and replies the other, in any order, matched by id.
"""

from pathlib import Path
from typing import IO, TypeAlias

import msgspec

from daemon.embedding.protocol import EmbeddingModel

_LENGTH_BYTES = 4
_LONGEST_FRAME = 1 << 28  # bytes; a longer one is not a frame but something printed into the pipe


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

    id: int
    text: str


class Passages(msgspec.Struct, tag=True, frozen=True):
    """Embed passages."""

    id: int
    texts: list[str]


class Embedded(msgspec.Struct, tag=True, frozen=True):
    """The vectors of a request: float32, native byte order, row after row."""

    id: int
    vectors: bytes


class Failed(msgspec.Struct, tag=True, frozen=True):
    """The request could not be answered; the reason holds no note text."""

    id: int
    reason: str


Request: TypeAlias = Query | Passages
Reply: TypeAlias = Embedded | Failed
Frame: TypeAlias = Start | Query | Passages | Embedded | Failed

start_of = msgspec.msgpack.Decoder(Start).decode
request_of = msgspec.msgpack.Decoder(Request).decode
reply_of = msgspec.msgpack.Decoder(Reply).decode


def write_frame(stream: IO[bytes], frame: Frame) -> None:
    """Write one frame and flush. Not atomic: one writer at a time. Raises OSError when the other end is gone."""
    body = msgspec.msgpack.encode(frame)
    stream.write(len(body).to_bytes(_LENGTH_BYTES, "little") + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame's MessagePack value; None where the stream ends, be it within a frame, or holds no frame."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "little")
    if length > _LONGEST_FRAME:
        return None
    body = stream.read(length)
    return body if len(body) == length else None
