"""How often a server that is away is tried again."""

from scrubjay.daemon.engine.open_profiles import FIRST_SECONDS, LAST_SECONDS, Retries
from tests.helpers.stopped_clock import StoppedClock


def test_a_server_is_tried_less_and_less_often_but_never_given_up_and_holds_no_other_up() -> None:
    clock = StoppedClock()
    retries = Retries(clock)
    waits: list[float] = []
    for _ in range(12):
        retries.failed("a")
        assert retries.is_due("b")
        began = clock.seconds
        while not retries.is_due("a"):
            clock.seconds += 0.5
        waits.append(clock.seconds - began)
    assert (waits[0], waits[-1], waits) == (FIRST_SECONDS, LAST_SECONDS, sorted(waits))


def test_a_server_that_came_back_is_tried_soon_when_it_goes_again() -> None:
    clock = StoppedClock()
    retries = Retries(clock)
    for _ in range(5):
        retries.failed("a")
    retries.forget("a")
    assert retries.is_due("a")
    retries.failed("a")
    clock.seconds += FIRST_SECONDS
    assert retries.is_due("a")
