"""Jobs are done when their time has come, none because another fails or takes long, and nothing wakes between."""

import threading
import weakref
from collections.abc import Callable, Generator
from dataclasses import replace

import pytest

from scrubjay.daemon.processes.scheduler import Job, Scheduler, Takes, Timetable
from tests.helpers.waiting import PATIENCE_SECONDS


def job(name: str = "one", step: Callable[[], None] = lambda: None, **options: object) -> Job:
    return replace(Job(name, f"Doing {name}", step), **options)


def fail() -> None:
    raise RuntimeError("the text of a note")


# The timetable, by a clock of the test's own.


def test_a_turn_comes_when_its_time_has_come_and_not_before() -> None:
    table, one = Timetable(), job()
    table.put(one, 10.0)
    assert (table.next(), table.take(9.9)) == (10.0, None)
    assert table.take(10.0) is one
    assert table.take(1e9) is None, "it is under way"
    table.is_over(one, 12.0, pause=5.0)
    assert table.next() == 17.0


def test_who_has_waited_longest_comes_first() -> None:
    table, jobs = Timetable(), {"late": job(), "early": job(), "never": job()}
    for name, at in (("late", 3.0), ("early", 2.0), ("never", float("inf"))):
        table.put(jobs[name], at)
    assert [table.take(5.0) for _ in range(3)] == [jobs["early"], jobs["late"], None]


def test_who_is_woken_comes_sooner_and_never_later() -> None:
    table, one, other = Timetable(), job("one"), job("other")
    table.put(one, 10.0)
    table.put(other, 10.0)
    table.wake("one", 5.0)
    table.wake("one", 8.0)
    assert table.take(5.0) is one
    assert table.take(9.0) is None


def test_who_is_woken_during_a_turn_has_another() -> None:
    table, one = Timetable(), job()
    table.put(one, 0.0)
    table.take(0.0)
    table.wake("one", 1.0)
    table.is_over(one, 2.0, pause=60.0)
    assert table.take(2.0) is one


@pytest.mark.parametrize(
    ("every", "pauses"),
    [
        pytest.param(0.0, [1, 2, 4, 8, 16, 32, 60, 60], id="at-once"),
        pytest.param(20.0, [20, 20, 20, 20, 20, 32, 60, 60], id="now-and-then"),
        pytest.param(float("inf"), [1, 2, 4, 8, 16, 32, 60, 60], id="when-woken"),
    ],
)
def test_what_fails_is_done_again_after_a_pause_that_grows_and_begins_anew_once_it_went_well(
    every: float, pauses: list[float]
) -> None:
    table, one = Timetable(), job(every=every)
    now = 0.0
    table.put(one, now)
    for pause in pauses:
        assert table.take(now) is one
        table.has_failed(one, now)
        now += pause
        assert table.next() == now
    table.take(now)
    table.is_over(one, now, pause=0.0)
    table.take(now)
    table.has_failed(one, now)
    assert table.next() == now + pauses[0]


def test_what_is_removed_during_its_turn_has_no_other() -> None:
    table, one = Timetable(), job()
    table.put(one, 0.0)
    table.take(0.0)
    table.remove(one)
    table.has_failed(one, 0.0)
    table.is_over(one, 0.0, pause=1.0)
    assert table.next() is None


# The threads.


class Turns:
    """A step that says that it was made, and how often."""

    def __init__(self, step: Callable[[], None] = lambda: None) -> None:
        self.made = 0
        self._step = step
        self._changed = threading.Condition()

    def __call__(self) -> None:
        with self._changed:
            self.made += 1
            self._changed.notify_all()
        self._step()

    def are(self, least: int) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.made >= least, PATIENCE_SECONDS)


@pytest.fixture
def scheduler() -> Generator[Scheduler]:
    made = Scheduler()
    yield made
    made.stop()


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if thread.name.startswith("jobs-")}


@pytest.mark.parametrize("takes", ["moments", "seconds", "minutes"])
def test_a_job_is_done_again_and_again(scheduler: Scheduler, takes: Takes) -> None:
    turns = Turns()
    scheduler.add(job(step=turns, every=0.0, takes=takes))
    assert turns.are(3)


def test_one_that_fails_costs_the_others_nothing_and_is_told_of_until_it_went_well(scheduler: Scheduler) -> None:
    def stumble() -> None:
        if failing.made == 1:
            fail()

    failing, other = Turns(stumble), Turns()
    told: list[tuple[str, ...]] = []
    scheduler.add(job("failing", failing, every=0.0), job("other", other, every=0.0))
    assert failing.are(1)
    made = other.made
    assert other.are(made + 3)
    told.append(scheduler.conditions.sentences())
    scheduler.wake("failing")
    assert failing.are(2)
    made = other.made
    assert other.are(made + 2)
    told.append(scheduler.conditions.sentences())
    assert told == [("Doing failing failed (RuntimeError) and is tried again; see the log.",), ()]


@pytest.mark.parametrize(("slow", "quick"), [("minutes", "seconds"), ("seconds", "moments"), ("minutes", "moments")])
def test_none_waits_for_one_that_takes_longer(scheduler: Scheduler, slow: Takes, quick: Takes) -> None:
    go_on = threading.Event()
    stuck, other = Turns(lambda: assert_(go_on.wait(PATIENCE_SECONDS))), Turns()
    scheduler.add(job("stuck", stuck, every=0.0, takes=slow))
    assert stuck.are(1)
    scheduler.add(job("quick", other, every=0.0, takes=quick))
    assert other.are(3)
    go_on.set()


def assert_(true: bool) -> None:
    assert true


def test_jobs_that_take_minutes_are_done_one_at_a_time(scheduler: Scheduler) -> None:
    at_once, most = [0], [0]

    def step() -> None:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        at_once[0] -= 1

    turns = [Turns(step) for _ in range(3)]
    scheduler.add(*(job(str(number), each, every=0.0, takes="minutes") for number, each in enumerate(turns)))
    assert all(each.are(5) for each in turns)
    assert most == [1]


def test_one_that_may_not_have_its_turn_is_asked_again_the_next_time(scheduler: Scheduler) -> None:
    may = iter([False, False, True])
    turns, asked = Turns(), Turns()

    def is_idle() -> bool:
        asked()
        return next(may, True)

    scheduler.add(job(step=turns, every=0.0, when=is_idle))
    assert turns.are(1)
    assert asked.made >= 3


def test_trouble_is_not_over_because_a_turn_was_left_out(scheduler: Scheduler) -> None:
    asked = Turns()

    def is_idle() -> bool:
        asked()
        return asked.made == 1

    scheduler.add(job("failing", fail, every=0.0, when=is_idle))
    assert asked.are(1)
    for turn in (2, 3):
        scheduler.wake("failing")
        assert asked.are(turn)
    assert scheduler.conditions.sentences() == ("Doing failing failed (RuntimeError) and is tried again; see the log.",)


def test_one_that_is_done_once_is_done_again_only_where_it_failed(scheduler: Scheduler) -> None:
    def stumble() -> None:
        if turns.made == 1:
            fail()

    turns, other = Turns(stumble), Turns()
    scheduler.add(job("once", turns, every=0.0, once=True))
    assert turns.are(1)
    scheduler.wake("once")
    assert turns.are(2)
    scheduler.add(job("other", other, every=0.0))
    scheduler.wake("once")
    assert other.are(3)
    assert turns.made == 2


def test_what_a_job_that_is_over_held_is_let_go_though_its_thread_sleeps_on(scheduler: Scheduler) -> None:
    turns = Turns()
    held = weakref.finalize(turns, (gone := threading.Event()).set)
    scheduler.add(job("stays", every=3600.0), job("once", turns, every=0.0, once=True))
    assert turns.are(1)
    del turns
    assert gone.wait(PATIENCE_SECONDS)
    assert not held.alive


def test_a_thread_sleeps_until_its_next_turn_or_until_it_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still nothing is ever due, so each look at it is a wakeup."""
    looks = Turns()

    def clock() -> float:
        if threading.current_thread().name == "jobs-seconds":
            looks()
        return 100.0

    scheduler = Scheduler(clock=clock)
    first, second = Turns(), Turns()
    scheduler.add(job("first", first, every=3600.0), job("second", second, every=float("inf")))
    assert looks.are(1)
    before = looks.made
    for _ in range(100):
        scheduler.wake("second", within=7200.0)  # later than the first: nothing is to be done sooner
        scheduler.wake("unknown")
    scheduler.wake("first")
    assert first.are(1)
    assert looks.made - before < 10
    assert second.made == 0
    scheduler.stop()


def test_one_whose_pause_varies_is_asked_for_it_each_time(scheduler: Scheduler) -> None:
    pauses = iter([0.0, 0.0, 3600.0])
    turns, other = Turns(), Turns()
    scheduler.add(job("varies", turns, every=lambda: next(pauses)))
    assert turns.are(2)
    scheduler.add(job("other", other, every=0.0))
    assert other.are(3)
    assert turns.made == 2


def test_what_was_removed_is_not_under_way_any_more(scheduler: Scheduler) -> None:
    go_on, is_over = threading.Event(), threading.Event()

    def step() -> None:
        assert go_on.wait(PATIENCE_SECONDS)
        is_over.set()

    turns = Turns(step)
    one = job(step=turns, every=0.0)
    scheduler.add(one)
    assert turns.are(1)
    removing = threading.Thread(target=scheduler.remove, args=(one,))
    removing.start()
    go_on.set()
    removing.join(PATIENCE_SECONDS)
    assert is_over.is_set()
    made = turns.made
    other = Turns()
    scheduler.add(job("other", other, every=0.0))
    assert other.are(3)
    assert turns.made == made == 1


def test_a_job_may_remove_itself(scheduler: Scheduler) -> None:
    turns = Turns(lambda: scheduler.remove(one))
    one = job(step=turns, every=0.0)
    scheduler.add(one)
    assert turns.are(1)
    other = Turns()
    scheduler.add(job("other", other, every=0.0))
    assert other.are(3)
    assert turns.made == 1


def test_there_are_threads_only_for_jobs_that_there_are() -> None:
    scheduler, turns = Scheduler(), Turns()
    assert threads() == set()
    one = job(step=turns, every=0.0)
    scheduler.add(one)
    assert turns.are(1)
    assert threads() == {"jobs-seconds"}
    [thread] = [each for each in threading.enumerate() if each.name == "jobs-seconds"]
    scheduler.remove(one)
    thread.join(PATIENCE_SECONDS)
    assert threads() == set()
    scheduler.add(one)
    assert turns.are(turns.made + 1)
    scheduler.stop()


def test_once_it_is_stopped_a_long_turn_is_told_and_nothing_is_begun() -> None:
    scheduler, other = Scheduler(), Turns()
    cut = threading.Event()

    def long() -> None:
        assert cut.wait(PATIENCE_SECONDS)
        assert scheduler.is_stopping

    turns = Turns(long)
    scheduler.add(job("long", turns, every=0.0, takes="minutes"), job("later", other, every=3600.0))
    assert turns.are(1)
    scheduler.stop(cut.set)
    scheduler.wake("later")
    scheduler.add(job("after", other, every=0.0))
    assert (turns.made, other.made, threads()) == (1, 0, set())
    assert scheduler.conditions.sentences() == ()
