"""Irregular forms, by the lists that come with the program, and how these are searched."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.inflections import FOLDER, INFLECTED, other_forms
from scrubjay.profiles.search.words.stems import LANGUAGES
from scrubjay.profiles.search.words.word_lists import WordList, read_list

FORMS = """de Nachbarn nachbar|de schreiben geschrieben|de aufgenommen aufnehmen|en goose geese|en swum swim
fi luokka luokan|fi luokan luokka|fr yeux œil|nl schip schepen|no ført føre|pl wycieczce wycieczka
ru пришёл прийти|sv lärobok läroböckerna|sv larobok läroböckerna|tr vakıf vakfın"""


@pytest.mark.parametrize("form", FORMS.replace("\n", "|").split("|"))
def test_an_irregular_form_is_found_by_the_word_and_the_word_by_it(form: str) -> None:
    language, word, other = form.split()
    terms = set(analysis.terms(other, "" if language == "en" else language))
    assert terms.isdisjoint(analysis.terms(word, "" if language == "en" else language))
    [(asked, related)] = analysis.irregular_terms(word, (language,)).items()
    assert [asked] == analysis.words(word)
    assert terms & set(related)


def test_two_words_that_share_no_form_are_not_related() -> None:
    assert "kuchen" not in other_forms("küche", "de")
    assert other_forms("xyzzy", "de") == ()
    assert other_forms("saw", "en") == ()  # a tool as well


def test_the_lists_are_of_languages_that_have_stems_and_sorted() -> None:
    assert LANGUAGES | {"en"} >= INFLECTED
    for language in INFLECTED:
        first = [line.partition(b" ")[0] for line in read_list(FOLDER, language).lines.split(b"\n")[1:-1]]
        assert all(one < other for one, other in pairwise(first)), language
        words = [word.decode() for word in first[::97]]
        assert [words for word in words if not read_list(FOLDER, language).line(word).startswith(f"{word} ")] == []


_WORD = st.text("abé=", min_size=1, max_size=4)


@given(st.dictionaries(_WORD, st.lists(_WORD, max_size=3), max_size=30), _WORD)
def test_a_line_is_found_by_its_first_word_and_by_nothing_else(lines: dict[str, list[str]], word: str) -> None:
    listed = {first: " ".join((first, *others)) for first, others in lines.items()}
    words = WordList(("".join(f"\n{listed[first]}" for first in sorted(listed)) + "\n").encode())
    assert {each: words.line(each) for each in listed} == listed
    assert words.line(word) == listed.get(word, "")
