import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.highlights import Highlighter
from scrubjay.profiles.search.rank.lexical_query import QueryTerm
from scrubjay.profiles.search.words.analysis import query_terms


def marked(text: str, query: str, *, prefix: bool = False) -> list[str]:
    terms = query_terms(query)
    sought = [QueryTerm(term, prefix=prefix and term == terms[-1]) for term in terms]
    matches = sorted(Highlighter(sought).matches(text), key=lambda match: match.start)
    return [text[match.start : match.end] for match in matches]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("A note about notes.", "note", ["note", "notes"]),
        ("Running runs run.", "running", ["Running", "runs", "run"]),
        ("Ein schöner Tag in Zürich", "zurich schoner", ["schöner", "Zürich"]),
        ("die Größe zählt", "grosse", ["Größe"]),
        ("die GROSSE Straße", "größe straße", ["GROSSE", "Straße"]),
        ("call readCsv here", "csv", ["readCsv"]),
        ("well-known facts", "known", ["known"]),
        ("the cat", "the cat", ["cat"]),
        ("滇池的红嘴鸥", "红嘴鸥", ["红嘴", "嘴鸥"]),
        ("用Python写的脚本", "python", ["Python"]),
        ("ไปตลาดน้ำกัน", "น้ำ", ["น้", "้ำ", "ำ"]),
        ("ｶﾞｲﾄﾞを読む", "ガイド", ["ｶﾞｲ", "ｲﾄﾞ"]),
        ("\u1100\u1175\u11b7\u110e\u1175", "김치", ["\u1100\u1175\u11b7\u110e\u1175"]),
        ("ＡＰＩの説明", "API 説明", ["ＡＰＩ", "説明"]),
        ("nothing", "else", []),
    ],
)
def test_words_are_found_as_the_index_finds_them(text: str, query: str, expected: list[str]) -> None:
    assert marked(text, query) == expected


def test_an_unfinished_word_matches_what_begins_with_it() -> None:
    assert marked("semantics and a semaphore", "sema", prefix=True) == ["semantics", "semaphore"]


def test_the_heaviest_term_gives_the_weight() -> None:
    (match,) = Highlighter([QueryTerm("read", 1.0), QueryTerm("csv", 3.0)]).matches("readCsv")
    assert (match.term, match.weight) == (1, 3.0)


@given(st.text(max_size=80), st.text(max_size=20))
def test_places_lie_inside_any_text(text: str, query: str) -> None:
    for match in Highlighter([QueryTerm(term) for term in query_terms(query)]).matches(text):
        assert 0 <= match.start < match.end <= len(text)
