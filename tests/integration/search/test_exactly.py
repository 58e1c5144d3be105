"""Exact things are found exactly: a word in whole, expressions, identifiers, numbers."""

from collections.abc import Callable

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from tests.integration.search.conftest import MakeStore, note

MakeSearcher = Callable[..., Searcher]

EXACT = (
    note("Fast.md", "A fast framework."),
    note("Fasting.md", "Fasting, and breakfast after it; faster than fast-forward?"),
    note("Cpp.md", "Written in C++ and OCaml."),
    note("C.md", "Written in C."),
    note("Sorting.md", "Merge sort takes O(n log n) steps."),
    note("Logs.md", "n logs of the n-th order: O and n, log by log."),
    note("Git.md", "git pull --rebase"),
    note("Rebase.md", "Rebase, then rebase again."),
    note("Greek.md", "Το σπίτι."),
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("=framework", ["Fast.md"]),
        ("=faster", ["Fasting.md"]),
        ("=C++", ["Cpp.md"]),
        ("=--rebase", ["Git.md"]),
        ("=σπίτι", ["Greek.md"]),
        ("=σπίτ", []),
        ('="n log n"', ["Sorting.md"]),
        ("-=fast =written", ["C.md", "Cpp.md"]),
        ("=breakfas", []),
    ],
)
def test_a_word_in_whole_is_found_as_it_is_written(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, found: list[str]
) -> None:
    answer = searcher_over(p=make_store(*EXACT)).search(SearchRequest(query, mode="lexical"))
    assert sorted(result.path for result in answer.results) == found


def test_an_expression_is_found_where_it_stands_so(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    answer = searcher_over(p=make_store(*EXACT)).search(SearchRequest("O(n log n)", mode="lexical"))
    assert answer.results[0].path == "Sorting.md"
    assert answer.warnings == ()


NUMBERS = (
    note("Rent.md", "The rent is 18 400 a year."),
    note("Budget.md", "In all 3.500.000 were asked for."),
    note("Grant.md", "A grant of 15,000 was paid."),
    note("Arabic.md", "دفعنا ٢٤٠ ريال"),
    note("Hindi.md", "किराया ८५०० रुपये"),
    note("Thai.md", "พ.ศ. ๒๕๖๙"),
    note("Plain.md", "Paid 7250 at once."),
    note("Hyphen.md", "Die Wander\u00adung war lang."),
)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("18400", "Rent.md"),
        ("18 400", "Rent.md"),
        ("18,400", "Rent.md"),
        ("3500000", "Budget.md"),
        ("15000", "Grant.md"),
        ("240", "Arabic.md"),
        ("8500", "Hindi.md"),
        ("2569", "Thai.md"),
        ("٧٢٥٠", "Plain.md"),
        ("7 250", "Plain.md"),
        ("Wanderung", "Hyphen.md"),
        ("Wan\u00adderung", "Hyphen.md"),
    ],
)
def test_a_number_is_found_in_all_digits_and_groups_and_a_soft_hyphen_hides_nothing(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, path: str
) -> None:
    answer = searcher_over(p=make_store(*NUMBERS)).search(SearchRequest(query, mode="lexical", explain=True))
    assert [result.path for result in answer.results] == [path]
    assert answer.results[0].highlights
    assert answer.results[0].words is not None and answer.results[0].words.lacks == ()
