"""The box and the recogniser: files are read, and pictures, in processes that can open nothing."""

import importlib.util
import io
import os
from collections.abc import Callable
from typing import IO

from scrubjay.daemon.documents.extracted import Extracted, Kind, Reason, UnreadableFile, byte_limit, kind_of, unreadable
from scrubjay.daemon.documents.sandbox.door import BoxClosed, Door
from scrubjay.daemon.documents.sandbox.wire import Draw, Drawn, Extract, Read, Recognise
from scrubjay.daemon.processes.scheduler import Scheduler

__all__ = ["BOX_ARGUMENT", "RECOGNISER_ARGUMENT", "Box", "BoxClosed", "Recogniser", "can_recognise"]

BOX_ARGUMENT = "--box"  # a frozen build's entry point runs daemon.documents.sandbox.process.main() on this
RECOGNISER_ARGUMENT = "--recogniser"  # and that of recognising.py on this

_IDLE_SECONDS = 60.0
_PAGE_SECONDS = 180.0  # of processor time for one page; a full one takes five to ten
_RECOGNISER_IDLE_SECONDS = 120.0  # loading the models takes two seconds, keeping them half a gigabyte


class Box(Door):
    """Reads the text of files. Thread-safe, one file at a time.

    A file that takes its process longer than `note_seconds` of processor time is unreadable, and so is one over which
    it ends. What one file has done to the process could reach those after it, so each profile has a box of its own.
    is_strict: whether nothing is read where a measure is missing by which the process should be closed to the world;
    asked for each file.
    """

    def __init__(
        self,
        note_seconds: Callable[[], float],
        scheduler: Scheduler | None = None,
        *,
        idle_seconds: float = _IDLE_SECONDS,
        is_strict: Callable[[], bool] = lambda: False,
    ) -> None:
        module = "scrubjay.daemon.documents.sandbox.process"
        super().__init__(module, BOX_ARGUMENT, idle_seconds, scheduler, is_strict)
        self._note_seconds = note_seconds

    def extract(self, extension: str, data: bytes | IO[bytes], size: int | None = None) -> Extracted:
        """What is found in a file with this extension (see `extension_of`), or why nothing is.

        data: its bytes, or a file at its beginning with its size; that is never in this process as a whole. A picture
        has no text here, and one page for a `Recogniser`.
        Raises ValueError for an extension that nothing reads, BoxClosed, and OSError where the process can't be
        started or the file can't be read; nothing because of what is in the file.
        """
        kind = kind_of(f"file{extension}")
        if kind is None:
            raise ValueError(extension)
        stream, length = (io.BytesIO(data), len(data)) if isinstance(data, bytes) else (data, size or 0)
        if length > byte_limit(kind):
            return Extracted(kind, unreadable=unreadable(Reason.TOO_LARGE))
        if kind is Kind.IMAGE:
            return Extracted(kind, unreadable=unreadable(Reason.NO_TEXT), textless=(1,))
        reply = self.answer(stream, length, Extract(extension, self._note_seconds()), Read)
        return reply.extracted if isinstance(reply, Read) else Extracted(kind, unreadable=reply)

    def page_picture(self, data: bytes, page: int, width: int) -> bytes | UnreadableFile:
        """A page of a PDF, from 1, as a PNG so many pixels wide. Raises BoxClosed, and OSError as `extract` does."""
        if len(data) > byte_limit(Kind.PDF):
            return unreadable(Reason.TOO_LARGE)
        reply = self.answer(io.BytesIO(data), len(data), Draw(page, width, self._note_seconds()), Drawn)
        return reply.png if isinstance(reply, Drawn) else reply


def can_recognise() -> bool:
    """Whether what reads pictures is installed (the extra `ocr`)."""
    return importlib.util.find_spec("rapidocr") is not None


class Recogniser(Door):
    """Reads pictures, a page at a time, on half the cores. Thread-safe, one page at a time.

    English, Chinese and Japanese are read, other languages in Latin letters mostly. Each profile has one of its own.
    is_strict: as for `Box`.
    """

    def __init__(
        self,
        scheduler: Scheduler | None = None,
        *,
        idle_seconds: float = _RECOGNISER_IDLE_SECONDS,
        is_strict: Callable[[], bool] = lambda: False,
    ) -> None:
        module, threads = "scrubjay.daemon.documents.sandbox.recogniser", max(1, (os.cpu_count() or 1) // 2)
        super().__init__(module, RECOGNISER_ARGUMENT, idle_seconds, scheduler, is_strict, threads)

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
