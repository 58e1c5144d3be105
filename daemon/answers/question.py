"""What a question asks for, by its words in the languages of the interface, and whether a text has that. Pure."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import resources
from typing import Literal, TypeAlias

import msgspec

from scrubjay.profiles.search.rank.semantic_trust import language_of_query
from scrubjay.profiles.search.words import analysis

Kind: TypeAlias = Literal[
    "name",
    "person",
    "place",
    "time",
    "duration",
    "amount",
    "path",
    "key",
    "yes-no",
    "reason",
    "manner",
    "thing",
    "none",
]
"""What would answer it; `thing`: anything; `none`: it is no question."""
_Patterns: TypeAlias = tuple[tuple[Kind, re.Pattern[str]], ...]
_ANYWHERE = ("zh", "ja")
"""Languages whose question words stand where the answer would; the others' stand at the beginning."""
_ASKS = ("?", "？", "؟", ";")  # the last is the Greek question mark
_FILTER = re.compile(r"(?<!\S)-?[a-z]+:\S+")
_CAPITAL = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_WITHIN = re.compile(r"(?<=[^\W\d_] )([^\W\d_]{2,})")
_HAS_CAPITALS = re.compile("[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]")
_COUNTED = re.compile(r"\b(?:how many|wie ?viele?[nr]?|combien de|cuánt[oa]s) ([^\W\d_]+)|\bcombien d'([^\W\d_]+)")
"""What is to be counted, in its plural."""
_NO_AMOUNT = re.compile(rf"\d{{4}}-\d\d-\d\d|\d\d?:\d\d|(?:(?!{analysis.UNSPACED.pattern})[^\W\d_])+[-_]?\d[\w-]*")
"""Days, times of the day, and names with a number; where no spaces are written, any number stands behind a letter."""


class _Measure(msgspec.Struct, frozen=True):
    asked: str
    said: str


class _Words(msgspec.Struct, frozen=True):
    """`question_words.toml`."""

    asked: dict[str, dict[Kind, str]]
    before: dict[Literal["words"], str]
    only_asks: dict[Literal["words", "east"], str]
    definition: _Measure
    holds: dict[str, str]
    measures: tuple[_Measure, ...]


_WORDS = msgspec.convert(
    tomllib.loads((resources.files("scrubjay.daemon.answers") / "question_words.toml").read_text("utf-8")), type=_Words
)
_NUMBER, _SPAN = _WORDS.holds["NUMBER"], _WORDS.holds["SPAN"]
NUMBER_TERMS = frozenset(analysis.tokenize(" ".join(re.findall(r"[^\W\d_]{2,}", _NUMBER))))
"""Number words as texts are analysed."""


def _asked(languages: Iterable[str], lead: str) -> _Patterns:
    """The patterns of these languages; the verbs last, since German *was* asks what."""
    found = [each for language in languages for each in _WORDS.asked[language].items()]
    return tuple(
        (kind, re.compile(lead + pattern)) for kind, pattern in sorted(found, key=lambda each: each[0] == "yes-no")
    )


def _first(patterns: _Patterns, found: Callable[[re.Pattern[str]], object]) -> Kind | None:
    return next((kind for kind, pattern in patterns if found(pattern)), None)


_AT_FIRST = _asked(
    [language for language in _WORDS.asked if language not in _ANYWHERE],
    rf"[¿\s]*(?:(?:{_WORDS.before['words']}) ){{0,2}}",
)
_EAST = {language: _asked((language,), "") for language in _ANYWHERE}
_KANA = re.compile("[\u3040-\u30ff]")
_DEFINITION = re.compile(_WORDS.definition.asked)
_ONLY_ASKS = re.compile(_WORDS.only_asks["words"], re.IGNORECASE)
_LONE = re.compile(r"(?<!\w)[\u4e00-\u9fff](?!\w)")
"""A Chinese character by itself, where what only asks is taken out: mostly a verb that any answer may have."""
_ONLY_ASKS_EAST = re.compile(_WORDS.only_asks["east"])
_HOLDS = {
    kind: re.compile(pattern.replace("NUMBER", _NUMBER).replace("SPAN", _SPAN), re.IGNORECASE)
    for kind, pattern in _WORDS.holds.items()
    if kind not in ("NUMBER", "SPAN")
}
_MEASURES = tuple((re.compile(each.asked), re.compile(each.said, re.IGNORECASE)) for each in _WORDS.measures)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as typed, and what it asks for."""

    text: str
    kind: Kind

    @classmethod
    def of(cls, text: str) -> "Question":
        """A text that neither begins with a question word nor ends with a question mark asks nothing."""
        words = _FILTER.sub(" ", unicodedata.normalize("NFKC", text).lower().replace("’", "'"))
        asked = " ".join(words.split())
        kind = _first(_AT_FIRST, lambda pattern: pattern.match(asked))
        if kind is None and not asked.isascii():
            kind = _first(_EAST["ja" if _KANA.search(asked) else "zh"], lambda pattern: pattern.search(asked))
        return cls(text, kind or ("thing" if asked.endswith(_ASKS) else "none"))

    @property
    def subject(self) -> str:
        """The question without what only asks, such as *how many*: the words that are looked for."""
        if self.kind == "none":
            return self.text
        subject = _ONLY_ASKS.sub(" ", self.text)
        if not subject.isascii():
            subject = _ONLY_ASKS_EAST.sub(" ", subject)
            without = _LONE.sub(" ", subject)
            subject = without if any(map(str.isalnum, without)) else subject
        return subject if any(map(str.isalnum, subject)) else self.text

    @property
    def measure(self) -> str:
        """The words of the question that ask for a measure, such as *cost*: they do not tell of what."""
        return " ".join(found[0] for asked, _ in _MEASURES for found in asked.finditer(self.text.lower()))

    @property
    def names(self) -> frozenset[str]:
        """What the question names; none where nouns are written so, or where a name may be the answer."""
        is_apart = self.kind in ("person", "name", "place") or language_of_query(self.text) == "de"
        return frozenset() if is_apart else names_in(self.text)

    def fit(self, written: str, shown: str) -> float:
        """How far a sentence has what answers this and was not asked with: 0, 0.5 (perhaps) or 1.

        written: as the note has it, with its marks; shown: as it reads.
        """
        asked = self.text.lower()
        match self.kind:
            case "amount" | "duration":
                found = _fit_of_number(_HOLDS[self.kind], shown, asked)
            case "time":
                found = float(any(time[0].lower() not in asked for time in _HOLDS["time"].finditer(shown)))
            case "place" | "reason":
                found = float(_HOLDS[self.kind].search(shown) is not None)
            case "path" | "key":
                found = float(_HOLDS[self.kind].search(written) is not None)
            case "person":
                found = _fit_of_person(shown, asked)
            case "name":
                found = 1.0 if _HOLDS["name"].search(shown) else min(0.5, _fit_of_person(shown, asked))
            case "thing":
                defined = _DEFINITION.match(asked)
                found = 0.5 if defined is None else _fit_of_definition(shown.lower(), defined[1])
            case _:
                found = 0.5
        return found


def names_in(text: str) -> frozenset[str]:
    """The words of a text that are written as names are though they begin no sentence; dates are none."""
    return frozenset(word[1] for word in _WITHIN.finditer(_undated(text)) if word[1][:1].isupper())


def _undated(text: str) -> str:
    """The text without its dates and times, as long as before: March is nobody."""
    return _HOLDS["time"].sub(lambda time: "." * len(time[0]), text)


def _fit_of_person(shown: str, asked: str) -> float:
    if not _HAS_CAPITALS.search(shown):
        return 0.5
    capitals = (word for word in _CAPITAL.finditer(_undated(shown)) if word[0][:1].isupper())
    names = [word for word in capitals if word[0].lower() not in asked]
    return 1.0 if any(word.start() for word in names) else 0.5 if names else 0.0


def _fit_of_definition(shown: str, name: str) -> float:
    pattern = _WORDS.definition.said.replace("NAME", re.escape(name))
    return float(re.search(pattern, shown) is not None)


def _fit_of_number(pattern: re.Pattern[str], shown: str, asked: str) -> float:
    if not any(number[0].lower() not in asked for number in pattern.finditer(_NO_AMOUNT.sub(" ", shown))):
        return 0.0
    if counted := _COUNTED.search(asked):
        noun = counted[1] or counted[2]
        return float(noun[: max(4, len(noun) - 2)] in shown.lower())
    for about, measure in _MEASURES:
        if about.search(asked):
            return float(measure.search(shown) is not None)
    return 0.5
