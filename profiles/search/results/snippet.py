"""The stretch of a passage that is shown, and the words in it that are marked."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.profiles.search.rank.highlights import Match
from scrubjay.profiles.search.results.plain_text import Plain, plain, sentence_bounds

SNIPPET_LENGTH = 240  # code points; two to three lines of the panel
_MARKS = " \t\n#>|*+-"  # what may stand before the beginning of a passage without anything being left out
_STOPS = (".", "!", "?", "…", "。", "！", "？")  # after one of these nothing looks cut off
_SPACES = re.compile(r"\s+")
_EQUAL = 1e-9  # weights that differ by less


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line of text, and the ranges to highlight in it: code points, end exclusive, in order, not touching."""

    text: str
    highlights: tuple[tuple[int, int], ...]


def make_snippet(text: str, matches: Sequence[Match], length: int = SNIPPET_LENGTH) -> Snippet:
    """Choose the run of sentences whose distinct terms weigh most, at most `length` code points and two ellipses.

    Of equal runs the earliest wins; with no match at all that is the beginning. It reads as the note does: without the
    marks of Markdown, in one line, see `profiles/search/results/plain_text.py`. No ellipsis follows a whole sentence.
    matches: in any order; ranges that touch are highlighted as one.
    """
    matches = sorted(matches)
    start, end = _best_window(text, matches, length)
    return _rendered(text, start, end, matches)


def _best_window(text: str, matches: list[Match], length: int) -> tuple[int, int]:
    """Try every sentence as the beginning; a sentence too long by itself also from just before each match."""
    bounds = sentence_bounds(text)
    best: tuple[float, int, int] = (-1.0, 0, 0)
    starts = [match.start for match in matches]
    most = _weight(matches, len(text))
    for start, end in _windows(text, bounds, matches, length):
        inside = matches[bisect_left(starts, start) : bisect_left(starts, end)]
        weight = _weight(inside, end) if inside else 0.0
        if weight > best[0] + _EQUAL:
            best = (weight, start, end)
            if weight >= most - _EQUAL:
                break
    return best[1], best[2]


def _windows(
    text: str, bounds: Sequence[tuple[int, int]], matches: list[Match], length: int
) -> Iterator[tuple[int, int]]:
    last = 0  # number of the sentence that the window ends with; it never moves back
    for index, (start, end) in enumerate(bounds):
        if end - start > length:
            yield start, _word_end(text, start, start + length)
            for match in matches:
                if start <= match.start < end:
                    begin = _word_start(text, max(start, match.start - length // 4))
                    yield begin, _word_end(text, begin, min(end, begin + length))
            continue
        last = max(last, index)
        while last + 1 < len(bounds) and bounds[last + 1][1] - start <= length:
            last += 1
        yield start, bounds[last][1]


def _weight(matches: list[Match], end: int) -> float:
    """What matches that begin in a window come to, those that end after it left out."""
    weights: dict[int, float] = {}
    places = 0
    for match in matches:
        if match.end <= end:
            places += 1
            if match.weight > weights.get(match.term, 0.0):
                weights[match.term] = match.weight
    return sum(weights.values()) + 0.01 * min(places, 10)  # between equal runs, the one that says it more often


def _word_start(text: str, at: int) -> int:
    """The nearest beginning of a word at or after `at`, if one is near; scripts without spaces are cut anywhere."""
    if at == 0 or text[at - 1].isspace():
        return at
    space = _SPACES.search(text, at, at + 20)
    return space.end() if space else at


def _word_end(text: str, start: int, at: int) -> int:
    if at >= len(text):
        return len(text)
    for position in range(at, max(start, at - 20), -1):
        if text[position].isspace():
            return position
    return at


def _rendered(text: str, start: int, end: int, matches: list[Match]) -> Snippet:
    """The window as one line that reads as the note does, and the ranges of the matches in it."""
    lead = "…" if text[:start].strip(_MARKS) else ""
    line = plain(text, start, end)
    tail = "…" if text[end:].strip() and not line.text.endswith(_STOPS) else ""
    ranges = [
        (len(lead) + line.place(first), len(lead) + line.place(last))
        for match in matches
        if match.start < end and match.end > start
        for first, last in _between_marks(text, line, max(match.start, start), min(match.end, end))
    ]
    most = len(lead) + len(line.text)
    return Snippet(f"{lead}{line.text}{tail}", _joined([(first, min(last, most)) for first, last in ranges]))


def _between_marks(text: str, line: Plain, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a match that read as they are written: what stands for a mark, or where one was, matched nothing."""
    at = start
    for edit in line.edits[max(0, bisect_left(line.edits, (start,)) - 1) :]:
        if edit.start >= end:
            break
        is_space = text[edit.start : edit.end].isspace() and not edit.shown.strip()
        if edit.end <= start or is_space:
            continue
        yield from _without_spaces(text, at, edit.start)
        at = edit.end
    yield from _without_spaces(text, at, end)


def _without_spaces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch without white space at its ends; nothing where nothing is left."""
    part = text[start:end]
    if part.strip():
        yield end - len(part.lstrip()), start + len(part.rstrip())


def _joined(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif end > start:
            joined.append((start, end))
    return tuple(joined)
