"""Exact things are found exactly: a word in whole, expressions, identifiers, numbers, symbols."""

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest, SearchResponse
from tests.integration.search.conftest import Over, note, paths

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


def ask(searcher: Searcher, query: str) -> SearchResponse:
    return searcher.search(SearchRequest(query, mode="lexical", explain=True))


def test_a_word_in_whole_is_found_as_it_is_written(over: Over) -> None:
    found = {
        "=faster": ["Fasting.md"],
        "=C++": ["Cpp.md"],
        "=--rebase": ["Git.md"],
        "=σπίτι": ["Greek.md"],
        '="n log n"': ["Sorting.md"],
        "-=fast =written": ["C.md", "Cpp.md"],
        "=σπίτ": [],
        "=breakfas": [],
    }
    assert {query: sorted(paths(over(*EXACT), query, mode="lexical")) for query in found} == found


def test_an_expression_is_found_where_it_stands_so(over: Over) -> None:
    answer = ask(over(*EXACT), "O(n log n)")
    assert (answer.results[0].path, answer.warnings) == ("Sorting.md", ())


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


def test_a_number_is_found_in_all_digits_and_groups_and_a_soft_hyphen_hides_nothing(over: Over) -> None:
    wanted = {
        "Rent.md": ("18400", "18 400", "18,400"),
        "Budget.md": ("3500000",),
        "Grant.md": ("15000",),
        "Arabic.md": ("240",),
        "Hindi.md": ("8500",),
        "Thai.md": ("2569",),
        "Plain.md": ("٧٢٥٠", "7 250"),
        "Hyphen.md": ("Wanderung", "Wan\u00adderung"),
    }
    for path, query in ((path, query) for path, queries in wanted.items() for query in queries):
        [found] = ask(over(*NUMBERS), query).results
        assert (found.path, bool(found.highlights), found.words and found.words.lacks) == (path, True, ()), query


SYMBOLS = (
    note("Fête.md", "The party 🎉 went on; 👩‍💻 came, and 👍🏽 from all.", "The second passage."),
    note("Prices.md", "It costs 5 €; a → b, √2 and ★★★☆☆."),
    note("Cake.md", "A cake for the party."),
    note("Garden.md", "Tomatoes and basil."),
    note("🗂️ Index.md", "What lies where."),
)


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
@pytest.mark.parametrize(
    ("path", "queries"),
    [
        ("Fête.md", ("🎉", "💻", "👍", '"party went"', '"party 🎉 went"')),
        ("Prices.md", ("€", "→", "★★★★", '"☆"')),
        ("🗂️ Index.md", ("🗂️",)),
        ("Cake.md", ("party -🎉",)),
        ("", ("🎂", "=🎉x", "=a–b")),
    ],
)
def test_a_symbol_is_found_where_it_stands(over: Over, path: str, queries: tuple[str, ...], mode: Mode) -> None:
    for query in queries:
        answer = over(*SYMBOLS).search(SearchRequest(query, mode=mode, explain=True))
        with_words = [result for result in answer.results if result.found_by == "words"]
        assert [result.path for result in with_words] == ([path] if path else []), query
        if path and '"' not in query and "-" not in query:
            said = with_words[0].words
            assert (answer.results[0].path, said and (said.has, said.lacks)) == (path, ((query,), ())), query
            assert answer.relevance != "low"


def test_a_symbol_is_marked_as_a_reader_sees_it_and_told_where_no_note_has_it(over: Over) -> None:
    [found] = ask(over(*SYMBOLS), "💻").results
    assert [found.snippet[start:end] for start, end in found.highlights] == ["👩‍💻"]
    [notice] = ask(over(*SYMBOLS), "🎂 party").notices
    assert (notice.code, notice.words) == ("absent-words", ("🎂",))


def test_a_note_is_called_what_its_title_says_after_a_symbol(over: Over) -> None:
    others = [note(f"{number}.md", "The index of the index, an index.") for number in range(3)]
    assert ask(over(*SYMBOLS, *others), "index").results[0].path == "🗂️ Index.md"


@pytest.mark.parametrize(("query", "first"), [("C++", "Templates.md"), ("c#", "Assemblies.md"), ("C", "Pointers.md")])
def test_a_programming_language_is_told_by_what_stands_behind_its_letter(over: Over, query: str, first: str) -> None:
    searcher = over(
        note("Pointers.md", "C has pointers. What C gives C takes: C, C and C."),
        note("Templates.md", "Templates of C++ are worked out by the compiler, as a drawer of C is not."),
        note("Assemblies.md", "An assembly holds what was written in C#, and links to [[Pointers#C]]."),
        note("Vitamins.md", "Vitamin C, a #C sharp, and 3++ songs."),
    )
    found = ask(searcher, query).results[0]
    assert (found.path, found.words and (found.words.has, found.words.lacks)) == (first, ((query,), ()))


def test_nothing_is_offered_that_no_note_writes(over: Over) -> None:
    searcher = over(note("Oven.md", "Bake at 190 °C."), note("Butter.md", "Good with bread."))
    [notice] = ask(searcher, "C++ ovens").notices
    assert (notice.code, notice.words) == ("absent-words", ("C++",))
    assert [notice.code for notice in ask(searcher, "goose").notices] == ["absent-words"]  # *goode* is a form of *good*


@pytest.mark.parametrize(
    "mark", ["\u00ad", "\u061c", "\u200b", "\u200e", "\u200f", "\u202b", "\u2060", "\u2066", "\u2069"]
)
def test_what_no_reader_sees_hides_nothing(over: Over, mark: str) -> None:
    searcher = over(
        note("Plain.md", "The harbour master said so: שלום.", tags=("boats",)),
        note("Marked.md", f"The {mark}harbour{mark} mas{mark}ter said so: {mark}שלום{mark}.", tags=("boats",)),
        note("Other.md", "Nothing of the kind."),
    )
    for query in ("harbour", '"harbour master"', "=master", "שלום"):
        for asked in (query, f"{mark}{query}{mark}", query.replace("ma", f"ma{mark}")):
            answer = ask(searcher, asked)
            assert ({result.path for result in answer.results}, answer.notices) == ({"Plain.md", "Marked.md"}, ()), (
                asked
            )
    for query in (f"tag:{mark}boats{mark} ", f"harbour -path:{mark}Other{mark}", f"file:{mark}ed "):
        assert "Marked.md" in paths(searcher, query, mode="lexical"), query


def test_letters_of_two_directions_beside_a_mark_are_two_words(over: Over) -> None:
    searcher = over(note("One.md", "\u2066harbour\u2069שלום"), note("Two.md", "Other."))
    assert [paths(searcher, query, mode="lexical") for query in ("harbour", "שלום")] == [["One.md"]] * 2
