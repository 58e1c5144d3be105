"""Requests wait their turn in their own lane, and as-you-type searches give way to newer ones."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from scrubjay.daemon.api.routing import Lanes, Superseded
from scrubjay.daemon.errors import UsageError


class Worker:
    """Answers when it is let to, and counts."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.lock = threading.Lock()
        self.running = 0
        self.most = 0
        self.begun: list[str] = []

    def work(self, name: str) -> str:
        with self.lock:
            self.begun.append(name)
            self.running += 1
            self.most = max(self.most, self.running)
        self.go.wait(10)
        with self.lock:
            self.running -= 1
        if name == "fails":
            raise UsageError("The query can't be understood.")
        return name

    def named(self, name: str) -> Callable[[], str]:
        return partial(self.work, name)


def run(worker: Worker, at_once: Callable[[], int], scenario: Callable[[Lanes], Awaitable[None]]) -> None:
    async def main() -> None:
        await scenario(Lanes(at_once))

    try:
        asyncio.run(main())
    finally:
        worker.go.set()


async def begun(worker: Worker, count: int) -> None:
    while len(worker.begun) < count:
        await asyncio.sleep(0.001)


def test_a_newer_request_of_the_stream_ends_the_older_at_once() -> None:
    worker = Worker()

    async def scenario(lanes: Lanes) -> None:
        older = asyncio.create_task(lanes.run("search", worker.named("a"), ("client", "box")))
        await begun(worker, 1)
        newer = asyncio.create_task(lanes.run("search", worker.named("ab"), ("client", "box")))
        with pytest.raises(Superseded):
            await older
        assert not worker.go.is_set()
        worker.go.set()
        assert await newer == "ab"

    run(worker, lambda: 2, scenario)


def test_a_superseded_search_that_waits_for_a_thread_never_starts() -> None:
    worker = Worker()

    async def scenario(lanes: Lanes) -> None:
        first = asyncio.create_task(lanes.run("search", worker.named("first")))
        await begun(worker, 1)
        typed = [asyncio.create_task(lanes.run("search", worker.named(f"t{n}"), ("client", "box"))) for n in range(5)]
        await asyncio.sleep(0.01)
        worker.go.set()
        await first
        outcomes = await asyncio.gather(*typed, return_exceptions=True)
        assert [isinstance(outcome, Superseded) for outcome in outcomes] == [True] * 4 + [False]
        assert worker.begun == ["first", "t4"]

    run(worker, lambda: 1, scenario)


def test_streams_of_others_are_left_alone() -> None:
    worker = Worker()

    async def scenario(lanes: Lanes) -> None:
        streams = (("one", "box"), ("two", "box"), ("one", "other"), None, None)
        tasks = [asyncio.create_task(lanes.run("search", worker.named("q"), stream)) for stream in streams]
        await begun(worker, len(streams))
        worker.go.set()
        assert len(await asyncio.gather(*tasks)) == len(streams)

    run(worker, lambda: 8, scenario)


def test_no_more_run_at_once_than_allowed_and_all_are_answered() -> None:
    worker = Worker()
    names = [str(n) for n in range(20)]

    async def scenario(lanes: Lanes) -> None:
        tasks = [asyncio.create_task(lanes.run("search", worker.named(name))) for name in names]
        await begun(worker, 3)
        worker.go.set()
        assert await asyncio.gather(*tasks) == names
        assert worker.most == 3

    run(worker, lambda: 3, scenario)


def test_an_error_comes_through() -> None:
    worker = Worker()
    worker.go.set()

    async def scenario(lanes: Lanes) -> None:
        with pytest.raises(UsageError):
            await lanes.run("search", worker.named("fails"), ("client", "box"))

    run(worker, lambda: 1, scenario)


def test_a_full_lane_keeps_no_other_lane_waiting() -> None:
    worker = Worker()

    async def scenario(lanes: Lanes) -> None:
        full = [asyncio.create_task(lanes.run(lane, worker.named("x"))) for lane in ("search", "read") * 30]
        await begun(worker, 1 + 16)
        assert await lanes.run("quick", lambda: "at once") == "at once"
        assert not any(task.done() for task in full)
        worker.go.set()
        await asyncio.gather(*full)

    run(worker, lambda: 1, scenario)


def test_another_number_at_once_holds_from_the_next_search_on() -> None:
    worker = Worker()
    at_once = [1]

    async def scenario(lanes: Lanes) -> None:
        before = [asyncio.create_task(lanes.run("search", worker.named(name))) for name in ("a", "ab")]
        await begun(worker, 1)
        at_once[0] = 2
        after = [asyncio.create_task(lanes.run("search", worker.named(name))) for name in ("abc", "abcd")]
        await begun(worker, 3)
        worker.go.set()
        assert await asyncio.gather(*before, *after) == ["a", "ab", "abc", "abcd"]

    run(worker, lambda: at_once[0], scenario)
