"""Text in pictures: scans, photographs and pages of PDFs without text, read in a process that can open nothing."""

import importlib.util
import io
import os
from typing import IO

from scrubjay.daemon.extracting.box.door import Door
from scrubjay.daemon.extracting.box.wire import Read, Recognise
from scrubjay.daemon.extracting.extracted import Extracted, Kind, Reason, unreadable
from scrubjay.daemon.extracting.kinds import byte_limit, kind_of
from scrubjay.daemon.workers.loops import Conditions

RECOGNISER_ARGUMENT = "--recogniser"  # on this a frozen build's entry point runs the main() of recognising.py

_PAGE_SECONDS = 180.0  # of processor time for one page; a full one takes five to ten
_IDLE_SECONDS = 120.0  # loading the models takes two seconds, keeping them half a gigabyte


def can_recognise() -> bool:
    """Whether what reads pictures is installed (the extra `ocr`)."""
    return importlib.util.find_spec("rapidocr") is not None


class Recogniser(Door):
    """Reads pictures, a page at a time, on half the cores. Thread-safe, one page at a time.

    English, Chinese and Japanese are read, other languages in Latin letters mostly. Each profile has one of its own.
    """

    def __init__(self, conditions: Conditions | None = None, *, idle_seconds: float = _IDLE_SECONDS) -> None:
        super().__init__(
            "scrubjay.daemon.extracting.box.recognising",
            RECOGNISER_ARGUMENT,
            idle_seconds=idle_seconds,
            conditions=conditions,
            threads=max(1, (os.cpu_count() or 1) // 2),
        )

    def recognise(self, extension: str, data: bytes | IO[bytes], size: int | None = None, page: int = 1) -> Extracted:
        """What is written on a page, from 1, of a PDF or of a file that is a picture; its place is the page's number.

        data, size: as for `Box.extract`. Unreadable are a page without words (no-text), and all where nothing that
        recognises is installed (no-ocr). Raises as `Box.extract` does.
        """
        kind = kind_of(f"file{extension}")
        if kind is not Kind.PDF and kind is not Kind.IMAGE:
            raise ValueError(extension)
        stream, length = (io.BytesIO(data), len(data)) if isinstance(data, bytes) else (data, size or 0)
        if not can_recognise():
            return Extracted(kind, unreadable=unreadable(Reason.NO_OCR))
        if length > byte_limit(kind):
            return Extracted(kind, unreadable=unreadable(Reason.TOO_LARGE))
        reply = self.answer(stream, length, Recognise(extension, page, _PAGE_SECONDS), Read)
        return reply.extracted if isinstance(reply, Read) else Extracted(kind, unreadable=reply)
