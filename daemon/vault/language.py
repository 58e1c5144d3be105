"""The language of a text: by its script, else by its small words, by how it is spelt, by its common words.

Spelling is py3langid's work (a naive Bayes classifier over byte sequences; its model comes with the package). It takes
twenty times as long as the small words, and is asked where these are few, or those of several languages alike. It needs
sentences; a few words are told by the lists of the commonest ones, and by letters that few languages have.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol, cast

from py3langid.langid import MODEL_FILE, LanguageIdentifier  # pyright: ignore[reportMissingTypeStubs]

from scrubjay.profiles.names import nfc
from scrubjay.profiles.search.words.analysis import words
from scrubjay.profiles.search.words.dictionary import common_in, letters_of
from scrubjay.profiles.search.words.stop_words import SMALL_WORDS

_SAMPLE = 2000  # code points that are looked at
_LEAST = 20  # code points of prose; less says too little
_LEAST_SPELT = 120  # code points whose spelling says enough
_SPELT = 600  # code points whose spelling is looked at
_SURE = 0.95  # probability
_LATIN = (
    "af az ca cs cy da de en es et eu fi fr ga gl hr hu id is it la lt lv ms mt nl nn no pl pt ro sk sl sq sv sw tl"
    " tr vi"
)
"""Languages that are written with Latin letters and may be told apart by them."""
_MARKS = r"#*_>|=\-\d"
_NO_PROSE = re.compile(
    rf"[{_MARKS}`h[\]](?:(?<=[{_MARKS}])[{_MARKS}]*|(?<=`)(?:``.*?(?:```|\Z)|[^`\n]*`)"
    r"|(?<=h)ttps?://\S+|(?<=\[)\[|(?<=\])\])",
    re.DOTALL,
)
"""Code, addresses and marks. It begins with a set of characters, which the regex engine looks for quickly."""
_LEAST_SHARE = 0.2  # of the sample's letters that a script must have; a word of Chinese says more than one of English

_LEAST_KANA = 0.1  # for each Chinese character; Japanese names in Chinese text are fewer

_ASCII = re.compile(r"[\x00-\x7f]+")
_ASCII_LETTERS = re.compile(r"[A-Za-z]+")
_SCRIPTS = {
    script: re.compile(f"[{letters}]+")
    for script, letters in {
        "kana": "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f",
        "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
        "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
        "cyrillic": "\u0400-\u052f",
        "el": "\u0370-\u03ff\u1f00-\u1fff",
        "he": "\u0590-\u05ff",
        "arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
        "hi": "\u0900-\u097f",
        "bn": "\u0980-\u09ff",
        "ta": "\u0b80-\u0bff",
        "te": "\u0c00-\u0c7f",
        "th": "\u0e00-\u0e7f",
        "ka": "\u10a0-\u10ff",
        "hy": "\u0530-\u058f",
        "am": "\u1200-\u137f",
        "km": "\u1780-\u17ff",
    }.items()
}
_UKRAINIAN = re.compile("[ґєії]", re.IGNORECASE)
_PERSIAN = re.compile("[پچژگ]")


_LETTERS = re.compile(r"[^\W\d_]+")
_LEAST_SMALL = 5.0
"""Small words of a language, each counting the less the more languages have it: fewer say too little."""
_LEAST_SMALL_SHARE = 0.14
"""Of all words: languages like each other share small words, and what is written in neither has few of any."""
_LEAST_COMMON = 1.5
_LEAST_COMMON_SHARE = 0.15
"""As small words, of common words, small ones and letters of its own."""
_CLEAR_LEAD = 1.5
"""Times as many as of any other language."""


def language_of(text: str) -> str:
    """ISO 639-1 code of the language of the beginning of `text`; "" for mixtures, no letters and too little text.

    Chinese and Japanese are told apart by kana, Russian from Ukrainian and Arabic from Persian by letters of their own.
    Rarer languages in those scripts (Serbian, Urdu) are taken for the commoner ones. Those in Latin letters are told by
    a few words of prose at least: code and addresses are none.
    """
    return _by_script(text[:_SAMPLE]) or _of_prose(text[: 2 * _SAMPLE])


def _of_prose(sample: str) -> str:
    """The language of prose in Latin letters."""
    prose = nfc(" ".join(_NO_PROSE.sub(" ", sample).split())[:_SAMPLE])
    if len(prose) < _LEAST:
        return ""
    return _by_small_words(prose) or _by_spelling(prose) or _by_common_words(prose)


def _by_small_words(prose: str) -> str:
    said = _LETTERS.findall(prose.lower())
    found: defaultdict[str, float] = defaultdict(float)
    for word in said:
        for language in (has := _LANGUAGES_OF.get(word, ())):
            found[language] += 1 / len(has)
    best, second = sorted([*found.values(), 0.0, 0.0], reverse=True)[:2]
    if best < max(_LEAST_SMALL, _LEAST_SMALL_SHARE * len(said)) or best < _CLEAR_LEAD * second:
        return ""
    return next(language for language, points in found.items() if points == best)


def _by_common_words(prose: str) -> str:
    """The language of which a short text has the most common and small words, as far as that is clear."""
    found: defaultdict[str, float] = defaultdict(float)
    said = set(_LETTERS.findall(prose.lower()))
    for word in said:
        folded = "".join(words(word))
        has = {*common_in(folded), *_FOLDED_LANGUAGES_OF.get(folded, ())} or _by_letters(word)
        for language in has:
            found[language] += 1 / len(has)
    best, second = sorted([*found.values(), 0.0, 0.0], reverse=True)[:2]
    if best < max(_LEAST_COMMON, _LEAST_COMMON_SHARE * len(said)) or best < _CLEAR_LEAD * second:
        return ""
    return next(language for language, points in found.items() if points == best)


def _languages_of() -> Mapping[str, tuple[str, ...]]:
    having: defaultdict[str, list[str]] = defaultdict(list)
    for language, small in SMALL_WORDS.items():
        for word in small:
            having[word].append(language)
    return {word: tuple(languages) for word, languages in having.items()}


_LANGUAGES_OF = _languages_of()
"""By small word: the languages that have it."""


def _by_letters(word: str) -> set[str]:
    """The languages in Latin letters that have all of those that a word has beside the plain ones."""
    written = [letters_of(letter) for letter in word if not letter.isascii()]
    return set(written[0]).intersection(*written[1:]) if written else set()


_FOLDED_LANGUAGES_OF = {folded: languages for word, languages in _LANGUAGES_OF.items() for folded in words(word)}


def _by_spelling(prose: str) -> str:
    if len(prose) < _LEAST_SPELT or sum(map(str.isalpha, prose)) < len(prose) / 2:
        return ""
    found, probability = _identifier().classify(prose[:_SPELT])
    if probability < _SURE:
        return ""
    return "no" if found == "nn" else found


class _Identifier(Protocol):
    """What is used of py3langid, in types."""

    nb_classes: Sequence[str]

    def set_languages(self, langs: Sequence[str]) -> None: ...
    def classify(self, text: str) -> tuple[str, float]: ...


@lru_cache(maxsize=1)
def _identifier() -> _Identifier:
    """Loaded when the first note wants it."""
    identifier = cast("_Identifier", LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True))  # pyright: ignore[reportUnknownMemberType]
    identifier.set_languages(_LATIN.split())
    return identifier


def release_memory() -> None:
    """Drop the model of spellings, 85 MB in RAM; the next note that wants it loads it again, in about half a second."""
    _identifier.cache_clear()


def _by_script(sample: str) -> str:
    """The language that a script gives away; "" for Latin letters and mixtures."""
    rest = "" if sample.isascii() else _ASCII.sub("", sample)
    if len(rest) < _LEAST_SHARE * len(sample) / 2:  # at most accents, dashes and emoji among ASCII
        return ""
    counts = {script: sum(map(len, letters.findall(rest))) for script, letters in _SCRIPTS.items()}
    others = sum(map(len, _ASCII_LETTERS.findall(sample)))
    script = max(counts, key=lambda script: counts[script])
    if counts["kana"] > _LEAST_KANA * counts["han"] and script in {"han", "kana"}:
        counts["ja"] = counts.pop("han") + counts.pop("kana")
        script = "ja"
    if counts[script] < _LEAST_SHARE * (sum(counts.values()) + others) or counts[script] == 0:
        return ""
    if script == "cyrillic":
        return "uk" if _UKRAINIAN.search(rest) else "ru"
    if script == "arabic":
        return "fa" if _PERSIAN.search(rest) else "ar"
    return "zh" if script == "han" else script
