"""Where sentences begin and end in a stretch of Markdown.

To show a text, every stop that a space follows will do, since too short a sentence costs nothing. To quote from it, a
lower-case letter after the stop says that the sentence goes on ("approx. ten"). `blocks` cuts by rules of its own: a
passage keeps every character, also those between its sentences.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 300
"""Code points of one quoted sentence; a longer one is cut at a space."""


def _end(closing: str, following: str) -> re.Pattern[str]:
    """A stop or a line's end, and what stands before the next sentence."""
    # The set at the front lets the regex engine hop from one such character to the next.
    return re.compile(rf"[.!?…。！？\n](?:(?<=[.!?…])[{closing}]*\s+{following}|(?<=[。！？])|(?<=\n)\n*)")


_SHOWN = _end(r"\"')\]", "")
_QUOTED = _end(r"\"'”’)\]", r"(?=[^\sa-z])")
_LINE_MARK = re.compile(r"(?:[#>|]+|[-*+]|\d+[.)])\s+")
_LINE_MARK_STARTS = frozenset("#>|*+-0123456789")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it begins: code points of the text."""

    start: int
    text: str


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences and lines of a passage, for quoting; none is longer than LONGEST."""
    return tuple(piece for start, end in _bounds(text, _QUOTED) for piece in _pieces(text, start, end))


def sentence_bounds(text: str) -> list[tuple[int, int]]:
    """Where the sentences and lines of a passage begin and end, for showing it."""
    return list(_bounds(text, _SHOWN))


def _bounds(text: str, boundary: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Without the white space between them, and without the mark of a list, a quotation or a heading before them."""
    start = 0
    ends = [(at if text[at] == "\n" else at + 1, stop) for at, stop in map(re.Match[str].span, boundary.finditer(text))]
    for end, following in [*ends, (len(text), len(text))]:
        start = _past_spaces(text, start, end)
        if start < end and text[start] in _LINE_MARK_STARTS and (mark := _LINE_MARK.match(text, start, end)):
            start = mark.end()
        if end > start:
            yield start, end
        start = following


def _pieces(text: str, start: int, end: int) -> Iterator[Sentence]:
    """A sentence, cut where it is too long."""
    while start < end:
        stop = end
        if end - start > LONGEST:
            space = text.rfind(" ", start, start + LONGEST)
            stop = space if space > start else start + LONGEST
        if piece := text[start:stop].rstrip():
            yield Sentence(start, piece)
        start = _past_spaces(text, stop, end)


def _past_spaces(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
