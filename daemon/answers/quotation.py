"""Whether a quotation really is in the text that it cites, and what an altered one was made of. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from scrubjay.daemon.answers.negations import drops_negation
from scrubjay.daemon.links.answer_words import Verdict
from scrubjay.profiles.search.results.plain_text import UNSEEN
from scrubjay.profiles.search.words.analysis import UNSPACED

MIN_WEIGHT = 12
"""A shorter quotation could be in any text. Letters and digits weigh 1, characters of unspaced scripts 3."""
_MOST_PLACES = 50
"""Of the same words in one text that are looked at, for one where no negation stands."""
MIN_PART_WEIGHT = 4
"""The same for each part of a quotation with something left out."""
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|(?:\. ){2,}\.|…+)\s*")
_QUOTE_MARKS = frozenset('"“”„‟«»″〝〞〟「」『』‘’‚‛‹›′ʼ')
_LINE_MARKS = re.compile(r"^[ \t]{0,20}(?:(?:[-*+>]|#{1,6})[ \t]+){1,9}(?:\[[ xX]\][ \t]+)?", re.MULTILINE)
"""Of headings, lists, tasks and quotations. Numbers of a list stay: they may be part of a sentence."""
_LINK_MARKS = re.compile(UNSEEN)
_Unseen: TypeAlias = tuple[re.Pattern[str], ...]
AS_READ: _Unseen = (_LINE_MARKS, _LINK_MARKS)
_AS_WRITTEN: _Unseen = (_LINK_MARKS,)
_MARK = "[*_~=]"
_NUMBER = re.compile(r"\d[.,]\d")
_UNSPACED = UNSPACED.pattern.removesuffix("+")
_WORD = r"[^\W_]|[\u0300-\u036f]"  # a letter or digit, or an accent on one
_DROPPED = re.compile(
    rf"(?<![\w*~=`]){_MARK}+(?={_WORD})"  # emphasis before a word: "**so", not "2 * 3" or "a_b"
    rf"|(?:(?<={_WORD})|(?<=[.,:;!?)…])){_MARK}++(?!{_WORD})"  # and after one, or after the stop behind it
    rf"|(?<={_UNSPACED})(?:{_MARK}++| )|(?<!{_MARK})(?:{_MARK}++| )(?={_UNSPACED})"  # where no blanks part words
    r"| +(?=-)|(?<=-)[ -]+| (?= )|'(?=')"  # spaces and dashes beside a dash; one of several spaces or marks stays
)


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of a quotation."""

    verdict: Verdict
    reason: str  # one sentence for a person; holds none of the text
    spans: tuple[tuple[int, int], ...] = ()  # where each part stands: code points of the text, end exclusive


def verify_quote(quote: str, text: str) -> Verification:
    """Look for `quote` in `text`, which is all that the cited note or chunk says. Never raises.

    `spans` has one entry a part, in order, if and only if the words are there: the verdict is "verified", or "altered"
    where a negation is left out wherever they stand.
    """
    as_read = _look_for(quote, text, AS_READ)
    if as_read.verdict != "not-found":
        return as_read
    as_written = _look_for(quote, text, _AS_WRITTEN)  # a quotation copied from a list may keep its marks
    return as_written if as_written.spans else as_read


def _look_for(quote: str, text: str, unseen: _Unseen) -> Verification:
    """As `verify_quote`, both sides without the marks that are `unseen`."""
    parts = [part for written in _ELLIPSIS.split(quote) if _weight(part := _bare(written, unseen))]
    weights = [_weight(part) for part in parts]
    if sum(weights) < MIN_WEIGHT:
        return Verification("unverifiable", f"Too short to tell: a quotation needs at least {MIN_WEIGHT} letters.")
    if min(weights) < MIN_PART_WEIGHT:
        reason = f"A part is too short to tell: between ellipses at least {MIN_PART_WEIGHT} letters are needed."
        return Verification("unverifiable", reason)
    source = ComparedText.of(text, unseen)
    if not source.text.strip():
        return Verification("unverifiable", "There is no text to compare with.")
    at = _find(source.text, parts[0], 0)
    altered = None
    for _ in range(_MOST_PLACES):
        found = _from(source, parts, at)
        if isinstance(found, int):
            return altered or Verification("not-found", _missing(source.text, parts, found))
        if not drops_negation(text, found):
            several = f"All {len(parts)} parts are in the text, in order."
            return Verification("verified", "The words are in the text." if len(parts) == 1 else several, found)
        altered = altered or Verification("altered", "It leaves out a negation.", found)
        at = _find(source.text, parts[0], (at or 0) + 1)
    return altered or Verification("not-found", _missing(source.text, parts, 1))


def _from(source: "ComparedText", parts: Sequence[str], first: int | None) -> tuple[tuple[int, int], ...] | int:
    """Where the parts stand in order, the first of them at `first`; else the number of one that does not."""
    spans: list[tuple[int, int]] = []
    found = first
    for number, part in enumerate(parts, start=1):
        if found is None:
            return number
        at = found + len(part)
        spans.append((source.origins[found], source.origins[at - 1] + 1))
        found = _find(source.text, parts[number], at) if number < len(parts) else None
    return tuple(spans)


@dataclass(frozen=True, slots=True)
class ComparedText:
    """A text as it is compared; `origins[i]` is the code point of the text as written that character i came from."""

    text: str
    origins: list[int]

    @classmethod
    def of(cls, text: str, unseen: _Unseen = AS_READ) -> "ComparedText":
        """The text without the marks that are `unseen`, in lower case and plain dress."""
        shown, origins = text, list(range(len(text)))
        for marks in unseen:
            shown, origins = _without(marks, shown, origins)
        chars, places = _plain(shown)
        return cls(*_without(_DROPPED, "".join(chars), [origins[place] for place in places]))


def _without(dropped: re.Pattern[str], text: str, origins: list[int]) -> tuple[str, list[int]]:
    """The text without what matches, and where the rest came from."""
    kept: list[str] = []
    kept_origins: list[int] = []
    start = 0
    for match in dropped.finditer(text):
        kept.append(text[start : match.start()])
        kept_origins.extend(origins[start : match.start()])
        start = match.end()
    return "".join((*kept, text[start:])), kept_origins + origins[start:]


def _plain(text: str) -> tuple[list[str], list[int]]:
    """The text's characters decomposed, in lower case and plain dress, and which written one each came from."""
    chars: list[str] = []
    origins: list[int] = []
    marks = 0  # combining marks at the end of `chars`
    for origin, written in enumerate(text):
        for char in _base_letters(written):
            if char >= "\u0300" and unicodedata.combining(char):
                marks += 1
            elif marks:
                chars[-marks:] = sorted(chars[-marks:], key=unicodedata.combining)  # their canonical order
                marks = 0
            chars.append(char)
            origins.append(origin)
    if marks:
        chars[-marks:] = sorted(chars[-marks:], key=unicodedata.combining)
    return chars, origins


@lru_cache(maxsize=4_096)
def _base_letters(char: str) -> str:
    if char in _QUOTE_MARKS:
        return "'"
    if char == "`":  # of code; it stands for nothing
        return ""
    if char.isspace():
        return " "
    kind = unicodedata.category(char)
    if kind == "Cf":  # soft hyphens, zero-width spaces, marks of direction
        return ""
    if kind == "Pd" or char == "−":
        return "-"
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(" " if part.isspace() else part for part in decomposed)


def _bare(part: str, unseen: _Unseen) -> str:
    """A part of a quotation as it is compared, without the marks that enclose it."""
    return ComparedText.of(part, unseen).text.strip(" '")


def _weight(part: str) -> int:
    unspaced = sum(len(run[0]) for run in UNSPACED.finditer(part))
    return sum(char.isalnum() for char in part) + 2 * unspaced


def _find(text: str, part: str, at: int) -> int | None:
    """The first place from `at` on where `part` stands and neither end of it cuts a word or a number."""
    found = text.find(part, at)
    while found >= 0:
        if not _cuts(text, found) and not _cuts(text, found + len(part)):
            return found
        found += 1
        while found < len(text) and _cuts(text, found):
            found += 1
        found = text.find(part, found)
    return None


def _cuts(text: str, at: int) -> bool:
    """Whether a word or number goes on across `at`. In scripts without spaces every character is a word."""
    before, after = text[max(at - 1, 0) : at], text[at : at + 1]
    if unicodedata.combining(after or " "):
        return bool(before.strip())  # an accent by itself, as "¯" decomposes, belongs to no letter
    if before.isalnum() and after.isalnum():
        return not (UNSPACED.fullmatch(before) or UNSPACED.fullmatch(after))
    number = before + after if before.isdigit() else text[max(at - 2, 0) : at] + after
    following = text[at + 1 : at + 2] if before.isdigit() else ""
    return _NUMBER.fullmatch(number + following) is not None


def _missing(text: str, parts: list[str], number: int) -> str:
    if len(parts) == 1:
        return "These words are not in the text."
    if all(_find(text, part, 0) is not None for part in parts):
        return "Every part is in the text, but not in this order."
    if _find(text, parts[number - 1], 0) is not None:
        return f"Part {number} of {len(parts)} is in the text only before the part that the quotation puts first."
    return f"Part {number} of {len(parts)} is not in the text."


_ALTERED_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+(?:['.,:/-][^\W_]+)*")
"""A word or number; each character of a script without spaces is one."""
_LIKE_ENOUGH = 0.6


@dataclass(frozen=True, slots=True)
class NearestWords:
    """The words of a text that are most like a quotation. Code points of the text, end exclusive."""

    start: int
    end: int


def nearest(quote: str, text: str) -> NearestWords | None:
    """Where a text says nearly what a quotation says; None where no stretch of it has three fifths of the words."""
    wanted = _words(ComparedText.of(quote).text)
    compared = ComparedText.of(text)
    spans = [match.span() for match in _places(compared.text)]
    words = [compared.text[start:end] for start, end in spans]
    width = len(wanted)
    if not width or not words:
        return None
    missing = Counter(wanted)
    held = place = 0
    best = (0, 0)  # words of the quotation in the window, and those of them in their places
    for at, word in enumerate(words):
        held += missing[word] > 0
        missing[word] -= 1
        if at >= width:
            gone = words[at - width]
            missing[gone] += 1
            held -= missing[gone] > 0
        if held >= max(best[0], 1) and at >= width - 1:
            aligned = sum(map(str.__eq__, words[at - width + 1 : at + 1], wanted))
            if (held, aligned) > best:
                best, place = (held, aligned), at
    if best[0] < _LIKE_ENOUGH * width:
        return None
    first, last = spans[max(place - width + 1, 0)][0], spans[place][1]
    return NearestWords(compared.origins[first], compared.origins[last - 1] + 1)


def _words(compared: str) -> list[str]:
    return [match[0] for match in _places(compared)]


def _places(compared: str) -> list[re.Match[str]]:
    return list(_ALTERED_WORD.finditer(compared))
