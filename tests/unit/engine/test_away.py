"""How often a server that is away is tried again."""

from scrubjay.daemon.engine.open_profiles import FIRST_SECONDS, LAST_SECONDS, Retries


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_server_is_tried_less_and_less_often_but_never_given_up() -> None:
    clock = Clock()
    retries = Retries(clock)
    waits: list[float] = []
    for _ in range(12):
        retries.failed("a")
        began = clock.now
        while not retries.is_due("a"):
            clock.now += 0.5
        waits.append(clock.now - began)
    assert waits[0] == FIRST_SECONDS
    assert waits == sorted(waits)
    assert waits[-1] == LAST_SECONDS


def test_one_server_does_not_hold_another_up() -> None:
    retries = Retries(Clock())
    retries.failed("a")
    assert not retries.is_due("a")
    assert retries.is_due("b")


def test_a_server_that_came_back_is_tried_soon_when_it_goes_again() -> None:
    clock = Clock()
    retries = Retries(clock)
    for _ in range(5):
        retries.failed("a")
    retries.forget("a")
    assert retries.is_due("a")
    retries.failed("a")
    clock.now += FIRST_SECONDS
    assert retries.is_due("a")
