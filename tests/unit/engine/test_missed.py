"""Which searches of a history seem to have missed."""

from typing import Literal

import pytest

from scrubjay.daemon.engine.missed_searches import judged
from scrubjay.profiles.journal.search_event import Asker, Missed, SearchEvent

PANEL, PAGE, TERMINAL = Asker("panel", "Obsidian · Notes"), Asker("page", "command line"), Asker("terminal", "me")
AGENT, OTHER_AGENT = Asker("agent", "Claude"), Asker("agent", "Cursor")


def searched(
    query: str,
    seconds: float,
    asker: Asker,
    relevance: Literal["high", "medium", "low", ""] = "high",
    *,
    opened: tuple[str, ...] = (),
    results: int = 3,
) -> SearchEvent:
    return SearchEvent(int(seconds * 1e9), query, "hybrid", results, 1.0, opened, asker, relevance)


def first_missed(*events: SearchEvent) -> tuple[Missed, ...]:
    """Why the first of these searches is thought to have missed."""
    return judged(("notes", event) for event in events)[-1].missed


@pytest.mark.parametrize(
    ("event", "missed"),
    [
        (searched("heron", 1, PANEL), ("unopened",)),
        (searched("heron", 1, PAGE), ("unopened",)),
        (searched("heron", 1, PAGE, opened=("a.md",)), ()),
        (searched("heron", 1, PAGE, "low", opened=("a.md",)), ("low",)),
        (searched("heron", 1, PANEL, "low"), ("low", "unopened")),
        (searched("heron", 1, PANEL, "low", results=0), ("low",)),
        (searched("heron", 1, TERMINAL), ()),  # nobody sees what is read there
        (searched("heron", 1, TERMINAL, "low"), ("low",)),
        (searched("heron", 1, AGENT), ()),
        (searched("heron", 1, Asker(), ""), ()),  # remembered before any of it was noted
    ],
)
def test_one_search_by_itself(event: SearchEvent, missed: tuple[Missed, ...]) -> None:
    assert first_missed(event) == missed


@pytest.mark.parametrize(
    ("first", "second", "missed"),
    [
        (searched("heron weir", 0, TERMINAL), searched("grey bird", 60, TERMINAL), ("reworded",)),
        (searched("heron weir", 0, TERMINAL), searched("grey bird", 61, TERMINAL), ()),
        (searched("heron weir", 0, TERMINAL), searched("heron", 9, TERMINAL), ("reworded",)),
        (searched("heron weir", 0, TERMINAL), searched("Héron  weir", 9, TERMINAL), ()),  # the same words
        (searched("heron weir", 0, AGENT), searched("herons dam", 9, AGENT), ("reworded",)),
        (searched("heron weir", 0, AGENT), searched("invoice", 9, AGENT), ()),  # another subject
        (searched("heron weir", 0, AGENT), searched("heron dam", 9, OTHER_AGENT), ()),
        (searched("heron", 0, PANEL), searched("bird", 9, PANEL), ("unopened", "reworded")),
        (searched("heron", 0, PANEL, opened=("a.md",)), searched("bird", 9, PANEL), ()),
        (searched("heron", 0, PANEL, opened=("a.md",)), searched("heron dam", 9, PANEL), ("reworded",)),
        (searched("hero", 0, PANEL, "low"), searched("heron", 99, PANEL), ("low", "unopened")),
        (searched("heron weir", 0, PANEL), searched("heron", 1, PANEL), ("unopened", "reworded")),
    ],
)
def test_a_search_and_the_one_after_it(first: SearchEvent, second: SearchEvent, missed: tuple[Missed, ...]) -> None:
    assert first_missed(first, second) == missed


@pytest.mark.parametrize(
    ("first", "listed"),
    [
        (searched("hero", 0, PANEL, "low"), ["heron"]),
        (searched("hero", 0, PAGE), ["heron", "hero"]),  # of another client
        (searched("hero", 0, PANEL, opened=("a.md",)), ["heron", "hero"]),
        (searched("hero", -99, PANEL), ["heron", "hero"]),
    ],
)
def test_what_is_typed_on_is_no_search_of_its_own(first: SearchEvent, listed: list[str]) -> None:
    found = judged([("notes", first), ("notes", searched("heron", 1, PANEL))])
    assert [each.event.query for each in found] == listed


def test_a_repetition_hides_no_other_words_after_it() -> None:
    again, other = searched("heron", 10, TERMINAL), searched("bird", 20, TERMINAL)
    assert first_missed(searched("heron", 0, TERMINAL), again, other) == ("reworded",)


def test_what_was_opened_in_one_profile_was_found_by_the_search_over_several() -> None:
    at_home, at_work = searched("heron", 1, PANEL, opened=("a.md",)), searched("heron", 1, PANEL)
    found = judged([("home", at_home), ("work", at_work)])
    assert [(each.profile, each.missed) for each in found] == [("home", ()), ("work", ())]
