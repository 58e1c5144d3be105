"""A background loop goes on whatever happens in it, and says what is wrong until it is over."""

import logging
import threading
from collections.abc import Callable, Iterator

import pytest

from scrubjay.daemon.processes.loops import Conditions, Loop
from tests.helpers.waiting import PATIENCE_SECONDS

SECRET = "the text of a note"


class Steps:
    """Does what it is told, step by step, then stops the loop."""

    def __init__(self, *steps: Callable[[], None]) -> None:
        self.conditions = Conditions()
        self.told: list[tuple[str, ...]] = []  # what was said before each step, and at the end
        self._steps = iter(steps)
        self.loop = Loop("steps", "Doing steps", self._step, self.conditions)
        self.ended = threading.Event()

    def run(self) -> "Steps":
        self.loop.start()
        assert self.ended.wait(PATIENCE_SECONDS)
        self.loop.stop()
        return self

    def _step(self) -> None:
        self.told.append(self.conditions.sentences())
        step = next(self._steps, None)
        if step is None:
            self.loop.stopping.set()
            self.ended.set()
        else:
            step()


def fail() -> None:
    raise RuntimeError(SECRET)


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    pauses: list[float] = []
    wait = threading.Event.wait

    def count(event: threading.Event, timeout: float | None = None) -> bool:
        if threading.current_thread().name == "steps":
            pauses.append(timeout or 0.0)
            return event.is_set()
        return wait(event, timeout)

    monkeypatch.setattr(threading.Event, "wait", count)
    yield pauses


def test_the_next_step_is_made_and_the_trouble_is_told_until_one_goes_well() -> None:
    [first, second, third] = Steps(fail, lambda: None).run().told
    assert (first, third) == ((), ())
    assert second == ("Doing steps failed (RuntimeError) and is tried again; see the log.",)


def test_the_pause_grows_to_a_minute_and_begins_anew_when_all_is_well(no_pause: list[float]) -> None:
    Steps(*[fail] * 8, lambda: None, fail).run()
    assert no_pause[:11] == [0, 1, 2, 4, 8, 16, 32, 60, 60, 0, 1]


def test_a_long_step_can_say_that_all_is_well(no_pause: list[float]) -> None:
    said: list[tuple[str, ...]] = []

    def long_step() -> None:
        steps.loop.well()
        said.append(steps.conditions.sentences())
        fail()

    steps = Steps(fail, fail, long_step)
    steps.run()
    assert said == [()]
    assert no_pause[:4] == [0, 1, 2, 1]


def test_the_log_has_the_kind_of_trouble_and_no_text(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        Steps(fail).run()
    [record] = caplog.records
    assert (record.__dict__["code"], record.__dict__["error"]) == ("Doing steps", "RuntimeError")
    assert SECRET not in caplog.text


def test_a_loop_that_was_stopped_has_no_trouble_any_more() -> None:
    steps = Steps(fail)
    steps.run()
    assert steps.conditions.sentences() == ()
