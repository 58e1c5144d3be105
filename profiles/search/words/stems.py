"""The stems of words in their own language: beside the English ones, which every text has."""

import re
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

import Stemmer  # pyright: ignore[reportMissingTypeStubs]

from scrubjay.profiles.search.words.spellings import MARKS

SNOWBALL: Mapping[str, str] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "eo": "esperanto",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Snowball's algorithms by ISO 639-1 code, English apart."""

LANGUAGES = frozenset((*SNOWBALL, "he"))
"""Those whose words have stems of their own here."""

WORD = re.compile(f"[^\\W\\d_](?:[^\\W_]|[{MARKS}])*")
"""A word with its vowel signs and accents."""
_LONGEST = 40  # characters; longer ones are no words

_TURKISH = str.maketrans({"I": "ı", "İ": "i"})
_POINTS = re.compile("[\u0591-\u05c7]+")
_HEBREW_PREFIXES = "והבלכמש"
_HEBREW_LEAST = 3  # letters that stay behind prefixes
_HEBREW_MOST = 2  # prefixes that are taken off

_local = threading.local()


def stem_words(words: Sequence[str], language: str) -> list[tuple[str, ...]]:
    """The stems of each word, lower case: its own and, where it has accents, that of the word without them.

    So a word is found by whoever can't type its accents, though the stemmer needs them. A word without a stem, or one
    too long to be a word, gives itself. language: one of LANGUAGES. Thread-safe.
    """
    lowered = [_lowered(word, language) for word in words]
    plain = [_without_accents(word) for word in lowered]
    pairs = zip(_stems(lowered, language), _stems(plain, language), strict=True)
    return [tuple(dict.fromkeys(pair)) for pair in pairs]


def _lowered(word: str, language: str) -> str:
    return (word.translate(_TURKISH) if language == "tr" else word).lower()


def _without_accents(word: str) -> str:
    """As somebody types it who has none of its accents; letters of other scripts stay as they are."""
    if word.isascii() or not "a" <= word[0] <= "\u024f":
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _stems(words: Sequence[str], language: str) -> Sequence[str]:
    if language == "he":
        return [_hebrew(word) for word in words]
    found = _stemmer(language).stemWords(words)
    return [stem if stem and len(word) <= _LONGEST else word for stem, word in zip(found, words, strict=True)]


def _hebrew(word: str) -> str:
    """Without vowel points and the letters before a word that stand for `and`, `the`, `in`, `to` and their like."""
    letters = _POINTS.sub("", word)
    for _ in range(_HEBREW_MOST):
        if len(letters) > _HEBREW_LEAST and letters[0] in _HEBREW_PREFIXES:
            letters = letters[1:]
    return letters or word


class _Stemmer(Protocol):
    """What is used of PyStemmer, in types."""

    def stemWords(self, words: Sequence[str], /) -> list[str]: ...  # noqa: N802


def _stemmer(language: str) -> _Stemmer:
    """A stemmer of this thread: they are not thread-safe."""
    made: dict[str, _Stemmer] | None = getattr(_local, "stemmers", None)
    if made is None:
        made = _local.stemmers = {}
    if language not in made:
        made[language] = cast("_Stemmer", Stemmer.Stemmer(SNOWBALL[language], 0))  # pyright: ignore[reportUnknownMemberType]
    return made[language]
