"""Searches wait their turn, and as-you-type searches give way to newer ones."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from daemon.api.lane import SearchLane, Superseded
from daemon.errors import UsageError
from daemon.search.types import NoteExplanation, SearchRequest, SearchResponse


class HeldSearcher:
    """Answers when it is let to, and counts."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.lock = threading.Lock()
        self.running = 0
        self.most = 0
        self.begun: list[str] = []

    def search(self, request: SearchRequest) -> SearchResponse:
        with self.lock:
            self.begun.append(request.query)
            self.running += 1
            self.most = max(self.most, self.running)
        self.go.wait(10)
        with self.lock:
            self.running -= 1
        if request.query == "fails":
            raise UsageError("The query can't be understood.")
        return SearchResponse((), "low", took_ms=len(request.query), pending_embeddings=0)

    def explain(self, request: SearchRequest, path: str, *, vault: str | None = None) -> NoteExplanation:
        self.search(request)
        return NoteExplanation("not-found", f"{vault}: {path}", "")


def run(searcher: HeldSearcher, at_once: int, scenario: Callable[[SearchLane], Awaitable[None]]) -> None:
    async def main() -> None:
        await scenario(SearchLane(searcher, lambda: at_once))

    try:
        asyncio.run(main())
    finally:
        searcher.go.set()


async def begun(searcher: HeldSearcher, count: int) -> None:
    while len(searcher.begun) < count:
        await asyncio.sleep(0.001)


def test_a_newer_search_of_the_stream_ends_the_older_at_once() -> None:
    searcher = HeldSearcher()

    async def scenario(lane: SearchLane) -> None:
        older = asyncio.create_task(lane.run(SearchRequest("a"), ("client", "box")))
        await begun(searcher, 1)
        newer = asyncio.create_task(lane.run(SearchRequest("ab"), ("client", "box")))
        with pytest.raises(Superseded):
            await older
        assert not searcher.go.is_set()
        searcher.go.set()
        assert (await newer).took_ms == 2

    run(searcher, 2, scenario)


def test_a_superseded_search_that_waits_for_a_thread_never_starts() -> None:
    searcher = HeldSearcher()

    async def scenario(lane: SearchLane) -> None:
        first = asyncio.create_task(lane.run(SearchRequest("first")))
        await begun(searcher, 1)
        typed = [asyncio.create_task(lane.run(SearchRequest(f"t{n}"), ("client", "box"))) for n in range(5)]
        await asyncio.sleep(0.01)
        searcher.go.set()
        await first
        outcomes = await asyncio.gather(*typed, return_exceptions=True)
        assert [isinstance(outcome, Superseded) for outcome in outcomes] == [True] * 4 + [False]
        assert searcher.begun == ["first", "t4"]

    run(searcher, 1, scenario)


def test_streams_of_others_are_left_alone() -> None:
    searcher = HeldSearcher()

    async def scenario(lane: SearchLane) -> None:
        streams = (("one", "box"), ("two", "box"), ("one", "other"), None, None)
        tasks = [asyncio.create_task(lane.run(SearchRequest("q"), stream)) for stream in streams]
        await begun(searcher, len(streams))
        searcher.go.set()
        assert len(await asyncio.gather(*tasks)) == len(streams)

    run(searcher, 8, scenario)


def test_no_more_run_at_once_than_allowed_and_all_are_answered() -> None:
    searcher = HeldSearcher()

    async def scenario(lane: SearchLane) -> None:
        tasks = [asyncio.create_task(lane.run(SearchRequest("q" * n))) for n in range(20)]
        await begun(searcher, 3)
        searcher.go.set()
        assert [response.took_ms for response in await asyncio.gather(*tasks)] == list(range(20))
        assert searcher.most == 3

    run(searcher, 3, scenario)


def test_the_searcher_s_own_error_comes_through() -> None:
    searcher = HeldSearcher()
    searcher.go.set()

    async def scenario(lane: SearchLane) -> None:
        with pytest.raises(UsageError):
            await lane.run(SearchRequest("fails"), ("client", "box"))

    run(searcher, 1, scenario)


def test_explaining_waits_its_turn_too() -> None:
    searcher = HeldSearcher()

    async def scenario(lane: SearchLane) -> None:
        request = SearchRequest(query="x")
        asked = [asyncio.create_task(lane.explain(request, "A.md", "work")) for _ in range(4)]
        while not searcher.begun:
            await asyncio.sleep(0.001)
        searcher.go.set()
        assert {each.message for each in await asyncio.gather(*asked)} == {"work: A.md"}

    run(searcher, 2, scenario)
    assert searcher.most <= 2


def test_another_number_at_once_holds_from_the_next_search_on() -> None:
    searcher = HeldSearcher()
    at_once = [1]

    async def main() -> None:
        lane = SearchLane(searcher, lambda: at_once[0])
        before = [asyncio.create_task(lane.run(SearchRequest(query))) for query in ("a", "ab")]
        await begun(searcher, 1)
        at_once[0] = 2
        after = [asyncio.create_task(lane.run(SearchRequest(query))) for query in ("abc", "abcd")]
        await begun(searcher, 3)
        searcher.go.set()
        assert [found.took_ms for found in await asyncio.gather(*before, *after)] == [1, 2, 3, 4]

    try:
        asyncio.run(main())
    finally:
        searcher.go.set()
