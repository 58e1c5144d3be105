"""Running searches: a few at once in threads of their own, and an as-you-type search gives way to its successor."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeAlias, TypeVar

from litestar.di import NamedDependency

from daemon.api.services import Searching
from daemon.errors import ScrubjayError, Unavailable
from daemon.search.types import NoteExplanation, SearchRequest, SearchResponse

T = TypeVar("T")

_LONGEST_SECONDS = 20.0  # waiting for a thread and searching together


class Superseded(ScrubjayError):
    """A newer search of the same stream came in; nobody waits for this one any more."""

    code = "superseded"
    status = 409


class SearchTimeout(Unavailable):
    """No answer within the longest time."""

    code = "search-timeout"


class SearchLane:
    """All searches of the API go through here."""

    def __init__(self, searcher: Searching, at_once: Callable[[], int]) -> None:
        """at_once: how many searches may run now; asked before each."""
        self._searcher = searcher
        self._at_once = at_once
        self._threads = 0
        self._pool = ThreadPoolExecutor(1)  # starts no thread before its first task
        self._newest: dict[tuple[str, str], asyncio.Event] = {}

    async def run(self, request: SearchRequest, stream: tuple[str, str] | None = None) -> SearchResponse:
        """Search. `stream` (client, stream id) names a sequence in which only the newest search counts.

        Raises Superseded, SearchTimeout, and what the searcher raises.
        """
        mine = asyncio.Event()
        if stream is not None:
            if older := self._newest.get(stream):
                older.set()
            self._newest[stream] = mine
        try:
            return await self._first_of(partial(self._searcher.search, request), mine)
        finally:
            if stream is not None and self._newest.get(stream) is mine:
                del self._newest[stream]

    async def explain(self, request: SearchRequest, path: str, vault: str | None) -> NoteExplanation:
        """Why a note is, or is not, among the results. Raises SearchTimeout, and what the searcher raises."""
        return await self._first_of(partial(self._searcher.explain, request, path, vault=vault), asyncio.Event())

    async def _first_of(self, search: Callable[[], T], superseded: asyncio.Event) -> T:
        work = asyncio.get_running_loop().run_in_executor(self._pool_now(), search)
        newer = asyncio.create_task(superseded.wait())
        try:
            done, _ = await asyncio.wait({work, newer}, timeout=_LONGEST_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if work in done:
                return work.result()
            if newer in done:
                raise Superseded("A newer search of this stream has taken its place.")
            raise SearchTimeout("The search took too long. Try again in a moment, or with fewer words.")
        finally:
            newer.cancel()
            work.cancel()  # one that still waits for a thread never starts

    def _pool_now(self) -> ThreadPoolExecutor:
        """The threads. After a change of their number, those before finish what they were given and end."""
        at_once = self._at_once()
        if at_once != self._threads:
            self._pool.shutdown(wait=False)
            self._threads, self._pool = at_once, ThreadPoolExecutor(at_once, thread_name_prefix="search")
        return self._pool


InjectedLane: TypeAlias = NamedDependency[SearchLane]
