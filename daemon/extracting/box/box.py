"""The box: files are read in a process that can open nothing."""

import io
from collections.abc import Callable
from typing import IO

from scrubjay.daemon.extracting.box.door import BoxClosed, Door
from scrubjay.daemon.extracting.box.wire import Draw, Drawn, Extract, Read
from scrubjay.daemon.extracting.extracted import Extracted, Kind, Reason, Unreadable, unreadable
from scrubjay.daemon.extracting.kinds import byte_limit, kind_of
from scrubjay.daemon.workers.loops import Conditions

__all__ = ["BOX_ARGUMENT", "Box", "BoxClosed"]

BOX_ARGUMENT = "--box"  # a frozen build's entry point runs daemon.extracting.box.process.main() on this

_IDLE_SECONDS = 60.0


class Box(Door):
    """Reads the text of files. Thread-safe, one file at a time.

    A file that takes its process longer than `note_seconds` of processor time is unreadable, and so is one over which
    it ends. What one file has done to the process could reach those after it, so each profile has a box of its own.
    """

    def __init__(
        self,
        note_seconds: Callable[[], float],
        conditions: Conditions | None = None,
        *,
        idle_seconds: float = _IDLE_SECONDS,
    ) -> None:
        module = "scrubjay.daemon.extracting.box.process"
        super().__init__(module, BOX_ARGUMENT, idle_seconds=idle_seconds, conditions=conditions)
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

    def page_picture(self, data: bytes, page: int, width: int) -> bytes | Unreadable:
        """A page of a PDF, from 1, as a PNG so many pixels wide. Raises BoxClosed, and OSError as `extract` does."""
        if len(data) > byte_limit(Kind.PDF):
            return unreadable(Reason.TOO_LARGE)
        reply = self.answer(io.BytesIO(data), len(data), Draw(page, width, self._note_seconds()), Drawn)
        return reply.png if isinstance(reply, Drawn) else reply
