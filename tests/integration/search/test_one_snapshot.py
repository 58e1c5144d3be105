"""What one search reads of a store belongs together."""

from collections.abc import Callable

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest
from scrubjay.profiles.store.sqlite import ReaderPool
from tests.integration.search.conftest import MakeStore, note


@pytest.fixture
def store_kind() -> str:
    return "file"


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
@pytest.mark.parametrize("query", ["jays and magpies", "jasy", '"jays and magpies" -crow', "jay*"])
def test_a_search_reads_one_snapshot_of_each_store(
    mode: Mode,
    query: str,
    make_store: MakeStore,
    searcher_over: Callable[..., Searcher],
    monkeypatch: pytest.MonkeyPatch,
):
    birds = [note(f"{number}.md", f"jays and magpies {number}", "a crow") for number in range(15)]
    searcher = searcher_over(first=make_store(*birds), second=make_store(*birds[:3]))
    searcher.search(SearchRequest(query, mode=mode))  # words for typos, and arrays, are there from here on
    taken: list[ReaderPool] = []
    take = ReaderPool.reading

    def counted(self: ReaderPool, *, short: bool = False) -> object:
        taken.append(self)
        return take(self, short=short)

    monkeypatch.setattr(ReaderPool, "reading", counted)
    searcher.search(SearchRequest(query, mode=mode))
    assert len(taken) == len(set(taken)) == 2
