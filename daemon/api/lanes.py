"""Where handlers run: threads in three lanes, so that no request waits behind another kind of request.

`search` runs what compares a query with every note: a few at once, each with a longest time. `read` runs what reads or
changes some notes or profiles. `quick` runs what a person waits for at each keystroke or glance, and what needs no
store: it must answer while the other two are full.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeAlias, TypeVar

from scrubjay.daemon.errors import ScrubjayError, Unavailable

T = TypeVar("T")
Lane: TypeAlias = Literal["search", "read", "quick"]
Stream: TypeAlias = tuple[str, str]
"""A client's id, and its name for a sequence of requests of which only the newest counts."""

_READS_AT_ONCE = 16
_QUICK_AT_ONCE = 8
_LONGEST_SECONDS = 20.0  # waiting for a thread of the search lane and searching together


class Superseded(ScrubjayError):
    """A newer search of the same stream replaced this one."""

    code = "superseded"
    status = 409


class SearchTimeout(Unavailable):
    """No answer within the longest time."""

    code = "search-timeout"


class Lanes:
    """All handlers of one application run here, and none on its event loop."""

    def __init__(self, searches_at_once: Callable[[], int]) -> None:
        """searches_at_once: how many searches may run now; read before each."""
        self._searches_at_once = searches_at_once
        self._searches = 0
        self._pools = {  # none starts a thread before its first task
            "search": ThreadPoolExecutor(1),
            "read": ThreadPoolExecutor(_READS_AT_ONCE, thread_name_prefix="read"),
            "quick": ThreadPoolExecutor(_QUICK_AT_ONCE, thread_name_prefix="quick"),
        }
        self._newest: dict[Stream, asyncio.Event] = {}

    async def run(self, lane: Lane, work: Callable[[], T], stream: Stream | None = None) -> T:
        """What `work` returns, or raises. In a `stream`, a newer call ends the older, which raises Superseded at once.

        Raises SearchTimeout, in the search lane alone.
        """
        newer = asyncio.Event()
        if stream is not None:
            if older := self._newest.get(stream):
                older.set()
            self._newest[stream] = newer
        try:
            return await self._first_of(lane, work, newer)
        finally:
            if stream is not None and self._newest.get(stream) is newer:
                del self._newest[stream]

    async def _first_of(self, lane: Lane, work: Callable[[], T], superseded: asyncio.Event) -> T:
        working = asyncio.get_running_loop().run_in_executor(self._pool(lane), work)
        newer = asyncio.create_task(superseded.wait())
        seconds = _LONGEST_SECONDS if lane == "search" else None
        try:
            done, _ = await asyncio.wait({working, newer}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if working in done:
                return working.result()
            if newer in done:
                raise Superseded("A newer search of this stream has taken its place.")
            raise SearchTimeout("The search took too long. Try again in a moment, or with fewer words.")
        finally:
            newer.cancel()
            working.cancel()  # one that still waits for a thread never starts

    def _pool(self, lane: Lane) -> ThreadPoolExecutor:
        """The threads. After a change of their number, those before finish what they were given and end."""
        if lane == "search" and (at_once := self._searches_at_once()) != self._searches:
            self._pools["search"].shutdown(wait=False)
            self._searches = at_once
            self._pools["search"] = ThreadPoolExecutor(at_once, thread_name_prefix="search")
        return self._pools[lane]
