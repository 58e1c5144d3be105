"""Which words are spelt right, by the lists that come with the program."""

import pytest

from scrubjay.profiles.search.words.analysis import words
from scrubjay.profiles.search.words.dictionary import LISTED, forms, is_word, languages_told


@pytest.mark.parametrize(
    ("word", "languages"),
    [
        ("crash", {"en"}),
        ("protect", {"en"}),
        ("snitches", {"en"}),
        ("unclosed", {"en"}),
        ("disenable", {"en"}),
        ("misspelt", {"en"}),  # by an irregular form
        ("wanderungen", {"en", "de"}),
        ("zimmer", {"de"}),
        ("chleba", {"pl"}),
        ("ελέφαντας", {"en"}),  # told by its script
        ("किताब", {"en"}),
        ("elefante", {"en"}),  # common in Spanish
    ],
)
def test_a_word_that_is_spelt_right_is_known(word: str, languages: set[str]) -> None:
    assert is_word(words(word)[0], languages)


@pytest.mark.parametrize(
    "word", ["recieve", "untill", "definately", "devlopment", "invioce", "curlwe", "obsidain", "достаевский"]
)
def test_a_mistake_is_no_word_however_common(word: str) -> None:
    assert not is_word(word, {"en"})


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("quali medicine prende mia nonna", "it"),
        ("wie viel hat das gekostet", "de"),
        ("kawałek", "pl"),
        ("loma ja matka", "fi"),
    ],
)
def test_a_question_tells_its_language(text: str, language: str) -> None:
    assert language in languages_told(text)


def test_an_english_question_tells_no_other_language() -> None:
    assert languages_told("how deep is the peat near the river") == frozenset()


def test_an_index_term_stands_for_the_words_of_its_stem() -> None:
    assert {"combine", "combination", "combinations"} <= set(forms("combin", {"en"}))
    assert "wanderungen" not in forms("wander", {"en"})


def test_every_list_is_of_a_language_that_notes_may_be_in() -> None:
    assert {"ar", "de", "en", "es", "fi", "fr", "he", "hi", "pl", "ru", "tr", "vi"} <= LISTED
    assert all(len(language) == 2 for language in LISTED)
