"""The process that runs the model for the daemon: reads requests from stdin, writes vectors to stdout.

It ends when its stdin does, whatever it is doing: so it never outlives a daemon that was killed.
"""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import IO

from scrubjay.daemon.models.model_messages import Embedded, EmbedQuery, Failed, Request, encode, request_of, start_of
from scrubjay.daemon.processes.frames import Frame, read_frame, take_pipes, write_frame
from scrubjay.profiles.search.meaning.embedder import Embedder, EmbedderFailed
from scrubjay.profiles.store.rows import Vectors

# Requests for passages that are cut into batches at once: with two, the cores stay busy while one request ends.
_BULK_REQUESTS = 2
_SHORT_QUERY = 200
"""Characters, which take eight milliseconds at most; the longest query takes 35, and who asks for little can't wait."""


def main() -> None:
    """Serve until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the daemon, which then closes stdin
    requests, replies = take_pipes()
    # Only now, when stdout is safe: whatever a library prints while it is imported would garble the replies.
    from scrubjay.daemon.models.in_process import InProcessEmbedder  # noqa: PLC0415

    frame = read_frame(requests)
    if frame is not None:
        start = start_of(frame.body)
        service = _Service(InProcessEmbedder(start.spec, start.threads), replies)
        while (frame := read_frame(requests)) is not None:
            service.take(frame.number, request_of(frame.body))
    os._exit(0)  # at once: threads within the model would hold up an orderly end


class _Service:
    """Short queries in the thread that reads, since they take a moment; all else in others, and so they overtake it."""

    def __init__(self, embedder: Embedder, replies: IO[bytes]) -> None:
        self._embedder = embedder
        self._replies = replies
        self._writing = threading.Lock()
        self._bulk = ThreadPoolExecutor(_BULK_REQUESTS, "passages")
        self._long = ThreadPoolExecutor(1, "long-queries")

    def take(self, number: int, request: Request) -> None:
        if not isinstance(request, EmbedQuery):
            self._bulk.submit(self._answer, number, lambda: self._embedder.embed_passages(request.texts))
        elif len(request.text) > _SHORT_QUERY:
            self._long.submit(self._answer, number, lambda: self._embedder.embed_query(request.text))
        else:
            self._answer(number, lambda: self._embedder.embed_query(request.text))

    def _answer(self, number: int, embed: Callable[[], Vectors]) -> None:
        try:
            reply = Embedded(embed().tobytes())
        except EmbedderFailed as error:
            reply = Failed(str(error))
        except Exception as error:  # noqa: BLE001  # its message may hold note text
            reply = Failed(f"The embedding model failed ({type(error).__name__}).")
        with self._writing:
            write_frame(self._replies, Frame(number, encode(reply)))


if __name__ == "__main__":
    main()
