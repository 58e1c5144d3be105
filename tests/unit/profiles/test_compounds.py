import pytest

from scrubjay.profiles.search.words.dictionary import is_listed
from scrubjay.profiles.search.words.vocabulary import compounds_among

WORDS = {"paket", "verwaltung", "entwicklung", "umgebung", "haus", "tür", "boot"}


@pytest.mark.parametrize(
    ("word", "longer", "expected"),
    [
        pytest.param("verwaltung", ["paketverwaltung"], True, id="its-end"),
        pytest.param("paket", ["paketverwaltung"], True, id="its-beginning"),
        pytest.param("umgebung", ["entwicklungsumgebung"], True, id="a-linking-s"),
        pytest.param("verwaltung", ["hausesverwaltung"], True, id="a-linking-es"),
        pytest.param("haus", ["haustür"], True, id="a-short-one"),
        pytest.param("verwaltung", ["xyzverwaltung"], False, id="the-rest-is-no-word"),
        pytest.param("boot", ["hausbootsverwaltung"], True, id="its-middle"),
        pytest.param("boot", ["hausbootxyz"], False, id="its-middle-and-one-rest-is-no-word"),
        pytest.param("boot", ["booten"], False, id="an-ending-is-no-word"),
        pytest.param("walt", ["verwaltung"], False, id="within-a-word"),
    ],
)
def test_a_compound_is_a_word_and_another(word: str, longer: list[str], expected: bool) -> None:
    found = compounds_among(word, longer, lambda words: [each in WORDS for each in words])
    assert list(found) == (longer if expected else [])


def test_the_other_part_may_be_a_word_of_the_language_alone() -> None:
    longer = ["weizenmehl", "xyzmehl", "donaudampfschifffahrt"]
    found = compounds_among("mehl", longer, lambda words: [False for _ in words], lambda word: is_listed(word, ("de",)))
    assert list(found) == ["weizenmehl"]
    assert is_listed("donaudampf", ("de",))
    assert not is_listed("xyz", ("de",))
