"""The process in the box: reads files and requests from stdin, writes what it found to stdout.

It ends when its stdin does. Whatever it needs is loaded before the first file is looked at: from then on it can open
nothing.
"""

import signal
import sys
from collections.abc import Callable

from scrubjay.daemon.documents.extracted import CannotRead, Reason, unreadable
from scrubjay.daemon.documents.sandbox.confinement import confine
from scrubjay.daemon.documents.sandbox.wire import (
    BoxReady,
    BoxRefusal,
    Draw,
    Drawn,
    Extract,
    Read,
    Recognise,
    Reply,
    Request,
    encode,
    request_of,
    start_of,
)
from scrubjay.daemon.processes.frames import Frame, read_frame, take_pipes, write_frame
from scrubjay.daemon.processes.priority import limit_processor, lower_priority

_MEMORY_BYTES = 400_000_000
_WORN_BYTES = 250_000_000  # a process that used so much gives little of it back
_READING_SHARE = 0.8  # of the time; what is left is for the last part and the reply

Answer = Callable[[Request, bytes], Reply]


def main() -> None:
    """Serve until stdin ends: text of files, and pictures of their pages."""
    serve(_reader, _MEMORY_BYTES)


def serve(load: Callable[[int], Answer], memory_bytes: int) -> None:
    """Load what answers, for so many threads; close this process to the world; answer until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the daemon, which then closes stdin
    requests, replies = take_pipes()  # before a library is loaded, which may print
    first = read_frame(requests)
    if first is None:
        return
    lower_priority()  # before threads start, which inherit it
    answer = load(start_of(first.body).threads)
    write_frame(replies, Frame(first.number, encode(BoxReady(confine(memory_bytes)))))
    data = b""
    while (frame := read_frame(requests)) is not None:
        if not frame.number:
            data = frame.body
            continue
        request = request_of(frame.body)
        limit_processor(request.seconds)
        write_frame(replies, Frame(frame.number, encode(_answered(answer, request, data))))
        data = b""  # not kept until the next file comes


def _answered(answer: Answer, request: Request, data: bytes) -> Reply:
    try:
        return answer(request, data)
    except CannotRead as error:
        return BoxRefusal(unreadable(error.reason))
    except MemoryError:
        return BoxRefusal(unreadable(Reason.TOO_MUCH_MEMORY))


def _reader(_: int) -> Answer:
    from scrubjay.daemon.documents.extract import extract  # noqa: PLC0415  (with all parsers)
    from scrubjay.daemon.documents.formats.pdf import page_picture  # noqa: PLC0415  (with all parsers)

    inherited = _peak_bytes()  # Linux hands the peak of the process that started this one on to it

    def answer(request: Request, data: bytes) -> Reply:
        match request:
            case Extract(extension, seconds):
                extracted = extract(extension, data, seconds * _READING_SHARE)
                return Read(extracted, _peak_bytes() > max(_WORN_BYTES, inherited))
            case Draw(page, width):
                return Drawn(page_picture(data, page, width))
            case Recognise():
                raise CannotRead(Reason.NO_OCR)  # which is another process's

    return answer


def _peak_bytes() -> int:
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415 - POSIX has it

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    main()
