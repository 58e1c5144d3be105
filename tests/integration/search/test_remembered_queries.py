"""What a profile's history keeps of a query: its operators, and of its words those that stand in the notes."""

from collections.abc import Iterable, Mapping

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.engine.search_log import SearchLog, rememberable
from scrubjay.profiles.journal.search_event import Asker
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.query.operators import OPERATORS
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.store import Store
from tests.integration.search.conftest import MakeStore, Over, note


@pytest.fixture
def store(make_store: MakeStore) -> Store:
    return make_store(note("Heron.md", "the heron waits at the weir, kestrel.pdf beside it"), embedded=False)


VALUES = {"kind": "image", "lang": "de", "modified": ">2026-01-31", "created": "30d", "sort": "-modified"}
"""What stands in no note, and is the query language's own; others are words of the notes."""


def kept(store: Store, queries: Iterable[str]) -> Mapping[str, str]:
    return {query: rememberable(query, store, BUILT_IN) for query in queries}


def test_every_operator_survives_the_history(store: Store) -> None:
    queries = [f"heron {operator}:{VALUES.get(operator, 'weir')}" for operator in OPERATORS]
    assert kept(store, queries) == {query: query for query in queries}


def test_operators_are_kept_however_they_are_written(store: Store) -> None:
    queries = 'heron -kind:pdf|heron (KIND:pdf OR kind:note)|modified:"last week" heron|line:(weir heron)'
    written = f"{queries}|section:(match-case:Weir)|content:heron size:weir".split("|")
    assert kept(store, written) == {query: query for query in written}


def test_of_a_word_with_a_mistake_what_was_searched_in_its_place_is_kept(store: Store, searcher_over: Over) -> None:
    profile = Profile(id="0" * 12, name="p", colour="#000000")
    log = SearchLog(lambda: {profile.id: (profile, store)}, lambda _: BUILT_IN, lambda: 1e9)
    request = SearchRequest("hreon at the zyzzyva", mode="lexical", profiles=("p",), ids=(profile.id,))
    log.searched(request, searcher_over(p=store).search(request), Asker("page"))
    assert [each.event.query for each in log.events([profile], slow=False, missed=False)] == ["heron at the …"]


def test_what_neither_the_notes_nor_the_language_know_is_left_out(store: Store) -> None:
    unknown = (
        *(f"{operator}:zyzzyva" for operator in OPERATORS),
        "lang:de-zyzzyva",
        "modified:>zyzzyva..2026",
        "zyzzyva:weir",
        'path:"zyzzyva"',
    )
    assert kept(store, [f"heron {word}" for word in unknown]) == {f"heron {word}": "heron …" for word in unknown}
