"""What is called so comes first: by its title, an alias or its file's name, at each keystroke too."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest
from scrubjay.profiles.store.rows import NoteBundle
from tests.integration.search.conftest import MakeStore, note

CALLED = (
    note("Languages/rust.md", "A language without a collector.", title="Rust"),
    note("rust-libraries.md", *(f"rust rust rust crate {number}" for number in range(150))),
    note("Oxidation.md", "rust rust rust, rust on iron", title="How rust eats iron"),
    note("2019.md", "A year in review."),
    note("Log.md", *(f"in 2019 and 2019 again, day {number}" for number in range(150))),
    note("People/gs.md", "She wrote the note on the engine.", title="Notes: G (1843)"),
    note("The Art of War.md", "Sun Tzu."),
    note("War.md", "the art of war, the art of war in art"),
)


def aliased(bundle: NoteBundle, *aliases: str) -> NoteBundle:
    return replace(bundle, note=replace(bundle.note, aliases=aliases))


@pytest.fixture
def searcher(make_store: MakeStore, searcher_over: Callable[..., Searcher]) -> Searcher:
    lovelace = aliased(note("People/Lovelace.md", "A countess."), "Ada", "Enchantress of Numbers")
    return searcher_over(p=make_store(*CALLED, lovelace, note("Ada language.md", "ada ada ada")))


@pytest.mark.parametrize(("mode", "typing"), [("hybrid", False), ("lexical", False), ("lexical", True)])
@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("rust", "Languages/rust.md"),
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
def test_the_note_of_that_name_comes_first(searcher: Searcher, query: str, path: str, mode: Mode, typing: bool) -> None:
    assert searcher.search(SearchRequest(query, mode=mode, typing=typing)).results[0].path == path


@pytest.mark.parametrize("query", ["rus", "the art of w", "lovel"])
def test_a_name_is_found_while_it_is_typed(searcher: Searcher, query: str) -> None:
    found = searcher.search(SearchRequest(query, mode="lexical", typing=True)).results
    assert found[0].title.lower().startswith(query)


def test_a_filter_keeps_out_even_what_is_called_so(searcher: Searcher) -> None:
    assert "Languages/rust.md" not in [hit.path for hit in searcher.search(SearchRequest("rust -language")).results]
