"""The search history in a real store."""

from pathlib import Path

import pytest

from scrubjay.profiles.journal.search_event import Asker, SearchEvent
from scrubjay.profiles.journal.searches import MOST_EVENTS, History, openings
from scrubjay.profiles.store.store import Store
from tests.helpers.stores import NewStore, team_store
from tests.helpers.team_server import TeamDatabase

HOUR_NS = 3_600 * 10**9
PANEL = Asker("panel", "Obsidian · Notes")
AGENT = Asker("agent", "Claude")


@pytest.fixture
def history(store: Store) -> History:
    return History(store)


def event(query: str, at_ns: int, asker: Asker = PANEL) -> SearchEvent:
    return SearchEvent(at_ns, query, "hybrid", 3, 1.0, asker=asker, relevance="medium")


def test_what_is_remembered_comes_back_as_it_was_the_newest_first_until_it_is_cleared(history: History) -> None:
    searched = SearchEvent(7, "heron", "lexical", 2, 3.5, ("a.md", "b.md"), AGENT, "low")
    history.record([event("a", 1), searched])
    assert history.events() == (searched, event("a", 1))
    assert history.clear() == 2
    assert history.events() == ()


def test_only_the_newest_stay(history: History) -> None:
    history.record(event(f"{number}", number) for number in range(MOST_EVENTS + 5))
    kept = [found.query for found in history.events()]
    assert (len(kept), kept[-1]) == (MOST_EVENTS, "5")


def test_opened_results_belong_to_the_newest_search_of_that_query_by_the_same_client(history: History) -> None:
    history.record([event("a", 1), event("a", 2), event("a", 3, AGENT), event("b", 4)])
    for path, at_ns in (("x.md", 10), ("y.md", 11), ("x.md", 12)):
        assert history.opened("a", path, at_ns, PANEL)
    assert [found.opened for found in history.events()] == [(), (), ("x.md", "y.md"), ()]
    assert not history.opened("c", "x.md", 2, PANEL)
    assert not history.opened("a", "x.md", 2 * HOUR_NS, PANEL)


def test_a_history_is_that_of_its_own_database(new_store: NewStore) -> None:
    one, other = History(new_store()), History(new_store())
    one.record([event("a", 1)])
    assert other.events() == ()


def test_a_history_on_a_server_is_each_members_own(team_database: TeamDatabase, tmp_path: Path) -> None:
    anna, ben = (team_store(tmp_path / name, team_database, name) for name in ("anna", "ben"))
    of_anna, of_ben = History(anna), History(ben)
    of_anna.record([event("a", 1)])
    of_ben.record(event(f"{number}", number) for number in range(MOST_EVENTS + 5))
    assert [found.query for found in of_anna.events()] == ["a"]
    assert not of_ben.opened("a", "x.md", 10, PANEL)
    assert of_anna.opened("a", "x.md", 10, PANEL)
    assert (ben.read(openings), len(anna.read(openings))) == ((), 1)
    assert of_ben.clear() == MOST_EVENTS
    assert [(found.query, found.opened) for found in of_anna.events()] == [("a", ("x.md",))]
    anna.close()
    ben.close()
