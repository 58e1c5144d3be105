"""Exact things are found exactly: a word in whole, expressions, identifiers, numbers."""

from collections.abc import Callable

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest
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


SYMBOLS = (
    note("Fête.md", "The party 🎉 went on; 👩‍💻 came, and 👍🏽 from all.", "The second passage."),
    note("Prices.md", "It costs 5 €; a → b, √2 and ★★★☆☆."),
    note("Cake.md", "A cake for the party."),
    note("Garden.md", "Tomatoes and basil."),
    note("🗂️ Index.md", "What lies where."),
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("🎉", ["Fête.md"]),
        ("💻", ["Fête.md"]),
        ("👍", ["Fête.md"]),
        ("€", ["Prices.md"]),
        ("→", ["Prices.md"]),
        ("√", ["Prices.md"]),
        ("★★★★", ["Prices.md"]),
        ('"☆"', ["Prices.md"]),
        ("🗂️", ["🗂️ Index.md"]),
        ("🎂", []),
        ("party -🎉", ["Cake.md"]),
        ('"party went"', ["Fête.md"]),
        ('"party 🎉 went"', ["Fête.md"]),
        ("=🎉x", []),
        ("=a–b", []),
    ],
)
@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_a_symbol_is_found_where_it_stands(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, found: list[str], mode: Mode
) -> None:
    answer = searcher_over(p=make_store(*SYMBOLS)).search(SearchRequest(query, mode=mode, explain=True))
    with_words = [result for result in answer.results if result.found_by == "words"]
    assert [result.path for result in with_words] == found
    if found and '"' not in query and "-" not in query:
        assert answer.results[0].path == found[0]
        assert answer.relevance != "low"
        said = with_words[0].words
        assert said is not None
        assert (said.has, said.lacks) == ((query,), ())


def test_a_symbol_is_marked_as_a_reader_sees_it_and_told_where_no_note_has_it(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    searcher = searcher_over(p=make_store(*SYMBOLS))
    [found] = searcher.search(SearchRequest("💻", mode="lexical")).results
    assert [found.snippet[start:end] for start, end in found.highlights] == ["👩‍💻"]
    [notice] = searcher.search(SearchRequest("🎂 party", mode="lexical")).notices
    assert (notice.code, notice.words) == ("absent-words", ("🎂",))


def test_a_note_is_called_what_its_title_says_after_a_symbol(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    others = [note(f"{number}.md", "The index of the index, an index.") for number in range(3)]
    [first, *_] = searcher_over(p=make_store(*SYMBOLS, *others)).search(SearchRequest("index", mode="lexical")).results
    assert first.path == "🗂️ Index.md"


@pytest.mark.parametrize(("query", "first"), [("C++", "Templates.md"), ("c#", "Assemblies.md"), ("C", "Pointers.md")])
def test_a_programming_language_is_told_by_what_stands_behind_its_letter(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, first: str
) -> None:
    store = make_store(
        note("Pointers.md", "C has pointers. What C gives C takes: C, C and C."),
        note("Templates.md", "Templates of C++ are worked out by the compiler, as a drawer of C is not."),
        note("Assemblies.md", "An assembly holds what was written in C#, and links to [[Pointers#C]]."),
        note("Vitamins.md", "Vitamin C, a #C sharp, and 3++ songs."),
    )
    results = searcher_over(p=store).search(SearchRequest(query, mode="lexical", explain=True)).results
    assert results[0].path == first
    said = results[0].words
    assert said is not None
    assert (said.has, said.lacks) == ((query,), ())


def test_a_programming_language_that_no_note_names_is_told(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    searcher = searcher_over(p=make_store(note("Oven.md", "Bake at 190 °C."), note("Butter.md", "Good with bread.")))
    [notice] = searcher.search(SearchRequest("C++ ovens", mode="lexical")).notices
    assert (notice.code, notice.words) == ("absent-words", ("C++",))


def test_nothing_is_offered_that_no_note_writes(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    searcher = searcher_over(p=make_store(note("Butter.md", "Good with bread.")))  # *goode* is a form of *good*
    assert [notice.code for notice in searcher.search(SearchRequest("goose")).notices] == ["absent-words"]


@pytest.mark.parametrize(
    "mark", ["\u00ad", "\u061c", "\u200b", "\u200e", "\u200f", "\u202b", "\u2060", "\u2066", "\u2069"]
)
def test_what_no_reader_sees_hides_nothing(make_store: MakeStore, searcher_over: MakeSearcher, mark: str) -> None:
    plain = note("Plain.md", "The harbour master said so: שלום.", tags=("boats",))
    marked = note("Marked.md", f"The {mark}harbour{mark} mas{mark}ter said so: {mark}שלום{mark}.", tags=("boats",))
    searcher = searcher_over(p=make_store(plain, marked, note("Other.md", "Nothing of the kind.")))
    for query in ("harbour", '"harbour master"', "=master", "שלום"):
        for asked in (query, f"{mark}{query}{mark}", query.replace("ma", f"ma{mark}")):
            answer = searcher.search(SearchRequest(asked, mode="lexical"))
            assert {result.path for result in answer.results} == {"Plain.md", "Marked.md"}, asked
            assert answer.notices == ()
    for query in (f"tag:{mark}boats{mark} ", f"harbour -path:{mark}Other{mark}", f"file:{mark}ed "):
        found = searcher.search(SearchRequest(query, mode="lexical")).results
        assert {"Marked.md"} <= {result.path for result in found}, query


def test_letters_of_two_directions_beside_a_mark_are_two_words(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    searcher = searcher_over(p=make_store(note("One.md", "\u2066harbour\u2069שלום"), note("Two.md", "Other.")))
    for query in ("harbour", "שלום"):
        assert [result.path for result in searcher.search(SearchRequest(query, mode="lexical")).results] == ["One.md"]
