"""The search history in a real store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.profiles.journal.history import MOST_EVENTS, History, SearchEvent
from scrubjay.profiles.store.store import Store

HOUR_NS = 3_600 * 10**9


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    store = Store.open(tmp_path / "index.sqlite3")
    yield History(store)
    store.close()


def event(query: str, at_ns: int, took_ms: float = 1.0) -> SearchEvent:
    return SearchEvent(at_ns, query, "hybrid", 3, took_ms)


def test_the_newest_comes_first(history: History) -> None:
    history.record([event("a", 1), event("b", 2)])
    assert [found.query for found in history.events(10)] == ["b", "a"]
    assert [found.query for found in history.events(1)] == ["b"]


def test_only_the_newest_stay(history: History) -> None:
    history.record(event(f"{number}", number) for number in range(MOST_EVENTS + 5))
    kept = [found.query for found in history.events(2 * MOST_EVENTS)]
    assert (len(kept), kept[-1]) == (MOST_EVENTS, "5")


def test_opened_results_belong_to_the_newest_search_of_that_query(history: History) -> None:
    history.record([event("a", 1), event("a", 2), event("b", 3)])
    assert history.opened("a", "x.md", 10)
    assert history.opened("a", "y.md", 11)
    assert history.opened("a", "x.md", 12)
    assert [found.opened for found in history.events(10)] == [(), ("x.md", "y.md"), ()]


@pytest.mark.parametrize(("query", "at_ns"), [("b", 2), ("a", 2 * HOUR_NS)])
def test_what_was_opened_without_such_a_search_is_said(history: History, query: str, at_ns: int) -> None:
    history.record([event("a", 1)])
    assert not history.opened(query, "x.md", at_ns)


def test_slow_searches_can_be_listed_alone(history: History) -> None:
    history.record([event("quick", 1, 10.0), event("slow", 2, 900.0)])
    assert [found.query for found in history.events(10, slower_than_ms=500)] == ["slow"]


def test_clearing_leaves_nothing(history: History) -> None:
    history.record([event("a", 1), event("b", 2)])
    history.opened("a", "x.md", 10)
    assert history.clear() == 2
    assert history.events(10) == ()


def test_a_history_is_that_of_its_own_database(tmp_path: Path, history: History) -> None:
    history.record([event("a", 1)])
    other = Store.open(tmp_path / "other.sqlite3")
    assert History(other).events(10) == ()
    other.close()
