"""Each row of the tables of spellings and affixes, which are data: what they say is one word is found as one."""

import pytest

from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.spellings import one_character, read_spellings
from scrubjay.profiles.search.words.stems import read_affixes


@pytest.mark.parametrize("script", read_spellings())
def test_a_word_is_one_term_however_it_is_written(script: str) -> None:
    spelling = read_spellings()[script]
    assert spelling.examples
    for row in spelling.examples:
        assert len({analysis.phrase_terms(word) for word in row}) == 1, row
        assert len(analysis.phrase_terms(row[0])) == 1, row
    for row in spelling.apart:
        assert len({analysis.phrase_terms(word) for word in row}) == len(row), row


@pytest.mark.parametrize("language", read_affixes())
def test_forms_of_a_word_find_each_other(language: str) -> None:
    affixes = read_affixes()[language]
    assert affixes.examples
    assert [pair for row in affixes.examples for pair in _pairs(row) if not _meet(*pair, language)] == []
    assert [pair for row in affixes.apart for pair in _pairs(row) if _meet(*pair, language)] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("资料库", "資料庫"),
        ("红楼梦", "紅樓夢"),
        ("台湾", "臺灣"),
        ("渡辺", "渡邊"),
        ("斎藤", "齋藤"),
        ("とまと", "トマト"),
    ],
)
def test_chinese_characters_and_kana_are_one_however_they_are_written(one: str, other: str) -> None:
    assert one_character(one) == one_character(other)
    assert analysis.terms(f"x{one}") == analysis.terms(f"x{other}")


def _pairs(row: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(one, other) for at, one in enumerate(row) for other in row[at + 1 :]]


def _meet(one: str, other: str, language: str) -> bool:
    first, second = (set(analysis.terms(word, language)) for word in (one, other))
    return not first.isdisjoint(second)
