"""One key for each question about names."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.names import LETTERS, file_key, fold, link_key, nfc


def test_both_ways_to_spell_an_accent_are_one_name() -> None:
    assert nfc(unicodedata.normalize("NFD", "Café")) == "Café"
    assert file_key(unicodedata.normalize("NFD", "CAFÉ")) == file_key("café")


def test_a_name_of_endless_combining_marks_stays_as_it_is() -> None:
    name = "a" + "\u0301\u0327" * 500_000  # putting these in order would take minutes
    assert nfc(name) == name


@given(st.text())
def test_a_files_key_is_a_projection_that_ignores_normalisation(name: str) -> None:
    assert file_key(file_key(name)) == file_key(name)
    assert file_key(unicodedata.normalize("NFD", name)) == file_key(name)


@given(st.text())
def test_one_file_is_one_name_for_whoever_types_it(name: str) -> None:
    assert fold(file_key(name)) == fold(name)
    assert fold(fold(name)) == fold(name)


def test_each_key_merges_what_its_question_allows() -> None:
    assert fold("Straße Éclair") == fold("STRASSE ECLAIR") == "strasse eclair"
    assert fold("Łódź Søren Đặng ILGIN ılgın Þór") == "lodz soren dang ilgin ilgin thor"
    assert file_key("Straße") == file_key("STRASSE")
    assert file_key("Résumé") != file_key("Resume")
    assert link_key("Straße") != link_key("Strasse")
    assert link_key("A\u00a0B É") == "a b é"


@given(st.text(st.sampled_from("abß ÆŁé湖–ŉ\u0301\u0323\u05bc\u3099\U0001d165") | st.characters(), max_size=40))
def test_a_folded_text_has_no_marks_and_no_letters_that_are_typed_otherwise(text: str) -> None:
    folded = fold(text)
    assert not any(map(unicodedata.combining, folded))
    assert not any(ord(character) in LETTERS for character in folded)
