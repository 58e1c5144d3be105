import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.highlights import AskedWords, Highlighter
from scrubjay.profiles.search.rank.lexical_query import QueryTerm
from scrubjay.profiles.search.words.analysis import query_terms


def test_the_heaviest_term_gives_the_weight() -> None:
    (match,) = Highlighter([QueryTerm("read", 1.0), QueryTerm("csv", 3.0)]).matches("readCsv")
    assert (match.term, match.weight) == (1, 3.0)


@given(st.text(max_size=80), st.text(max_size=20))
def test_places_lie_inside_any_text(text: str, query: str) -> None:
    for match in Highlighter([QueryTerm(term) for term in query_terms(query)]).matches(text):
        assert 0 <= match.start < match.end <= len(text)


@pytest.mark.parametrize(
    ("word", "said", "not_said"),
    [
        ("IPv6", "The IPv6 address", "Version 6 of IP"),
        ("python3", "Use Python3 now.", "Python, three times"),
        ("getUserName", "call getUserName()", "get the name of the user"),
        ("well-known", "A well-known thing", "It is known."),
        ("C++", "in C++ code", "in C code"),
        ("naïve", "a naive word", "a native word"),
        ("18 400", "18400 birds", "18 of 400 birds"),
    ],
)
def test_a_word_of_several_parts_is_said_where_it_is_written(word: str, said: str, not_said: str) -> None:
    asked = AskedWords([word], {}, ())
    assert asked.said({"text": [said]}).has == (word,)
    assert asked.said({"text": [not_said]}).lacks == (word,)
