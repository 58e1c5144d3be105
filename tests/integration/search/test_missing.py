from collections.abc import Callable

import pytest

from daemon.errors import NotFound
from daemon.search.service import Searcher
from daemon.search.types import SearchRequest
from profiles.rows import FailureRow
from tests.integration.search.conftest import VAULT, MakeStore, note

MakeSearcher = Callable[..., Searcher]


@pytest.fixture
def searcher(make_store: MakeStore, searcher_over: MakeSearcher) -> Searcher:
    notes = [note(f"{number}.md", f"gold {'and silver ' * number}ore", tags=("metal",)) for number in range(5)]
    store = make_store(*notes, note("copy.md", "gold ore"), note("other.md", "clay"), embedded=False)
    with store.writing() as writer:
        writer.put_failure(FailureRow(VAULT, "scan.md", "not-utf8", "It is not UTF-8 text."))
    return searcher_over(home=store)


@pytest.mark.parametrize(
    ("query", "path", "stage"),
    [
        ("gold ore", "0.md", "shown"),
        ("gold ore", "copy.md", "shown"),
        ("gold ore", "4.md", "outranked"),
        ("gold ore", "other.md", "not-found"),
        ("gold tag:stone", "0.md", "filtered"),
        ('"gold and silver"', "0.md", "filtered"),
        ("gold", "scan.md", "unreadable"),
        ("gold", "nowhere.md", "not-indexed"),
    ],
)
def test_what_became_of_a_note_is_told(searcher: Searcher, query: str, path: str, stage: str) -> None:
    found = searcher.explain(SearchRequest(query, limit=3), path)
    if path == "copy.md":
        assert found.stage in ("shown", "folded")
    else:
        assert found.stage == stage
    assert found.message


def test_a_note_that_is_ranked_has_its_place_and_its_points(searcher: Searcher) -> None:
    found = searcher.explain(SearchRequest("gold ore", limit=1), "3.md")
    assert found.rank is not None
    assert found.rank > 1
    assert found.parts
    assert str(found.rank) in found.remedy


def test_a_filter_that_drops_a_note_is_named(searcher: Searcher) -> None:
    found = searcher.explain(SearchRequest("gold tag:metal tag:stone"), "0.md")
    assert "stone" in found.message
    assert "metal" not in found.message


def test_a_vault_that_is_not_in_scope_is_refused(searcher: Searcher) -> None:
    with pytest.raises(NotFound):
        searcher.explain(SearchRequest("gold", profiles=("nobody",)), "0.md")
