"""Which words are spelt right, by the lists that come with the program."""

import pytest

from scrubjay.profiles.search.words.analysis import words
from scrubjay.profiles.search.words.dictionary import LISTED, forms, is_word, languages_told

KNOWN = {
    "en": "crash protect snitches unclosed disenable misspelt ελέφαντας किताब elefante",  # irregular; of other scripts
    "de": "wanderungen zimmer",
    "pl": "chleba",
}


@pytest.mark.parametrize("language", KNOWN)
def test_a_word_that_is_spelt_right_is_known(language: str) -> None:
    assert [word for word in KNOWN[language].split() if not is_word(words(word)[0], {language})] == []


def test_a_mistake_is_no_word_however_common() -> None:
    mistakes = "recieve untill definately devlopment invioce curlwe obsidain достаевский"
    assert [word for word in mistakes.split() if is_word(word, {"en"})] == []


def test_a_question_tells_its_language() -> None:
    asked = {
        "quali medicine prende mia nonna": "it",
        "wie viel hat das gekostet": "de",
        "kawałek": "pl",
        "loma ja matka": "fi",
    }
    assert {text for text, language in asked.items() if language not in languages_told(text)} == set()
    assert languages_told("how deep is the peat near the river") == frozenset()


def test_an_index_term_stands_for_the_words_of_its_stem() -> None:
    assert {"combine", "combination", "combinations"} <= set(forms("combin", {"en"}))
    assert "wanderungen" not in forms("wander", {"en"})


def test_every_list_is_of_a_language_that_notes_may_be_in() -> None:
    assert {"ar", "de", "en", "es", "fi", "fr", "he", "hi", "pl", "ru", "tr", "vi"} <= LISTED
    assert all(len(language) == 2 for language in LISTED)
