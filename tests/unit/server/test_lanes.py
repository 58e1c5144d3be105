"""Requests wait their turn in their own lane, and as-you-type searches give way to newer ones."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from scrubjay.daemon.server.routing import Lanes, Superseded
from scrubjay.profiles import cancellation
from scrubjay.profiles.cancellation import check
from scrubjay.profiles.errors import UsageError


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


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.go.set()


async def begun(worker: Worker, count: int) -> None:
    while len(worker.begun) < count:
        await asyncio.sleep(0.001)


async def test_a_newer_request_of_the_stream_ends_the_older_at_once(worker: Worker) -> None:
    lanes = Lanes(lambda: 2)
    older = asyncio.create_task(lanes.run("search", worker.named("a"), ("client", "box")))
    await begun(worker, 1)
    newer = asyncio.create_task(lanes.run("search", worker.named("ab"), ("client", "box")))
    with pytest.raises(Superseded):
        await older
    assert not worker.go.is_set()
    worker.go.set()
    assert await newer == "ab"


async def test_a_superseded_search_that_waits_for_a_thread_never_starts(worker: Worker) -> None:
    lanes = Lanes(lambda: 1)
    first = asyncio.create_task(lanes.run("search", worker.named("first")))
    await begun(worker, 1)
    typed = [asyncio.create_task(lanes.run("search", worker.named(f"t{n}"), ("client", "box"))) for n in range(5)]
    await asyncio.sleep(0.01)
    worker.go.set()
    await first
    outcomes = await asyncio.gather(*typed, return_exceptions=True)
    assert [isinstance(outcome, Superseded) for outcome in outcomes] == [True] * 4 + [False]
    assert worker.begun == ["first", "t4"]


async def test_streams_of_others_are_left_alone(worker: Worker) -> None:
    lanes = Lanes(lambda: 8)
    streams = (("one", "box"), ("two", "box"), ("one", "other"), None, None)
    tasks = [asyncio.create_task(lanes.run("search", worker.named("q"), stream)) for stream in streams]
    await begun(worker, len(streams))
    worker.go.set()
    assert len(await asyncio.gather(*tasks)) == len(streams)


async def test_no_more_run_at_once_than_allowed_and_all_are_answered(worker: Worker) -> None:
    names = [str(n) for n in range(20)]
    lanes = Lanes(lambda: 3)
    tasks = [asyncio.create_task(lanes.run("search", worker.named(name))) for name in names]
    await begun(worker, 3)
    worker.go.set()
    assert await asyncio.gather(*tasks) == names
    assert worker.most == 3


async def test_an_error_comes_through(worker: Worker) -> None:
    worker.go.set()
    lanes = Lanes(lambda: 1)
    with pytest.raises(UsageError):
        await lanes.run("search", worker.named("fails"), ("client", "box"))


async def test_a_full_lane_keeps_no_other_lane_waiting(worker: Worker) -> None:
    lanes = Lanes(lambda: 1)
    full = [asyncio.create_task(lanes.run(lane, worker.named("x"))) for lane in ("search", "read") * 30]
    await begun(worker, 1 + 16)
    assert await lanes.run("quick", lambda: "at once") == "at once"
    assert not any(task.done() for task in full)
    worker.go.set()
    await asyncio.gather(*full)


async def test_another_number_at_once_holds_from_the_next_search_on(worker: Worker) -> None:
    at_once = [1]
    lanes = Lanes(lambda: at_once[0])
    before = [asyncio.create_task(lanes.run("search", worker.named(name))) for name in ("a", "ab")]
    await begun(worker, 1)
    at_once[0] = 2
    after = [asyncio.create_task(lanes.run("search", worker.named(name))) for name in ("abc", "abcd")]
    await begun(worker, 2)
    assert worker.running == 2
    worker.go.set()
    assert await asyncio.gather(*before, *after) == ["a", "ab", "abc", "abcd"]


async def test_one_clients_searches_leave_places_for_others_and_wait_behind_each_other(worker: Worker) -> None:
    lanes = Lanes(lambda: 8)
    flood = [asyncio.create_task(lanes.run("search", worker.named(f"f{n}"), client="flood")) for n in range(30)]
    await begun(worker, 2)
    others = [asyncio.create_task(lanes.run("search", worker.named(name), client=name)) for name in ("a", "b")]
    own = [asyncio.create_task(lanes.run("search", worker.named(f"own{n}"))) for n in range(3)]
    await begun(worker, 7)
    assert sorted(worker.begun) == ["a", "b", "f0", "f1", "own0", "own1", "own2"]
    worker.go.set()
    await asyncio.gather(*flood, *others, *own)
    assert [name for name in worker.begun if name.startswith("f")] == [f"f{n}" for n in range(30)]


async def test_many_clients_leave_one_place_to_the_user(worker: Worker) -> None:
    lanes = Lanes(lambda: 4)
    crowd = [asyncio.create_task(lanes.run("search", worker.named(f"c{n}"), client=f"c{n}")) for n in range(9)]
    await begun(worker, 3)
    own = asyncio.create_task(lanes.run("search", worker.named("own")))
    await begun(worker, 4)
    assert worker.begun[3] == "own"
    worker.go.set()
    await asyncio.gather(*crowd, own)
    assert worker.most == 4


async def test_clients_are_served_in_turn_and_not_in_the_order_of_their_requests(worker: Worker) -> None:
    worker.go.set()
    lanes = Lanes(lambda: 1)
    held = threading.Event()
    first = asyncio.create_task(lanes.run("search", lambda: held.wait(10), client="x"))
    await asyncio.sleep(0)
    names = [f"x{n}" for n in range(4)] + ["y0", "y1", "z0"]
    waiting = [asyncio.create_task(lanes.run("search", worker.named(name), client=name[0])) for name in names]
    await asyncio.sleep(0.01)
    held.set()
    await asyncio.gather(first, *waiting)
    assert worker.begun == ["x0", "y0", "z0", "x1", "y1", "x2", "x3"]


@pytest.mark.parametrize("way", ["hung up", "superseded", "cancelled"])
async def test_a_search_that_nobody_waits_for_ends_and_gives_its_place_back(worker: Worker, way: str) -> None:
    worker.go.set()
    ended = threading.Event()
    begun_it = threading.Event()

    def long_search() -> None:
        begun_it.set()
        try:
            for _ in range(10_000):
                check()
                ended.wait(0.001)
        finally:
            ended.set()

    lanes = Lanes(lambda: 1 if way != "superseded" else 3)
    gone = asyncio.Event()
    task = asyncio.create_task(
        lanes.run("search", long_search, ("c", "box"), client="c", gone=gone.wait() if way == "hung up" else None)
    )
    while not begun_it.is_set():
        await asyncio.sleep(0.001)
    if way == "hung up":
        gone.set()
    elif way == "superseded":
        assert await lanes.run("search", worker.named("newer"), ("c", "box"), client="d") == "newer"
    else:
        task.cancel()
    with pytest.raises((Superseded, asyncio.CancelledError)):
        await task
    assert await asyncio.to_thread(ended.wait, 10)
    assert await lanes.run("search", worker.named("next"), client="c") == "next"


async def test_a_search_that_waits_for_a_place_and_is_given_up_takes_none(worker: Worker) -> None:
    lanes = Lanes(lambda: 1)
    first = asyncio.create_task(lanes.run("search", worker.named("first"), client="c"))
    await begun(worker, 1)
    waiting = [asyncio.create_task(lanes.run("search", worker.named(f"w{n}"), client="c")) for n in range(3)]
    await asyncio.sleep(0.01)
    for each in waiting[:2]:
        each.cancel()
    worker.go.set()
    assert await first == "first"
    assert await waiting[2] == "w2"
    assert worker.begun == ["first", "w2"]


async def test_while_the_user_searches_others_begin_one_at_a_time(worker: Worker) -> None:
    lanes = Lanes(lambda: 8)
    own = asyncio.create_task(lanes.run("search", worker.named("own")))
    await begun(worker, 1)
    flood = [asyncio.create_task(lanes.run("search", worker.named(f"f{n}"), client="flood")) for n in range(3)]
    other = asyncio.create_task(lanes.run("search", worker.named("a"), client="a"))
    await begun(worker, 2)
    await asyncio.sleep(0.01)
    assert worker.begun == ["own", "f0"]
    worker.go.set()
    await asyncio.gather(own, *flood, other)
    assert worker.begun == ["own", "f0", "f1", "a", "f2"]
    assert worker.most == 2


async def test_a_clients_search_pauses_while_the_user_searches(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "_LONGEST_PAUSE", 60.0)
    at_check, passed = threading.Event(), threading.Event()

    def clients() -> None:
        worker.go.wait(10)
        at_check.set()
        check()
        passed.set()

    def users(is_over: threading.Event) -> None:
        worker.go.set()
        assert at_check.wait(10)
        assert not passed.wait(0.05)
        is_over.set()

    lanes = Lanes(lambda: 4)
    is_over = threading.Event()
    other = asyncio.create_task(lanes.run("search", clients, client="reader"))
    await lanes.run("search", partial(users, is_over))
    assert is_over.is_set()
    await other
    assert passed.is_set()


async def test_a_clients_search_pauses_until_the_users_is_about_to_be_answered(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancellation, "_LONGEST_PAUSE", 60.0)
    found, at_check, passed = threading.Event(), threading.Event(), threading.Event()

    def clients() -> None:
        found.wait(10)
        at_check.set()
        check()
        passed.set()

    def users() -> None:
        worker.begun.append("users")
        assert found.wait(10)

    lanes = Lanes(lambda: 4)
    other = asyncio.create_task(lanes.run("search", clients, client="reader"))
    own = asyncio.create_task(lanes.run("search", users))
    await begun(worker, 1)
    found.set()  # what the loop, which this holds up, is not told
    assert at_check.wait(10)
    assert not passed.wait(0.05)
    await asyncio.gather(own, other)
    assert passed.is_set()


async def test_a_clients_search_goes_on_though_the_user_never_stops_searching(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancellation, "_LONGEST_PAUSE", 0.001)
    lanes = Lanes(lambda: 4)
    users = asyncio.create_task(lanes.run("search", worker.named("users")))
    await begun(worker, 1)

    def checks() -> str:
        for _ in range(3):
            check()
        return "went on"

    assert await lanes.run("search", checks, client="reader") == "went on"
    worker.go.set()
    await users
