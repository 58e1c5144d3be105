"""Requests wait their turn in their own lane, and as-you-type searches give way to newer ones."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from scrubjay.daemon.server.routing import Lanes, Superseded
from scrubjay.profiles import cancellation
from scrubjay.profiles.cancellation import check

BOX = ("client", "box")


class Worker:
    """Answers when it is let to, and counts."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.lock = threading.Lock()
        self.running = 0
        self.most = 0
        self.begun: list[str] = []

    def asked(self, lanes: Lanes, name: str, stream: tuple[str, str] | None = None, **whose: Any) -> asyncio.Task[str]:
        """A search of this name, under way or waiting."""
        return asyncio.create_task(lanes.run("search", lambda: self.work(name), stream, **whose))

    def work(self, name: str) -> str:
        with self.lock:
            self.begun.append(name)
            self.running += 1
            self.most = max(self.most, self.running)
        self.go.wait(60)
        with self.lock:
            self.running -= 1
        return name

    async def has_begun(self, count: int) -> None:
        while len(self.begun) < count:
            await asyncio.sleep(0.001)


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.go.set()


async def test_a_newer_request_of_the_stream_ends_the_older_at_once(worker: Worker) -> None:
    lanes = Lanes(lambda: 2)
    older = worker.asked(lanes, "a", BOX)
    await worker.has_begun(1)
    newer = worker.asked(lanes, "ab", BOX)
    with pytest.raises(Superseded):
        await older
    assert not worker.go.is_set()
    worker.go.set()
    assert await newer == "ab"


async def test_a_superseded_search_that_waits_for_a_thread_never_starts(worker: Worker) -> None:
    lanes = Lanes(lambda: 1)
    first = worker.asked(lanes, "first")
    await worker.has_begun(1)
    typed = [worker.asked(lanes, f"t{n}", BOX) for n in range(5)]
    await asyncio.sleep(0.01)
    worker.go.set()
    await first
    outcomes = await asyncio.gather(*typed, return_exceptions=True)
    assert [isinstance(outcome, Superseded) for outcome in outcomes] == [True] * 4 + [False]
    assert worker.begun == ["first", "t4"]


async def test_streams_of_others_are_left_alone(worker: Worker) -> None:
    lanes = Lanes(lambda: 8)
    streams = (("one", "box"), ("two", "box"), ("one", "other"), None, None)
    tasks = [worker.asked(lanes, "q", stream) for stream in streams]
    await worker.has_begun(len(streams))
    worker.go.set()
    assert len(await asyncio.gather(*tasks)) == len(streams)


async def test_a_full_lane_keeps_no_other_lane_waiting(worker: Worker) -> None:
    lanes = Lanes(lambda: 1)
    full = [asyncio.create_task(lanes.run(lane, lambda: worker.work("x"))) for lane in ("search", "read") * 30]
    await worker.has_begun(1 + 16)
    assert await lanes.run("quick", lambda: "at once") == "at once"
    assert not any(task.done() for task in full)
    worker.go.set()
    await asyncio.gather(*full)


async def test_another_number_at_once_holds_from_the_next_search_on(worker: Worker) -> None:
    at_once = [1]
    lanes = Lanes(lambda: at_once[0])
    before = [worker.asked(lanes, name) for name in ("a", "ab")]
    await worker.has_begun(1)
    at_once[0] = 2
    after = [worker.asked(lanes, name) for name in ("abc", "abcd")]
    await worker.has_begun(2)
    assert worker.running == 2
    worker.go.set()
    assert await asyncio.gather(*before, *after) == ["a", "ab", "abc", "abcd"]


async def test_one_clients_searches_leave_places_for_others_and_wait_behind_each_other(worker: Worker) -> None:
    lanes = Lanes(lambda: 8)
    flood = [worker.asked(lanes, f"f{n}", client="flood") for n in range(30)]
    await worker.has_begun(2)
    others = [worker.asked(lanes, name, client=name) for name in ("a", "b")]
    own = [worker.asked(lanes, f"own{n}") for n in range(3)]
    await worker.has_begun(7)
    assert sorted(worker.begun) == ["a", "b", "f0", "f1", "own0", "own1", "own2"]
    worker.go.set()
    await asyncio.gather(*flood, *others, *own)
    assert [name for name in worker.begun if name.startswith("f")] == [f"f{n}" for n in range(30)]


async def test_many_clients_leave_one_place_to_the_user(worker: Worker) -> None:
    lanes = Lanes(lambda: 4)
    crowd = [worker.asked(lanes, f"c{n}", client=f"c{n}") for n in range(9)]
    await worker.has_begun(3)
    own = worker.asked(lanes, "own")
    await worker.has_begun(4)
    assert worker.begun[3] == "own"
    worker.go.set()
    await asyncio.gather(*crowd, own)
    assert worker.most == 4


async def test_clients_are_served_in_turn_and_not_in_the_order_of_their_requests(worker: Worker) -> None:
    worker.go.set()
    lanes = Lanes(lambda: 1)
    held = threading.Event()
    first = asyncio.create_task(lanes.run("search", lambda: held.wait(60), client="x"))
    await asyncio.sleep(0)
    waiting = [worker.asked(lanes, name, client=name[0]) for name in ("x0", "x1", "x2", "x3", "y0", "y1", "z0")]
    await asyncio.sleep(0.01)
    held.set()
    await asyncio.gather(first, *waiting)
    assert worker.begun == ["x0", "y0", "z0", "x1", "y1", "x2", "x3"]


@pytest.mark.parametrize("way", ["hung up", "superseded", "cancelled"])
async def test_a_search_that_nobody_waits_for_ends_and_gives_its_place_back(worker: Worker, way: str) -> None:
    worker.go.set()
    begun, ended = threading.Event(), threading.Event()

    def long_search() -> None:
        begun.set()
        try:
            for _ in range(10_000):
                check()
                ended.wait(0.001)
        finally:
            ended.set()

    lanes = Lanes(lambda: 1 if way != "superseded" else 3)
    gone = asyncio.Event()
    leaving = gone.wait() if way == "hung up" else None
    task = asyncio.create_task(lanes.run("search", long_search, BOX, client="c", gone=leaving))
    while not begun.is_set():
        await asyncio.sleep(0.001)
    if way == "hung up":
        gone.set()
    elif way == "superseded":
        assert await worker.asked(lanes, "newer", BOX, client="d") == "newer"
    else:
        task.cancel()
    with pytest.raises((Superseded, asyncio.CancelledError)):
        await task
    assert await asyncio.to_thread(ended.wait, 10)
    assert await worker.asked(lanes, "next", client="c") == "next"


async def test_a_search_that_waits_for_a_place_and_is_given_up_takes_none(worker: Worker) -> None:
    lanes = Lanes(lambda: 1)
    first = worker.asked(lanes, "first", client="c")
    await worker.has_begun(1)
    waiting = [worker.asked(lanes, f"w{n}", client="c") for n in range(3)]
    await asyncio.sleep(0.01)
    for each in waiting[:2]:
        each.cancel()
    worker.go.set()
    assert (await first, await waiting[2]) == ("first", "w2")
    assert worker.begun == ["first", "w2"]


async def test_while_the_user_searches_others_begin_one_at_a_time(worker: Worker) -> None:
    lanes = Lanes(lambda: 8)
    own = worker.asked(lanes, "own")
    await worker.has_begun(1)
    others = [*(worker.asked(lanes, f"f{n}", client="flood") for n in range(3)), worker.asked(lanes, "a", client="a")]
    await worker.has_begun(2)
    await asyncio.sleep(0.01)
    assert worker.begun == ["own", "f0"]
    worker.go.set()
    await asyncio.gather(own, *others)
    assert worker.begun == ["own", "f0", "f1", "a", "f2"]
    assert worker.most == 2


async def test_while_the_user_has_all_places_others_wait(worker: Worker) -> None:
    lanes = Lanes(lambda: 2)
    own = [worker.asked(lanes, name) for name in ("own0", "own1")]
    await worker.has_begun(2)
    other = worker.asked(lanes, "a", client="a")
    await asyncio.sleep(0.01)
    assert sorted(worker.begun) == ["own0", "own1"]
    worker.go.set()
    await asyncio.gather(*own, other)
    assert worker.most == 2


async def test_a_clients_search_pauses_until_the_users_is_about_to_be_answered(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancellation, "_LONGEST_PAUSE", 60.0)
    found, at_check, passed = threading.Event(), threading.Event(), threading.Event()

    def clients() -> None:
        found.wait(60)
        at_check.set()
        check()
        passed.set()

    def users() -> None:
        worker.begun.append("users")
        assert found.wait(60)

    lanes = Lanes(lambda: 4)
    other = asyncio.create_task(lanes.run("search", clients, client="reader"))
    own = asyncio.create_task(lanes.run("search", users))
    await worker.has_begun(1)
    found.set()  # what the loop, which this holds up, is not told
    assert at_check.wait(60)
    assert not passed.wait(0.05)
    await asyncio.gather(own, other)
    assert passed.is_set()


async def test_a_clients_search_goes_on_though_the_user_never_stops_searching(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancellation, "_LONGEST_PAUSE", 0.001)
    lanes = Lanes(lambda: 4)
    users = worker.asked(lanes, "users")
    await worker.has_begun(1)
    assert len(await lanes.run("search", lambda: [check() for _ in range(3)], client="reader")) == 3
    worker.go.set()
    await users
