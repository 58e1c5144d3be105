"""What is called so comes first: by its title, an alias or its file's name, at each keystroke too."""

from dataclasses import replace

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from tests.integration.search.conftest import Over, note, paths

LOVELACE = note("People/Lovelace.md", "A countess.")
CALLED = (
    note("Languages/rust.md", "A language without a collector.", title="Rust"),
    note("rust-libraries.md", *(f"rust rust rust crate {number}" for number in range(150))),
    note("Oxidation.md", "rust rust rust, rust on iron", title="How rust eats iron"),
    note("2019.md", "A year in review."),
    note("Log.md", *(f"in 2019 and 2019 again, day {number}" for number in range(150))),
    note("People/gs.md", "She wrote the note on the engine.", title="Notes: G (1843)"),
    note("The Art of War.md", "Sun Tzu."),
    note("War.md", "the art of war, the art of war in art"),
    note("Ada language.md", "ada ada ada"),
    replace(LOVELACE, note=replace(LOVELACE.note, aliases=("Ada", "Enchantress of Numbers"))),
)


@pytest.fixture
def searcher(over: Over) -> Searcher:
    return over(*CALLED)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("RUST", "Languages/rust.md"),
        ("rust -iron", "Languages/rust.md"),
        ("2019", "2019.md"),
        ("gs", "People/gs.md"),
        ("notes g 1843", "People/gs.md"),
        ("the art of war", "The Art of War.md"),
        ('"the art of war"', "The Art of War.md"),
        ("ada", "People/Lovelace.md"),
        ("enchantress of numbers", "People/Lovelace.md"),
    ],
)
def test_the_note_of_that_name_comes_first(searcher: Searcher, query: str, path: str) -> None:
    ways = [{"mode": "hybrid"}, {"mode": "lexical"}, {"mode": "lexical", "typing": True}]
    assert [paths(searcher, query, **way)[0] for way in ways] == [path] * 3


@pytest.mark.parametrize("query", ["rus", "the art of w", "lovel"])
def test_a_name_is_found_while_it_is_typed(searcher: Searcher, query: str) -> None:
    found = searcher.search(SearchRequest(query, mode="lexical", typing=True)).results
    assert found[0].title.lower().startswith(query)


def test_a_filter_keeps_out_even_what_is_called_so(searcher: Searcher) -> None:
    assert "Languages/rust.md" not in paths(searcher, "rust -language")
