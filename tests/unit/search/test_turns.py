import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest

from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.search.rank import legs as turns_module
from scrubjay.profiles.search.rank.legs import StoreTimedOut, Turn, Turns
from scrubjay.profiles.store.store import Store
from tests.helpers.stopped_clock import StoppedClock

DEADLINE = 0.2


# Stores are only handed on.
STORES = {name: cast("Store", object()) for name in ("birds", "boats", "bells")}
ALONE = {"birds": STORES["birds"]}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StoppedClock:
    """The only clock by which stores are late, so that a busy machine makes none of them so."""
    stopped = StoppedClock()
    monkeypatch.setattr(turns_module, "monotonic", stopped)
    return stopped


@pytest.fixture
def turns() -> Iterator[Turns]:
    pool = ThreadPoolExecutor(4)
    yield Turns(pool, DEADLINE)
    pool.shutdown(wait=False)


def test_stores_are_asked_one_after_the_other_and_those_that_fail_are_named() -> None:
    def ask(name: str, _: Store) -> str:
        if name == "boats":
            raise StoreLocked("locked", Path(name))
        return name.upper()

    assert Turn().each(STORES, ask) == ({"birds": "BIRDS", "bells": "BELLS"}, {"boats"})


def test_a_single_store_is_asked_by_whoever_waits_and_several_by_a_thread_that_can_be_given_up(turns: Turns) -> None:
    alone, several = (turns.take(stores, lambda _: threading.current_thread()) for stores in (ALONE, STORES))
    assert (alone is threading.current_thread(), several is threading.current_thread()) == (True, False)


def test_a_store_that_hangs_is_named_and_no_other_is_asked_after_it(turns: Turns, clock: StoppedClock) -> None:
    let_go, ended = threading.Event(), threading.Event()
    asked: list[str] = []

    def ask(name: str, _: Store) -> None:
        asked.append(name)
        if name == "boats":
            clock.seconds += DEADLINE
            assert let_go.wait(60)

    def search(turn: Turn) -> None:
        try:
            turn.each(STORES, ask)
        finally:
            ended.set()

    with pytest.raises(StoreTimedOut) as late:
        turns.take(STORES, search)
    assert late.value.name == "boats"
    assert turns.overdue(STORES) == {"boats"}
    let_go.set()
    assert ended.wait(60)
    assert asked == ["birds", "boats"]
    while turns.overdue(STORES):
        pass  # the future is marked as done a moment after the search has ended


def test_a_search_that_takes_long_between_its_stores_is_waited_for(turns: Turns, clock: StoppedClock) -> None:
    def search(turn: Turn) -> str:
        turn.each(STORES, lambda name, _: name)
        clock.seconds += DEADLINE * 2  # the model reads the query, say
        threading.Event().wait(DEADLINE * 2)  # so that whoever waits looks meanwhile
        return "found"

    assert turns.take(STORES, search) == "found"
