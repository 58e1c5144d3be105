"""The stems of words in their own language: beside the English ones, which every text has."""

import re
import threading
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Protocol, cast

import msgspec
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
_FINAL_LETTERS = str.maketrans("ךםןףץ", "כמנפצ")


class Affixes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is taken off the words of one language beside what its stemmer does, see the head of `affixes.toml`."""

    prefixes: tuple[tuple[str, str], ...] = ()
    suffixes: tuple[tuple[str, str], ...] = ()
    examples: tuple[tuple[str, ...], ...] = ()
    apart: tuple[tuple[str, ...], ...] = ()

    def bare(self, word: str) -> tuple[str, ...]:
        """The word without both, by each ending that it may have; without its first ending alone; and itself."""
        if not self.examples:
            return (word,)
        without = next(_replaced(word, self.prefixes), word)
        found = [*_replaced(without, self.suffixes)] or [without]
        return tuple(dict.fromkeys((*found, next(_replaced(word, self.suffixes), word), word)))


def _replaced(word: str, rules: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The word by each rule that fits."""
    for pattern, instead in rules:
        replaced, count = re.subn(pattern, instead, word)
        if count:
            yield replaced


def read_affixes() -> dict[str, Affixes]:
    """The affixes of each language, by its code."""
    text = (resources.files("scrubjay.profiles.search.words") / "affixes.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Affixes])


_AFFIXES = read_affixes()
_NO_AFFIXES = Affixes()
_local = threading.local()


def stem_words(words: Sequence[str], language: str) -> list[tuple[str, ...]]:
    """The stems of each word, lower case: its own and, where it has accents, that of the word without them.

    So a word is found by whoever can't type its accents, though the stemmer needs them. A word without a stem, or one
    too long to be a word, gives itself. language: one of LANGUAGES. Thread-safe.
    """
    lowered = [_lowered(word, language) for word in words]
    affixes = _AFFIXES.get(language, _NO_AFFIXES)
    bare = [affixes.bare(word) for word in lowered]
    forms = [tuple(dict.fromkeys((*own, *map(_without_accents, own)))) for own in bare]
    distinct = list({form for each in forms for form in each})
    known = dict(zip(distinct, _stems(distinct, language), strict=True))
    return [tuple(dict.fromkeys(known[form] for form in each)) for each in forms]


def plain(word: str, language: str) -> str:
    """A word as whoever has none of its accents types it, in lower case."""
    return _without_accents(_lowered(word, language))


def _lowered(word: str, language: str) -> str:
    return (word.translate(_TURKISH) if language == "tr" else word).lower()


def _without_accents(word: str) -> str:
    """As somebody types it who has none of its accents; letters of other scripts stay as they are."""
    if word.isascii() or not "a" <= word[0] <= "\u024f":
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _stems(words: Sequence[str], language: str) -> Sequence[str]:
    if language not in SNOWBALL:
        return [word.translate(_FINAL_LETTERS) for word in words]
    found = _stemmer(language).stemWords(words)
    return [stem if stem and len(word) <= _LONGEST else word for stem, word in zip(found, words, strict=True)]


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
