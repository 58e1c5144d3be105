"""Every filter acts before the cut: what passes is ranked as if there were nothing else."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.profiles.search import searcher as searching
from scrubjay.profiles.search.rank import retrieval
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest
from scrubjay.profiles.store.rows import NoteBundle
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team.team_store import TeamStore
from scrubjay.profiles.team.vector_index import to_choose
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.stores import NewStore
from tests.integration.search.conftest import NAMED, NOW, fill, note

NOTES = 160
DEPTH = 20
Passes = Callable[[int], bool]


@dataclass(frozen=True)
class Filter:
    """A filter as it is typed, and the notes by number that pass it."""

    text: str
    passes: Passes


FILTERS = st.sampled_from(
    [
        Filter("tag:third", lambda number: number % 3 == 0),
        Filter("-tag:third", lambda number: number % 3 != 0),
        Filter("path:far", lambda number: number >= 100),
        Filter("file:*7.md", lambda number: number % 10 == 7),
        Filter('"word one"', lambda number: number % 2 == 1),
        Filter("-(one OR three)", lambda number: number % 2 == 0),
        Filter("modified:>=2026-03-20", lambda number: 1 + number % 28 >= 20),
        Filter("(tag:third OR tag:fifth)", lambda number: number % 3 == 0 or number % 5 == 0),
        Filter("-(tag:third tag:fifth)", lambda number: number % 15 != 0),
        Filter("vault:Notes", lambda number: True),
    ]
)


@pytest.fixture(scope="module")
def store(new_module_store: NewStore) -> Store:
    """Notes whose other words drown the gold the more, the higher their number is: no two score alike."""

    def numbered(number: int) -> NoteBundle:
        text = f"gold ore{' mud' * number} word {'one' if number % 2 else 'two'}"
        tags = [name for name, every in (("third", 3), ("fifth", 5)) if number % every == 0]
        return note(f"{'far/' if number >= 100 else ''}{number}.md", text, tags=tags, day=1 + number % 28)

    return fill(new_module_store(), list(map(numbered, range(NOTES))), HashEncoder())


def paths(store: Store, query: str, mode: Mode, depth: int) -> list[str]:
    """All notes that a search finds, of which so many passages of each leg are ranked together."""
    made = Searcher(lambda: {"p": store}, HashEncoder(), circumstances=NAMED, clock=lambda: NOW)
    with pytest.MonkeyPatch.context() as patch:
        for module in (retrieval, searching):
            patch.setattr(module, "LEXICAL_DEPTH", depth)
            patch.setattr(module, "SEMANTIC_DEPTH", depth)
        found = made.search(SearchRequest(query, limit=NOTES, mode=mode)).results
    made.close()
    return [result.path for result in found]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(filters=st.lists(FILTERS, min_size=1, max_size=3), mode=st.sampled_from(("lexical", "semantic")))
def test_filtering_first_gives_what_filtering_an_unlimited_answer_gives(
    store: Store, filters: list[Filter], mode: Mode
) -> None:
    # Phrases rank too, so that both sides must be asked for the same words.
    query = "gold ore " + " ".join(each.text for each in filters if '"' not in each.text)
    phrases = " ".join(each.text for each in filters if '"' in each.text)
    unlimited = paths(store, f"gold ore {phrases}", mode, depth=NOTES)
    expected = [path for path in unlimited if all(each.passes(_number(path)) for each in filters)]
    found = paths(store, f"{query} {phrases}", mode, depth=DEPTH)
    assert found[:DEPTH] == expected[:DEPTH]
    if isinstance(store, TeamStore) and mode == "semantic":  # a server chooses so many by meaning, and no more
        assert set(found) <= set(expected)
        assert len(found) == min(len(expected), to_choose(DEPTH))
    else:
        assert sorted(found) == sorted(expected)


def _number(path: str) -> int:
    return int(path.rpartition("/")[2].removesuffix(".md"))
