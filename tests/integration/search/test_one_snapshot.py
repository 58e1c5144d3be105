"""What one search reads of a store belongs together."""

import pytest

from scrubjay.profiles.search.types import Mode, SearchRequest
from scrubjay.profiles.store.sqlite import ReaderPool
from tests.integration.search.conftest import Over, note


@pytest.fixture(scope="module", name="module_store_kind")
def only_files() -> str:
    return "file"


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
@pytest.mark.parametrize("query", ["jays and magpies", "jasy", '"jays and magpies" -crow', "jay*"])
def test_a_search_reads_one_snapshot_of_each_store(
    mode: Mode, query: str, over: Over, monkeypatch: pytest.MonkeyPatch
) -> None:
    birds = [note(f"{number}.md", f"jays and magpies {number}", "a crow") for number in range(15)]
    searcher = over(first=birds, second=birds[:3])
    searcher.search(SearchRequest(query, mode=mode))  # words for typos, and arrays, are there from here on
    taken: list[ReaderPool] = []
    take = ReaderPool.reading

    def counted(self: ReaderPool, *, short: bool = False) -> object:
        taken.append(self)
        return take(self, short=short)

    monkeypatch.setattr(ReaderPool, "reading", counted)
    searcher.search(SearchRequest(query, mode=mode))
    assert len(taken) == len(set(taken)) == 2
