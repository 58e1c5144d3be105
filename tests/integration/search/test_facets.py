"""Facets and orders are of all that matches, not of the page that is shown."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, SearchResponse, Sort
from scrubjay.profiles.store.rows import NoteBundle
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault
from tests.helpers.stores import NewStore
from tests.integration.search.conftest import NAMED, NOW, Over, fill, note
from tests.integration.search.test_every_note import write_vault


@pytest.fixture(scope="module")
def searcher(new_module_store: NewStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    """Over a vault of some hundred and twenty notes and another of three."""
    folder = tmp_path_factory.mktemp("facets")
    write_vault(folder / "vault")
    many, few = new_module_store(), new_module_store()
    index_vault(many, folder / "vault")
    tags = enumerate(("stone", "Stone/Hard", "wood"), start=1)
    fill(
        few,
        [note(f"Stones/{n}.md", f"amber {n}", tags=(tag,), day=n) for n, tag in tags],
        HashEncoder(),
        embedded=False,
    )
    stores = {"many": many, "few": few}
    made = Searcher(lambda: stores, HashEncoder(), circumstances=NAMED, clock=lambda: NOW)
    yield made
    made.close()


def counted(searcher: Searcher, query: str, *names: str, **options: object) -> dict[str, dict[str, int]]:
    request = SearchRequest(query, mode="lexical", facets=names, limit=3, **options)  # type: ignore[arg-type]
    return {
        facet.name: {value.value: value.count for value in facet.values} for facet in searcher.search(request).facets
    }


@pytest.mark.parametrize("query", ["amber", "book -cobalt", "tag:stone", '"paragraph 12"', "amber profile:few"])
@pytest.mark.parametrize(
    ("facet", "narrowing"),
    [
        ("folder", 'path:"{}/"'),
        ("tag", "tag:{}"),
        ("profile", "profile:{}"),
        ("month", "modified:{}"),
        ("property:status", "[status:{}]"),
    ],
)
def test_a_facet_counts_what_narrowing_by_it_leaves(searcher: Searcher, query: str, facet: str, narrowing: str) -> None:
    for value, count in counted(searcher, query, facet).get(facet, {}).items():
        narrowed = searcher.search(SearchRequest(f"{query} {narrowing.format(value)}", mode="lexical"))
        assert narrowed.total_notes == count, value


def test_the_ten_commonest_values_come_first(searcher: Searcher) -> None:
    counts = counted(searcher, "book", "tag", "folder", "property:status", "profile")
    assert list(counts) == ["tag", "folder", "property:status", "profile"]
    assert list(counts["tag"].items())[:4] == [("stone", 120), ("year", 120), ("stone/hard", 60), ("stone/soft", 60)]
    assert len(counts["tag"]) == 10
    assert counts["folder"] == {"Stones": 90, "Ores": 30, "Ores/Deep": 30}
    assert counts["property:status"] == {"open": 80, "done": 40}
    assert counts["profile"] == {"many": 120}


def test_without_facets_none_are_counted(searcher: Searcher) -> None:
    assert searcher.search(SearchRequest("book")).facets == ()


def sorted_answer(searcher: Searcher, query: str, sort: Sort) -> SearchResponse:
    return searcher.search(SearchRequest(query, mode="lexical", sort=sort, limit=1000))


@pytest.mark.parametrize("query", ["amber", "tag:stone/soft"])
@pytest.mark.parametrize("sort", ["modified", "title", "path"])
def test_an_order_is_of_all_matches_in_both_directions(searcher: Searcher, query: str, sort: Sort) -> None:
    def values(answer: SearchResponse) -> list[str]:
        return [str(getattr(result, sort)).casefold() for result in answer.results]

    there = values(sorted_answer(searcher, query, sort))
    back = values(sorted_answer(searcher, query, cast("Sort", f"-{sort}")))
    assert (there, back) == (sorted(there), sorted(back, reverse=True))
    found = searcher.search(SearchRequest(query, mode="lexical"))
    assert found.total_notes == len(there) == len(back)


def test_notes_without_a_date_of_creation_come_last_whichever_way(over: Over) -> None:
    def created(path: str, year: int | None) -> NoteBundle:
        bundle = note(path, f"gold {path}")
        stamp = None if year is None else int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 10**9
        return replace(bundle, note=replace(bundle.note, created_ns=stamp))

    searcher = over(
        one=[created("a.md", 2020), created("b.md", None), created("c.md", 2010)],
        two=[created("d.md", 2015), created("e.md", None)],
    )
    sorts: tuple[Sort, ...] = ("created", "-created")
    orders = {sort: [hit.path for hit in sorted_answer(searcher, "gold", sort).results] for sort in sorts}
    assert orders == {
        "created": ["c.md", "d.md", "a.md", "b.md", "e.md"],
        "-created": ["a.md", "d.md", "c.md", "b.md", "e.md"],
    }
