"""What the daemon and the box say to each other, as MessagePack in numbered frames.

`Start` is answered by `Ready`. Then a file comes, as the body of a frame with the number 0,
and a request about it.
"""

from typing import TypeAlias

import msgspec

from scrubjay.daemon.extracting.extracted import Extracted, Unreadable


class Extract(msgspec.Struct, tag=True, frozen=True):
    """Read the text. extension: see `kinds.extension_of`; seconds: of processor time."""

    extension: str
    seconds: float


class Draw(msgspec.Struct, tag=True, frozen=True):
    """Draw a page of a PDF, from 1, so many pixels wide."""

    page: int
    width: int
    seconds: float


class Recognise(msgspec.Struct, tag=True, frozen=True):
    """Read what stands on a page, from 1, that is a picture; of a PDF, or of a file that is one itself."""

    extension: str
    page: int
    seconds: float


class Start(msgspec.Struct, tag=True, frozen=True):
    """The first frame: how many threads the process may use."""

    threads: int


class Ready(msgspec.Struct, tag=True, frozen=True):
    """The first reply, to no file: the process is closed to the world, by these means."""

    measures: tuple[str, ...]


class Read(msgspec.Struct, tag=True, frozen=True):
    """The reply to Extract and Recognise. worn: the process grew large over it and had better be replaced."""

    extracted: Extracted
    worn: bool


class Drawn(msgspec.Struct, tag=True, frozen=True):
    """The reply to Draw: a PNG."""

    png: bytes


class Refused(msgspec.Struct, tag=True, frozen=True):
    """The reply to Draw where there is no picture."""

    unreadable: Unreadable


Request: TypeAlias = Extract | Draw | Recognise
Reply: TypeAlias = Ready | Read | Drawn | Refused

encode = msgspec.msgpack.Encoder().encode
request_of = msgspec.msgpack.Decoder(Request).decode
start_of = msgspec.msgpack.Decoder(Start).decode
reply_of = msgspec.msgpack.Decoder(Reply).decode
