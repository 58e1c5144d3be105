import re
import unicodedata
from collections.abc import Callable
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.words import analysis


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Running runs", ["run", "run"], id="stems"),
        pytest.param("Café ÜBER", ["cafe", "uber"], id="diacritics-and-case"),
        pytest.param("Straße GROẞE", ["strass", "gross"], id="sharp-s"),
        pytest.param("smørrebrød Łódź cœur", ["smorrebrod", "lodz", "coeur"], id="letters-without-decomposition"),
        pytest.param("getUserName", ["getusernam", "get", "user", "name"], id="camel-case"),
        pytest.param("HTTPServer", ["httpserver", "http", "server"], id="acronym-then-word"),
        pytest.param("read_csv", ["read", "csv", "readcsv"], id="snake-case"),
        pytest.param("utf-8", ["utf", "8", "utf8"], id="hyphen"),
        pytest.param("src/app/main.py", ["src", "app", "main", "py"], id="path"),
        pytest.param("数据库", ["数据", "据库", "库"], id="han"),
        pytest.param("数", ["数", "数"], id="han-single"),
        pytest.param("ＡＢＣ", ["abc"], id="full-width"),
        pytest.param("हिन्दी", ["हिंदी"], id="devanagari-word-stays-whole"),
        pytest.param("", [], id="empty"),
        pytest.param("!!! --- ***", [], id="no-word"),
    ],
)
def test_a_text_gives_these_terms(text: str, expected: list[str]):
    assert analysis.terms(text) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("how do I register a COM class", ("regist", "com", "class"), id="stop-words-go"),
        pytest.param("to be or not to be", ("to", "be", "or", "not"), id="unless-nothing-else-is-there"),
        pytest.param("数据库", ("数据", "据库"), id="no-trailing-character"),
        pytest.param("库", ("库",), id="single-character"),
        pytest.param("wie funktioniert die Suche", ("funktioniert", "die", "such"), id="german"),
        pytest.param("word word", ("word",), id="repeats-go"),
        pytest.param("x" * 70, (), id="over-long"),
    ],
)
def test_a_query_gives_these_terms(query: str, expected: tuple[str, ...]):
    assert analysis.query_terms(query) == expected


@given(st.text())
def test_what_a_query_looks_for_is_what_a_note_holds(text: str):
    terms = set(analysis.terms(text))
    for term in analysis.query_terms(text):
        assert term in terms or any(t.startswith(term) for t in terms)


@given(st.text())
def test_terms_of_any_text_hold_no_character_that_keys_use(text: str):
    assert not any("*" in term or '"' in term for term in analysis.terms(text))


@pytest.mark.parametrize("analyse", [analysis.index_text, fold, analysis.query_terms, analysis.phrase_text])
def test_accents_without_end_are_cut_before_they_are_put_in_order(
    analyse: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
):
    longest = 0

    def normalize(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
        nonlocal longest
        runs = re.findall("[\u0300-\u036f]+", text)
        longest = max(longest, *map(len, runs), 0)
        return whole(form, text)

    whole = unicodedata.normalize
    monkeypatch.setattr("unicodedata.normalize", normalize)
    analyse("a" + "\u0301\u0323" * 5_000 + " word")
    assert 0 < longest <= 31


@pytest.mark.parametrize(
    ("unfinished", "own", "ahead"),
    [
        ("complicati", "complicati", "complic"),
        ("upgradin", "upgradin", "upgrad"),
        ("isolat", "isolat", "isol"),
        ("orderin", "orderin", "order"),
        ("divergen", "divergen", "diverg"),
        ("running", "run", "run"),
        ("poly", "poli", "poli"),
        ("key", "kei", "kei"),
        ("海", "海", "海"),
        ("größ", "groß", "groß"),
    ],
)
def test_an_unfinished_word_knows_the_stems_that_it_runs_past(unfinished: str, own: str, ahead: str) -> None:
    stems = analysis.stems_ahead(unfinished)
    assert stems[0] == own
    assert ahead in stems
    assert all(len(stem) <= len(unfinished) for stem in stems)


def test_what_holds_no_word_has_no_stems() -> None:
    assert analysis.stems_ahead("") == analysis.stems_ahead("+") == ()


@pytest.mark.parametrize(
    ("word", "other"), [("one", "on"), ("ones", "on"), ("ore", "or"), ("Ore", "or"), ("ate", "at")]
)
def test_a_short_word_is_not_taken_for_a_small_one(word: str, other: str) -> None:
    assert analysis.terms(word) != analysis.terms(other)
    assert analysis.terms(word) == list(analysis.query_terms(word)) == list(analysis.phrase_terms(word))


@pytest.mark.parametrize("word", ["are", "ane", "ote", "stone", "ated", "aten", "éone", "onesie"])
def test_a_word_that_is_like_a_short_one_stays_as_it_is(word: str) -> None:
    assert analysis.index_text(word) == word
