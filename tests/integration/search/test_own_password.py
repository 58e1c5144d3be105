"""Searching for one's own password finds nothing by a digit or a syllable of it, and says what became of it."""

import pytest

from scrubjay.credential_filter.redact import redact_text
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from tests.integration.search.conftest import Over, note

# Assembled here, so that no file holds them as one string.
WIFI = "hunter2" + "Xyz1"
PASSWORDS = (
    WIFI,
    "Tr0ub" + "4dor",
    "Gr8-Heron" + "-Weir!42",
    "p@ssw" + "0rd77",
    "ghp_" + "k8Bq2Lz0" + "XvTn4Wc9" * 3 + "Rf6Y",
    "Kaktus" + "-2024",
    "kXq" + "PwzTr",
)
NOTES = {
    "Home.md": f"my wifi password: {WIFI}\n\n1. The router is in room 4.\n2. It has 42 lamps, p. 8, bought in 2024.",
    "Boat.md": "Boat 1 of 4 has a crew of 2, at 0 knots; the tr, ub, k, xq and rd marks are its own.\n\n77 sails.",
    "Log.md": "We use `useState`, `pg_dump`, log4j, IPv6. Sorts in O(n log n). Written 2026-05-27, see RFC 2119, v1.2.",
}


@pytest.fixture
def searcher(over: Over) -> Searcher:
    return over(*(note(path, redact_text(text)) for path, text in NOTES.items()))


@pytest.mark.parametrize("typing", [False, True])
@pytest.mark.parametrize("password", PASSWORDS)
def test_a_password_is_found_by_none_of_its_parts_and_it_is_said_why(
    searcher: Searcher, password: str, typing: bool
) -> None:
    answer = searcher.search(SearchRequest(password, typing=typing))
    assert answer.total_notes == 0
    assert answer.relevance == "low"
    assert [result.highlights for result in answer.results if result.highlights] == []
    text = f'No note says "{password}"; if it was a password, it was taken out before indexing.'
    assert typing or [(notice.code, notice.text) for notice in answer.notices] == [("absent-password", text)]


def test_beside_other_words_it_is_told_and_they_are_found(searcher: Searcher) -> None:
    answer = searcher.search(SearchRequest(f"router {WIFI} quokka", mode="lexical"))
    assert [result.path for result in answer.results] == ["Home.md"]
    assert {notice.code: notice.words for notice in answer.notices} == {
        "absent-words": ("quokka",),
        "absent-password": (WIFI,),
    }


def test_names_and_dates_of_several_parts_are_found_by_them(searcher: Searcher) -> None:
    queries = (
        "useState|pg_dump|pg_restore dump|O(n log n)|2026-05-27|2026-05-27T10:00|27.05.2026|IPv6|log4j|log4j2|logPath"
    )
    for query in f"{queries}|RFC2119|RFC-2119|v1.2|state|dump".split("|"):
        answer = searcher.search(SearchRequest(query, mode="lexical"))
        assert answer.results[0].path == "Log.md", query
        assert "absent-password" not in [notice.code for notice in answer.notices], query


@pytest.mark.parametrize("query", ["created:2026-13", "modified:>2026-02-31", "lang:klingon4"])
def test_an_operator_whose_value_is_none_is_called_no_password(searcher: Searcher, query: str) -> None:
    answer = searcher.search(SearchRequest(query))
    assert "absent-password" not in [notice.code for notice in answer.notices]
