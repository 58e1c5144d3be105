"""What is due next: requests that melt into one, work that failed and pauses, and the look at everything."""

import pytest

from scrubjay.daemon.indexing.work_queue import Work, WorkKind, WorkQueue
from scrubjay.profiles.errors import StoreError

LOOK = 900.0
FULL = StoreError("The disk is full.")


@pytest.fixture
def queue() -> WorkQueue:
    return WorkQueue(LOOK, now=0.0)


def never(_profile: str) -> bool:
    return False


def changed(*paths: str) -> Work:
    return Work(paths={"v": set(paths)})


def test_requests_for_one_profile_melt_into_one(queue: WorkQueue) -> None:
    queue.read("p", changed("a.md"))
    queue.read("p", changed("b.md"))
    queue.read("p", Work(reconcile=True, full=True))
    assert queue.next_to_read({"p"}, 1.0, never) == (
        "p",
        Work(reconcile=True, full=True, paths={"v": {"a.md", "b.md"}}),
    )
    assert queue.next_to_read({"p"}, 1.0, never) is None


def test_a_profile_that_waits_is_passed_over_and_keeps_its_work(queue: WorkQueue) -> None:
    queue.read("paused", changed("a.md"))
    queue.read("p", changed("b.md"))
    queue.embed("paused")
    both = {"paused", "p"}
    assert queue.next_to_read(both, 1.0, lambda name: name == "paused") == ("p", changed("b.md"))
    assert queue.next_to_read(both, 1.0, lambda name: name == "paused") is None
    assert queue.next_to_embed(both, 1.0, lambda name: name == "paused") is None
    assert queue.next_to_read(both, 1.0, never) == ("paused", changed("a.md"))
    assert queue.next_to_embed(both, 1.0, never) == "paused"


def test_work_on_a_profile_that_is_not_there_is_dropped(queue: WorkQueue) -> None:
    queue.read("gone", changed("a.md"))
    queue.embed("gone")
    assert (queue.next_to_read({"p"}, 1.0, never), queue.next_to_embed({"p"}, 1.0, never)) == (None, None)
    assert (set(queue.to_read()), set(queue.to_embed())) == (set(), set())


def test_all_profiles_are_looked_at_when_it_is_time_and_then_after_as_long_again(queue: WorkQueue) -> None:
    assert queue.seconds_to_read(LOOK - 10) == 10
    assert queue.next_to_read({"p"}, LOOK - 1, never) is None
    assert queue.next_to_read({"p"}, LOOK + 5, never) == ("p", Work(reconcile=True))
    assert queue.seconds_to_read(LOOK + 5) == LOOK
    queue.look_every(60, now=LOOK + 5)
    assert queue.seconds_to_read(LOOK + 5) == 60


@pytest.mark.parametrize(("times", "pause"), [(1, 2.0), (2, 4.0), (3, 8.0), (6, 20.0)])
def test_work_that_failed_is_due_after_a_pause_that_grows_with_every_failure(
    queue: WorkQueue, times: int, pause: float
) -> None:
    for _ in range(times):
        queue.read_what_failed("p", 0.0)
        queue.next_to_read({"p"}, 0.0, never)
        queue.done("p", "indexing", FULL, changed("a.md"), 0.0)
    assert queue.seconds_to_read(0.0) == pause
    assert queue.next_to_read({"p"}, pause - 0.1, never) is None
    assert queue.next_to_read({"p"}, pause, never) == ("p", changed("a.md"))


def test_what_failed_is_done_at_once_with_what_is_requested_of_the_same_profile(queue: WorkQueue) -> None:
    for profile in ("p", "q"):
        queue.done(profile, "indexing", FULL, changed("a.md"), 0.0)
    queue.read_what_failed("p", 0.1)
    queue.read("p", Work(reconcile=True))
    assert queue.next_to_read({"p", "q"}, 0.1, never) == ("p", Work(reconcile=True, paths={"v": {"a.md"}}))
    assert queue.next_to_read({"p", "q"}, 0.1, never) is None


@pytest.mark.parametrize("kind", ["indexing", "embedding"])
def test_trouble_is_told_until_that_very_work_has_succeeded(queue: WorkQueue, kind: WorkKind) -> None:
    queue.done("p", kind, FULL, Work(), 0.0)
    queue.done("p", kind, None, Work(), 1.0)  # other work of the same kind
    assert queue.reasons() == {"p": "The disk is full."}
    queue.next_to_read({"p"}, 2.0, never)
    queue.next_to_embed({"p"}, 2.0, never)
    queue.done("p", kind, None, Work(), 2.0)
    assert queue.reasons() == {}


def test_embedding_that_failed_is_due_after_a_pause(queue: WorkQueue) -> None:
    assert queue.seconds_to_embed(0.0) is None
    queue.done("p", "embedding", FULL, Work(), 0.0)
    assert queue.seconds_to_embed(0.5) == 1.5
    assert queue.next_to_embed({"p"}, 1.0, never) is None
    assert queue.next_to_embed({"p"}, 2.0, never) == "p"


def test_nothing_is_left_of_a_profile_that_was_removed(queue: WorkQueue) -> None:
    queue.read("p", changed("a.md"))
    queue.embed("p")
    queue.done("p", "indexing", FULL, changed("b.md"), 0.0)
    queue.forget("p")
    assert queue.next_to_read({"p"}, 100.0, never) is None
    assert queue.next_to_embed({"p"}, 100.0, never) is None
    assert queue.reasons() == {}


def test_the_least_that_waits_is_embedded_first_and_then_who_had_no_turn_for_the_longest(queue: WorkQueue) -> None:
    profiles = {"large", "small", "new"}
    queue.embed("large", 20_000)
    queue.embed("small", 300)
    assert queue.next_to_embed(profiles, 1.0, never) == "small"
    queue.embed("small", 200)
    assert queue.next_to_embed(profiles, 1.0, never) == "large"
    queue.embed("large")
    queue.embed("new", 50_000)
    assert [queue.next_to_embed(profiles, 1.0, never) for _ in range(4)] == ["new", "small", "large", None]
