"""Characters that read as others, and a text in which such stretches are replaced, with the way back."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from ahocorasick_rs import BytesAhoCorasick, Implementation

from scrubjay.credential_filter.text.announcers import announcers

# A text with some stretches replaced, and the way back to the text that it was made from.


class Change(NamedTuple):
    """Code points `start` to `stop` of the original, and what stands for them."""

    start: int
    stop: int
    text: str


class Rewritten:
    """A part of a text after some changes, which must be in order and apart from one another. Does not change."""

    def __init__(self, original: str, changes: Sequence[Change], start: int = 0, stop: int | None = None) -> None:
        stop = len(original) if stop is None else stop
        froms = [start, *(change.stop for change in changes)]
        tos = [*(change.start for change in changes), stop]
        kept = [original[a:b] for a, b in zip(froms, tos, strict=True)]
        pieces = [part for pair in zip(kept, (change.text for change in changes), strict=False) for part in pair]
        self.text = "".join((*pieces, kept[-1]))
        sizes = list(accumulate(map(len, pieces), initial=0))
        self._changes = changes
        self._starts = sizes[1::2]  # of each change, in the new text
        self._stops = sizes[2::2]
        self._start = start

    def source(self, start: int, stop: int) -> tuple[int, int]:
        """The span of the original that a span of the new text stands for; a change counts as a whole."""
        return self._back(start, first=True), self._back(stop - 1, first=False)

    def _back(self, position: int, *, first: bool) -> int:
        """Where the character at this position begins, or where it ends."""
        place = bisect_right(self._starts, position) - 1
        if place < 0:
            return self._start + position + (not first)
        change = self._changes[place]
        if position >= self._stops[place]:
            return change.stop + position - self._stops[place] + (not first)
        return change.start if first else change.stop


def disjoint(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same stretches, those that touch as one. They must be in the order of their starts."""
    merged: list[tuple[int, int]] = []
    for start, stop in spans:
        if merged and start <= merged[-1][1]:
            if stop > merged[-1][1]:
                merged[-1] = merged[-1][0], stop
        else:
            merged.append((start, stop))
    return merged


# Unicode's default-ignorable code points that are no format characters (category Cf): DerivedCoreProperties.txt.
_IGNORABLE = (
    *(range(code, code + 1) for code in (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0)),
    range(0x180B, 0x1810),
    range(0xFE00, 0xFE10),
    range(0xFFF0, 0xFFF9),
    range(0xE0000, 0xE1000),
)
_BLOCKS = (
    range(0x80, 0x3400),
    range(0xA000, 0xAC00),
    range(0xF900, 0x10000),
    range(0x1D400, 0x1D800),
    range(0xE0000, 0xE1000),
)
_VOICED = "\u3099\u309a"  # of kana, where they are decomposed
_MARKS = "".join(map(chr, range(0x0300, 0x0370))) + _VOICED
_JAMO = frozenset(range(0x1100, 0x1200))  # Hangul, decomposed
# Points for vowels, and what only lengthens a line of Arabic: words are the same without.
_POINTS = frozenset((
    *range(0x0591, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7, *range(0x0610, 0x061B), 0x0640,
    *range(0x064B, 0x0660), 0x0670, *range(0x06D6, 0x06DD), *range(0x06DF, 0x06E5), 0x06E7, 0x06E8,
))  # fmt: skip
_LONG = 3  # characters; more that are disguised need none beside them
_REMEMBERED = 64  # characters of a run: longer ones hardly come again, and a whole note may be one
_TOKEN_CHAR = re.compile(r"[!-~\w]")
_ASCII = bytes(range(128))
_DASHES = "\u2010\u2011\u2012\u2212\ufe63\uff0d"  # that stand for a hyphen inside a token


@cache
def lookalikes() -> dict[int, str]:
    """What letters, digits and punctuation of ASCII look like in other blocks: full width, mathematical, circled.

    Only characters that NFKC makes one or several of ASCII's, without blanks; the full stops of an ellipsis stay.
    """
    return {
        code: plain
        for code in chain.from_iterable(_BLOCKS)
        if (plain := unicodedata.normalize("NFKC", chr(code))).isascii()
        and plain.isprintable()
        and plain.strip()
        and " " not in plain
        and "..." not in plain
    }


@cache
def _invisible() -> frozenset[int]:
    formats = (code for code in chain.from_iterable(_BLOCKS) if unicodedata.category(chr(code)) == "Cf")
    return frozenset(chain(formats, *_IGNORABLE))


def _class(codes: frozenset[int] | set[int]) -> str:
    """A character class of a regex that matches these code points."""
    spans: list[tuple[int, int]] = []
    for code in sorted(codes):
        if spans and code == spans[-1][1] + 1:
            spans[-1] = spans[-1][0], code
        else:
            spans.append((code, code))
    return "".join(f"\\U{start:08x}-\\U{stop:08x}" for start, stop in spans)


@cache
def _telling() -> frozenset[int]:
    return frozenset(code for code, plain in lookalikes().items() if any(c.isalnum() or c in "_-" for c in plain))


class UnusualText(NamedTuple):
    """What is found in a text that is not all ASCII: words of other scripts in lower case, and disguises. In order.

    others: the characters of the text that are not in ASCII, one after the other
    """

    words: list[tuple[str, int, int]]
    disguises: list[int]
    others: str


NOTHING_UNUSUAL = UnusualText([], [], "")


def is_latin(word: str) -> bool:
    """Whether a word begins like one in ASCII, so that it can be found where all else is blotted out."""
    return word[0].isascii() and sum(char.isascii() for char in word) >= len(word) / 2


@cache
def _automaton() -> tuple[BytesAhoCorasick, list[str], int]:
    """Finds words of other scripts, and disguises; what they are; and how many of them are words."""
    words = [word for word in announcers() if not is_latin(word)]
    codes = sorted({*_telling(), *map(ord, _DASHES + _MARKS), *_invisible(), *_POINTS, *_JAMO})
    found = [*words, *map(chr, codes)]
    automaton = BytesAhoCorasick([text.encode() for text in found], implementation=Implementation.DFA)
    return automaton, found, len(words)


@cache
def _run() -> re.Pattern[str]:
    others = _class({*map(ord, _DASHES + _MARKS), *_invisible(), *lookalikes()} - _JAMO)
    return re.compile(f"[{_class(_POINTS)}]+|[{_class(_JAMO)}]+|[{others}]+")


@cache
def _telltale() -> frozenset[str]:
    """Every disguise, and the first letter of each word that is not in ASCII: what is unusual holds one of them."""
    _, found, count = _automaton()
    firsts = (next(char for char in word if not char.isascii()) for word in found[:count])
    return frozenset((*firsts, *map(str.lower, found[count:])))


def unusual_text(text: str) -> UnusualText:
    """What is unusual in the text."""
    if text.isascii():
        return NOTHING_UNUSUAL
    others = text.encode("utf-8", "replace").translate(None, _ASCII).decode()
    if _telltale().isdisjoint(map(str.lower, set(others))):
        return UnusualText([], [], others)
    automaton, found, count = _automaton()
    coded = lowered(text).encode("utf-8", "replace")
    words: list[tuple[str, int, int]] = []
    disguises: list[int] = []
    position = place = 0  # in bytes, and in code points
    for number, start, stop in sorted(automaton.find_matches_as_indexes(coded, overlapping=True), key=_by_start):
        place += len(coded[position:start].decode())
        position = start
        if number < count:
            words.append((found[number], place, place + len(found[number])))
        elif stop:
            disguises.append(place)
    return UnusualText(words, disguises, others)


def _by_start(match: tuple[int, int, int]) -> int:
    return match[1]


def disguised(text: str, places: Iterable[int]) -> list[Change]:
    """The changes that make plain what is written in look-alikes, or has something invisible in it; in order.

    places: where each disguise stands, in order
    """
    changes: list[Change] = []
    stop, run = 0, _run()
    for start in places:
        if start >= stop and (found := run.match(text, start)) is not None:
            stop = found.end()
            if (change := _change(text, start, stop)) is not None:
                changes.append(change)
    return changes


def _change(text: str, start: int, stop: int) -> Change | None:
    """What makes the run plain; None where no token is beside it that it could be a part of."""
    read = _plain if stop - start <= _REMEMBERED else _plain.__wrapped__
    plain = read(text[start - 1 : start], text[start:stop], text[stop : stop + 1])
    return Change(start - plain[0], stop, plain[1]) if plain is not None else None


@lru_cache(maxsize=256)  # most texts repeat a few
def _plain(before: str, run: str, behind: str) -> tuple[int, str] | None:
    """How the run reads between the characters before and behind it, and how many of those before it belong to that."""
    if ord(run[0]) in _POINTS:
        return (0, "") if before.isalpha() else None
    if ord(run[0]) in _JAMO and not all(ord(char) in _invisible() for char in run):
        return 0, unicodedata.normalize("NFC", run)
    if before.isalpha() and run[0] in _MARKS and ord(run[0]) not in _invisible():
        return 1, unicodedata.normalize("NFC", before + run)
    plain = as_ascii(run) if len(run) <= _REMEMBERED else as_ascii.__wrapped__(run)
    if plain:
        counts = len(plain) > _LONG or _TOKEN_CHAR.match(before) or _TOKEN_CHAR.match(behind)
    else:
        counts = before.strip() and behind.strip()
    return (0, plain) if counts else None


@lru_cache(maxsize=256)  # most texts repeat a few
def as_ascii(run: str) -> str:
    """How a run of look-alikes reads."""
    return "".join(
        "-" if char in _DASHES else lookalikes().get(ord(char), "" if ord(char) in _invisible() else char)
        for char in run
    )


def lowered(text: str) -> str:
    """The text in lower case, character by character, so that it is exactly as long."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join([small if len(small := char.lower()) == 1 else small[0] for char in text])
