"""What the daemon and its worker processes say to each other: numbered frames over two pipes.

A frame is 4 bytes (length of the body, little-endian), 8 bytes (number of the request) and the body, which means
whatever the two ends agreed on. A reply has the number of its request; 0 is never replied to.
"""

import os
import struct
from typing import IO, NamedTuple

_HEAD = struct.Struct("<IQ")
LONGEST_BODY = 1 << 28  # bytes; a longer one is not a frame but something printed into the pipe


class NoFrame(ValueError):
    """What came is longer than any frame: the two ends do not understand each other any more."""


class Frame(NamedTuple):
    """A request or a reply."""

    number: int
    body: bytes


def write_frame(stream: IO[bytes], frame: Frame) -> None:
    """Write one frame and flush. Not atomic: one writer at a time. Raises OSError when the other end is gone."""
    stream.write(_HEAD.pack(len(frame.body), frame.number) + frame.body)
    stream.flush()


def write_head(stream: IO[bytes], number: int, length: int) -> None:
    """Begin a frame whose body the caller writes, of exactly `length` bytes."""
    stream.write(_HEAD.pack(length, number))


def read_frame(stream: IO[bytes], longest: int = LONGEST_BODY) -> Frame | None:
    """The next frame; None where the stream ends, be it within a frame.

    longest: bytes that a body may have. Of a longer one nothing is read, and NoFrame raised.
    """
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    length, number = _HEAD.unpack(head)
    if length > longest:
        raise NoFrame
    body = stream.read(length)
    return Frame(number, body) if len(body) == length else None


def take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """In a worker: the pipes from and to the daemon, moved away from where a library's print could reach them."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return os.fdopen(requests, "rb"), os.fdopen(replies, "wb")
