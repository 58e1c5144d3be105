"""What the daemon and its embedding worker say to each other, as the MessagePack bodies of frames.

The first frame is `ModelStart`, which has no reply; then requests go one way and replies the other.
"""

from typing import TypeAlias

import msgspec

from scrubjay.profiles.search.meaning.embedder import EmbeddingModel


class ModelStart(msgspec.Struct, tag=True, frozen=True):
    """Which model to run, and how many threads bulk work may use (0 = one a core)."""

    spec: EmbeddingModel
    threads: int


class EmbedQuery(msgspec.Struct, tag=True, frozen=True):
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


Request: TypeAlias = EmbedQuery | Passages
Reply: TypeAlias = Embedded | Failed

encode = msgspec.msgpack.Encoder(enc_hook=str).encode  # of the types here, Path alone needs the hook
start_of = msgspec.msgpack.Decoder(ModelStart, dec_hook=lambda kind, found: kind(found)).decode
request_of = msgspec.msgpack.Decoder(Request).decode
reply_of = msgspec.msgpack.Decoder(Reply).decode
