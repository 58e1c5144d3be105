"""What a server is asked for words by."""

import re

import pytest

from scrubjay.profiles.team.hashed_words import HashedWords
from scrubjay.profiles.team.team_key import TeamKeys

WORDS = ("heron", "her", "h", "鹭鸟", "цапля", "ß", "x" * 200, "")


@pytest.fixture
def words() -> HashedWords:
    return HashedWords(TeamKeys(b"k" * 32))


def test_words_have_hashes_of_their_own_that_a_server_has_types_for_and_another_key_gives_others(
    words: HashedWords,
) -> None:
    same, other = HashedWords(TeamKeys(b"k" * 32)), HashedWords(TeamKeys(b"o" * 32))
    for word in WORDS:
        assert (words.keys(word), words.lexeme(word)) == (same.keys(word), same.lexeme(word))
        assert not set(words.keys(word)) & set(other.keys(word))
        assert words.lexeme(word) != other.lexeme(word)
        assert all(-(2**63) <= key < 2**63 for key in words.keys(word))
        assert re.fullmatch(r"[\w-]{6}", words.lexeme(word), re.ASCII)
    assert len({words.keys(word)[0] for word in WORDS}) == len(WORDS)


def test_a_key_of_words_is_another_one_and_is_told_by_a_name(words: HashedWords) -> None:
    turned = [HashedWords(TeamKeys(b"k" * 32, key * 32)) for key in (b"w", b"x")]
    assert len({words.keys("heron"), *(each.keys("heron") for each in turned)}) == 3
    assert len({words.key_name, *(each.key_name for each in turned)}) == 3
    assert words.key_name == ""


@pytest.mark.parametrize(
    ("prefix", "term", "is_among"),
    [
        ("he", "heron", True),
        ("heron", "heron", True),
        ("heronr", "hero", True),  # whoever asks looks at the terms themselves
        ("he", "hawk", False),
        ("鹭", "鹭鸟", True),
        ("ц", "цапля", True),
        ("ц", "щегол", False),
    ],
)
def test_terms_are_found_by_their_beginning(words: HashedWords, prefix: str, term: str, is_among: bool) -> None:
    assert (words.beginning(prefix) == words.keys(term)[1]) is is_among
