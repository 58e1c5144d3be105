"""What the daemon and the box say to each other, as MessagePack in numbered frames.

`BoxStart` is answered by `BoxReady`. Then a file comes, as the body of a frame with the number 0,
and a request about it.

Whoever wrote a file may speak for the process that read it. So the daemon takes from a reply what may be in one, and
nothing else: no more of it than the box keeps, cleaned as the box cleans it, and about what was asked.
"""

import struct
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from scrubjay.daemon.documents.clean_text import clean, clean_name
from scrubjay.daemon.documents.extracted import (
    METADATA,
    MOST_CHARACTERS,
    Extracted,
    Kind,
    UnreadableFile,
    kind_of,
    unreadable,
)
from scrubjay.daemon.documents.sandbox.confinement import Measure

LONGEST_REPLY = 1 << 26  # bytes: all characters that are kept of a file, at four each, with all its parts and links
_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_SIZES = struct.Struct(">II")  # width and height, which follow
_TALLEST = 100_000  # pixels of a page that is drawn


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


class BoxStart(msgspec.Struct, tag=True, frozen=True):
    """The first frame: how many threads the process may use."""

    threads: int


class BoxReady(msgspec.Struct, tag=True, frozen=True):
    """The first reply, to no file: the process is closed to the world, by these means."""

    measures: tuple[Measure, ...]


class Read(msgspec.Struct, tag=True, frozen=True):
    """The reply to Extract and Recognise. worn: the process grew large over it and had better be replaced."""

    extracted: Extracted
    worn: bool


class Drawn(msgspec.Struct, tag=True, frozen=True):
    """The reply to Draw: a PNG."""

    png: bytes


class BoxRefusal(msgspec.Struct, tag=True, frozen=True):
    """The reply to any request for which there is nothing."""

    unreadable: UnreadableFile


Request: TypeAlias = Extract | Draw | Recognise
Reply: TypeAlias = BoxReady | Read | Drawn | BoxRefusal

encode = msgspec.msgpack.Encoder().encode
request_of = msgspec.msgpack.Decoder(Request).decode
start_of = msgspec.msgpack.Decoder(BoxStart).decode
_decode: Callable[[bytes], Reply] = msgspec.msgpack.Decoder(Reply).decode


def reply_of(body: bytes) -> Reply:
    """A reply that a box may give. Raises ValueError (msgspec's errors are) for any other."""
    reply = _decode(body)
    if isinstance(reply, Read):
        _check(reply.extracted)
    elif isinstance(reply, BoxRefusal):
        _check_words(reply.unreadable)
    return reply


def is_answer(request: Request, reply: Reply) -> bool:
    """Whether a reply is about what was asked."""
    match request, reply:
        case _, BoxRefusal():
            return True
        case Draw(width=width), Drawn(png):
            return _is_picture(png, width)
        case ((Extract(extension=extension) | Recognise(extension=extension)), Read(extracted)):
            return extracted.kind is kind_of(f"file{extension}")
        case _:
            return False


def _check(found: Extracted) -> None:
    names = (found.title, *found.links, *(name for part in found.parts for name in (part.place, part.label)))
    if any(name != clean_name(name) for name in names):
        raise ValueError("a name")
    if sum(len(part.text) for part in found.parts) > MOST_CHARACTERS:
        raise ValueError("too much text")
    if any(part.text != clean(part.text) for part in found.parts):
        raise ValueError("a text")
    if found.kind is Kind.PDF and not all(_is_page(part.place) or part.place == METADATA for part in found.parts):
        raise ValueError("a page")
    if found.unreadable is not None:
        _check_words(found.unreadable)


def _check_words(why: UnreadableFile) -> None:
    if why != unreadable(why.reason):
        raise ValueError("words of its own")


def _is_page(place: str) -> bool:
    return place.isascii() and place.isdigit() and place[0] != "0" and len(place) < 8


def _is_picture(png: bytes, width: int) -> bool:
    """Whether it is a PNG so wide, and not too high for whoever shows it."""
    if not png.startswith(_PNG) or len(png) < len(_PNG) + _SIZES.size:
        return False
    wide, high = _SIZES.unpack_from(png, len(_PNG))
    return wide == width and 1 <= high <= _TALLEST
