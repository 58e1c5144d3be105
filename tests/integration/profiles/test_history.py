"""The search history in a real store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.profiles.journal.history import MOST_EVENTS, History
from scrubjay.profiles.journal.search_event import Asker, SearchEvent
from scrubjay.profiles.store.file_store import FileStore

HOUR_NS = 3_600 * 10**9
PANEL = Asker("panel", "Obsidian · Notes")
AGENT = Asker("agent", "Claude")


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    store = FileStore.open(tmp_path / "index.sqlite3")
    yield History(store)
    store.close()


def event(query: str, at_ns: int, asker: Asker = PANEL) -> SearchEvent:
    return SearchEvent(at_ns, query, "hybrid", 3, 1.0, asker=asker, relevance="medium")


def test_the_newest_comes_first(history: History) -> None:
    history.record([event("a", 1), event("b", 2)])
    assert [found.query for found in history.events()] == ["b", "a"]


def test_what_is_remembered_comes_back_as_it_was(history: History) -> None:
    searched = SearchEvent(7, "heron", "lexical", 2, 3.5, ("a.md", "b.md"), AGENT, "low")
    history.record([searched])
    assert history.events() == (searched,)


def test_only_the_newest_stay(history: History) -> None:
    history.record(event(f"{number}", number) for number in range(MOST_EVENTS + 5))
    kept = [found.query for found in history.events()]
    assert (len(kept), kept[-1]) == (MOST_EVENTS, "5")


def test_opened_results_belong_to_the_newest_search_of_that_query(history: History) -> None:
    history.record([event("a", 1), event("a", 2), event("b", 3)])
    assert history.opened("a", "x.md", 10, PANEL)
    assert history.opened("a", "y.md", 11, PANEL)
    assert history.opened("a", "x.md", 12, PANEL)
    assert [found.opened for found in history.events()] == [(), ("x.md", "y.md"), ()]


def test_opened_results_belong_to_a_search_of_the_same_client(history: History) -> None:
    history.record([event("a", 1, PANEL), event("a", 2, AGENT)])
    assert history.opened("a", "x.md", 10, PANEL)
    assert [(found.asker, found.opened) for found in history.events()] == [(AGENT, ()), (PANEL, ("x.md",))]


@pytest.mark.parametrize(("query", "at_ns"), [("b", 2), ("a", 2 * HOUR_NS)])
def test_what_was_opened_without_such_a_search_is_said(history: History, query: str, at_ns: int) -> None:
    history.record([event("a", 1)])
    assert not history.opened(query, "x.md", at_ns, PANEL)


def test_clearing_leaves_nothing(history: History) -> None:
    history.record([event("a", 1), event("b", 2)])
    history.opened("a", "x.md", 10, PANEL)
    assert history.clear() == 2
    assert history.events() == ()


def test_a_history_is_that_of_its_own_database(tmp_path: Path, history: History) -> None:
    history.record([event("a", 1)])
    other = FileStore.open(tmp_path / "other.sqlite3")
    assert History(other).events() == ()
    other.close()
