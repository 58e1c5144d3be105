"""A reply that is sent part by part, as server-sent events (WHATWG HTML, 9.2), while a thread still works at it."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from scrubjay.daemon.server.access.problems import Problem
from scrubjay.daemon.server.endpoint import Reply

_STREAM_HEARTBEAT_SECONDS = 10.0  # how long nothing is sent at most
_STATUS_SECONDS = 1.0  # how long an error may take to be told by the status of the reply


class Listener:
    """Who waits for a reply, and takes it as a whole."""

    def __init__(self) -> None:
        self.gone = threading.Event()  # nobody waits any more

    def tell(self, part: Reply) -> None:
        """Send a part of the reply, from any thread, to who has it sent as it comes."""


class StreamListener(Listener):
    """Takes parts from a thread and gives them to the event loop that it was made on."""

    def __init__(self, problem_of: Callable[[Exception], Problem]) -> None:
        """problem_of: how an error is told to who listens."""
        super().__init__()
        self._problem_of = problem_of
        self._loop = asyncio.get_running_loop()
        self._parts: asyncio.Queue[Reply] = asyncio.Queue()

    def tell(self, part: Reply) -> None:
        """Send a part."""
        with contextlib.suppress(RuntimeError):  # that loop has ended
            self._loop.call_soon_threadsafe(self._parts.put_nowait, part)

    async def begin(self, work: Awaitable[Reply]) -> AsyncIterator[bytes]:
        """The events: `part` for each, then `reply`, or `problem` for an error that comes late.

        An error that comes before anything else is raised, so that the status can tell it.
        """
        working = asyncio.ensure_future(work)
        first = asyncio.ensure_future(self._parts.get())
        try:
            await asyncio.wait({working, first}, timeout=_STATUS_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if working.done() and not first.done() and self._parts.empty():
                working.result()
        except BaseException:
            self._end(working, first)
            raise
        return self._events(working, first)

    async def _events(self, working: asyncio.Future[Reply], part: asyncio.Future[Reply]) -> AsyncIterator[bytes]:
        try:
            yield b": welcome\n\n"
            while True:
                await asyncio.wait(
                    {working, part}, timeout=_STREAM_HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if part.done():
                    yield _event(b"part", part.result())
                    part = asyncio.ensure_future(self._parts.get())
                elif working.done() and self._parts.empty():
                    yield self._last_event(working)
                    return
                elif not working.done():
                    yield b": still here\n\n"
        finally:
            self._end(working, part)

    def _last_event(self, working: asyncio.Future[Reply]) -> bytes:
        error = working.exception()
        if isinstance(error, Exception):
            return _event(b"problem", self._problem_of(error))
        return _event(b"reply", working.result())

    def _end(self, working: asyncio.Future[Reply], part: asyncio.Future[Reply]) -> None:
        self.gone.set()
        working.cancel()
        part.cancel()


def _event(kind: bytes, data: msgspec.Struct) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind, msgspec.json.encode(data))
