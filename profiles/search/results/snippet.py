"""The stretch of a passage that is shown, and the words in it that are marked."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import takewhile

from scrubjay.profiles.search.rank.graphemes import goes_on
from scrubjay.profiles.search.rank.highlights import Match
from scrubjay.profiles.search.results.plain_text import (
    FENCES,
    LINK,
    Plain,
    as_read,
    in_code,
    plain,
    read_end,
    reads_as_written,
    sentence_bounds,
)

SNIPPET_LENGTH = 240  # code points; two to three lines of the panel
_MARKS = " \t\n#>|*+-"  # what may stand before the beginning of a passage without anything being left out
_STOPS = (".", "!", "?", "…", "。", "！", "？")  # after one of these nothing looks cut off
_SPACES = re.compile(r"\s+")
_EQUAL = 1e-9  # weights that differ by less
_MOST_UNREAD = 4  # code points as written, for each that is read
_LONGEST_LINK = 1_500  # more than the pattern takes for one
_IN_CODE = 0.2  # what code or a list of links that says the same is behind a sentence
_MOST_LISTED = 2
"""Links, each on a line by itself, that are shown after the last line with a match."""
_AFTER_LINK = " \t.,;·|"
_ROW = re.compile(r"[ \t>]*\|")
_TABLE = re.compile(r"^[ \t>]*(\|[^\n]*)\n[ \t>]*\|[ \t]*:?-[-:| \t]*$(?:\n[ \t>]*\|[^\n]*)*", re.MULTILINE)
"""Its first row is the group."""
_LEFT_OUT = " … "  # between the first row of a table and one further down
_FENCED = re.compile(FENCES.pattern + r"[^\n]*$", re.MULTILINE)
_NO_WORD = frozenset("|-:`~")
_RULE = frozenset("|-: \t>")
_BRACKET = re.compile(r"[()\[\]]")


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line of text, and the ranges to highlight in it: code points, end exclusive, in order, not touching."""

    text: str
    highlights: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Head:
    """The first row of a table: where it is, how long it reads, and where the table ends."""

    start: int
    end: int
    read: int
    table_end: int


def make_snippet(text: str, matches: Sequence[Match], length: int = SNIPPET_LENGTH) -> Snippet:
    """Choose the run of sentences whose distinct terms weigh most, at most `length` code points and two ellipses.

    Of equal runs the earliest wins, prose before code and lists of links, of which few are shown that say nothing of
    what is looked for; with no match at all that is the beginning. A link, a character
    and its marks, and a row of a table are cut only where they are too long by themselves; the first row of a table is
    not shown without another, and before any other where half of `length` has room for it. It reads as the note does:
    without the marks of Markdown, in one line, see `profiles/search/results/plain_text.py`. No ellipsis follows a whole
    sentence, and no half of a bracket is left.
    matches: in any order; ranges that touch are highlighted as one.
    """
    matches = sorted(matches)
    start, end = _best_window(text, matches, length)
    room = _room(text, start, length)
    while len(plain(text, start, end).text) > room:  # it was cut between two marks, which are shown now
        end = _word_end(text, start, end - 1, room)
    head = _head_of(text, start, length)
    return _rendered(text, [(head.start, head.end), (start, end)] if head else [(start, end)], matches)


def _best_window(text: str, matches: list[Match], length: int) -> tuple[int, int]:
    """Try every sentence as the beginning; a sentence too long by itself also from just before each match."""
    bounds = _units(text)
    best: tuple[float, int, int] = (-1.0, 0, 0)
    starts = [match.start for match in matches]
    most = _weight(matches, len(text))
    for start, farthest, find_end in _windows(text, bounds, matches, length):
        inside = matches[bisect_left(starts, start) : bisect_left(starts, farthest)]
        if inside and (head := _head_of(text, start, length)):
            inside += matches[bisect_left(starts, head.start) : bisect_left(starts, head.end)]
        if _weight(inside, len(text)) <= best[0] + _EQUAL:
            continue  # wherever it ends
        end = find_end()
        weight = _weight([match for match in inside if match.start < end], end)
        is_listed = _is_listed(text, start)
        if weight and (is_listed or in_code(text, start)):
            weight = max(weight - _IN_CODE, _EQUAL)
        elif is_listed:
            weight = -_IN_CODE
        if weight > best[0] + _EQUAL:
            best = (weight, start, end)
            if weight >= most - _EQUAL:
                break
    return _without_list(text, best[1], best[2], starts)


def _is_listed(text: str, start: int) -> bool:
    """Whether nothing but a link stands in a line from `start` on."""
    if text[start : start + 1] not in ("[", "!"):
        return False
    link, stop = LINK.match(text, start), text.find("\n", start)
    return link is not None and not text[link.end() : stop if stop >= 0 else len(text)].strip(_AFTER_LINK)


def _without_list(text: str, start: int, end: int, starts: Sequence[int]) -> tuple[int, int]:
    """A window without the links, each on a line by itself, before its first match and long after its last.

    starts: of all matches, sorted. A window without a match stays as it is.
    """
    inside = starts[bisect_left(starts, start) : bisect_left(starts, end)]
    units = [unit for unit in _units(text) if start <= unit[0] < end]
    if not inside or not units:
        return start, end
    leading = list(takewhile(lambda unit: unit[1] <= inside[0] and _is_listed(text, unit[0]), units))
    trailing = list(takewhile(lambda unit: unit[0] > inside[-1] and _is_listed(text, unit[0]), reversed(units)))
    if leading:
        start = units[len(leading)][0]
    if len(trailing) > _MOST_LISTED:
        end = trailing[-_MOST_LISTED][1]
    return start, end


@lru_cache(maxsize=200)
def _units(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences and lines of a passage: none ends inside a link or a row of a table, and the rule of one is none.

    The first row of a table is one unit with the second.
    """
    units: list[tuple[int, int]] = []
    is_head = False  # whether the last unit is the first row of a table, by itself so far
    for start, end in sentence_bounds(text):
        if text[start] in _NO_WORD and (_RULE.issuperset(text[start:end]) or FENCES.match(text, start)):
            is_head = "|" in text[start:end] and bool(units)
            continue
        goes_on = units and text.find("\n", units[-1][1], start) < 0 and _is_inside(text, start)
        units[-1:] = [(units[-1][0], end)] if goes_on or is_head else [*units[-1:], (start, end)]
        is_head = False
    return tuple(units)


def _is_inside(text: str, at: int) -> bool:
    """Whether a sentence would begin in the middle of a row of a table or of a link."""
    line = text.rfind("\n", 0, at) + 1
    return _ROW.match(text, line) is not None or _link_around(text, at) is not None


def _head_of(text: str, start: int, length: int) -> _Head | None:
    """The first row of the table whose further row a window begins in; None where half of `length` is too short."""
    for head in _heads(text):
        if head.end < start < head.table_end:
            return head if head.read <= length // 2 else None
    return None


@lru_cache(maxsize=200)
def _heads(text: str) -> tuple[_Head, ...]:
    if "|" not in text:
        return ()
    return tuple(
        _Head(*found.span(1), len(as_read(text, *found.span(1))), found.end()) for found in _TABLE.finditer(text)
    )


def _windows(
    text: str, bounds: Sequence[tuple[int, int]], matches: list[Match], most: int
) -> Iterator[tuple[int, int, Callable[[], int]]]:
    """Where each begins, where it ends at the farthest, and what finds where: that takes long for long sentences.

    most: code points of a window, and of the first row of a table that stands before it.
    """
    last = 0  # number of the sentence that the window ends with
    for index, (start, end) in enumerate(bounds):
        length = _room(text, start, most)
        if end - start > length:
            yield start, *_cut(text, start, end, length)
            for match in matches:
                if start <= match.start < end:
                    begin = max(start, min(match.start - length // 4, end - length))
                    begin = _word_start(text, begin, match.start)
                    yield begin, *_cut(text, begin, end, _room(text, begin, most), match.end)
            continue
        last = max(last, index)
        while bounds[last][1] - start > length:
            last -= 1
        while last + 1 < len(bounds) and bounds[last + 1][1] - start <= length:
            last += 1
        yield start, bounds[last][1], partial(bounds[last].__getitem__, 1)


def _room(text: str, start: int, most: int) -> int:
    """Code points of a window that begins there, beside the first row of its table."""
    head = _head_of(text, start, most)
    return most - head.read - len(_LEFT_OUT) if head else most


def _cut(text: str, start: int, end: int, length: int, least: int = 0) -> tuple[int, Callable[[], int]]:
    """Of a window into a sentence that is too long for it: where it ends at the farthest, and what finds where.

    least: it does not end before this, if that is near.
    """
    least = min(least, start + length)

    def find_end() -> int:
        return max(_word_end(text, start, _read_end(text, start, end, length), length), least)

    return max(min(end, start + _MOST_UNREAD * length + _LONGEST_LINK), least), find_end


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


def _read_end(text: str, start: int, end: int, length: int) -> int:
    """The last place up to which what is read from `start` on is no longer than `length`: addresses are not read."""
    end = min(end, start + _MOST_UNREAD * length)
    if end - start <= length:
        return end
    if reads_as_written(text, start, start + length + 2):
        return start + length
    return read_end(text, start, end, length)


def _word_start(text: str, at: int, most: int) -> int:
    """The nearest beginning of a word at or after `at`, if one is near; scripts without spaces are cut anywhere.

    most: it is not behind this.
    """
    if at == 0:
        return at
    if link := _link_around(text, at):
        at = min(link[1], most) if link[1] <= most else link[0] if most - link[0] < SNIPPET_LENGTH // 2 else at
    if not text[at - 1].isspace() and (space := _SPACES.search(text, at, min(at + 20, most))):
        at = space.end()
    while at < most and goes_on(text, at):
        at += 1
    return at


def _word_end(text: str, start: int, at: int, length: int) -> int:
    """The end of the link around `at` where what is read to there is no longer than `length`, or of a word before."""
    if at >= len(text):
        return len(text)
    if link := _link_around(text, at):
        if len(as_read(text, start, link[1])) <= length:
            return link[1]
        if link[0] > start:
            return link[0]
    for position in range(at, max(start, at - 20), -1):
        if text[position].isspace():
            return position
    while at > start + 1 and goes_on(text, at):
        at -= 1
    return at


def _link_around(text: str, at: int) -> tuple[int, int] | None:
    """Where the link is from whose middle `at` would cut something off."""
    line = text.rfind("\n", 0, at) + 1
    address, name = text.rfind("](", line, at), text.rfind("[", line, at)
    begin = text.rfind("[", line, address) if address > name else name
    if begin < 0 and address < 0:
        return None
    begin = address if begin < 0 else begin - text.endswith("[[", line, begin + 1)
    begin -= text.endswith("!", line, begin)
    link = LINK.match(text, begin)
    return link.span() if link and begin < at < link.end() else None


def _rendered(text: str, spans: Sequence[tuple[int, int]], matches: list[Match]) -> Snippet:
    """Stretches in one line that reads as the note does, and the ranges of the matches in it."""
    shown = "…" if _FENCED.sub("", text[: spans[0][0]]).strip(_MARKS) else ""
    ranges: list[tuple[int, int]] = []
    for number, (start, end) in enumerate(spans):
        shown += _LEFT_OUT if number else ""
        line, lead = plain(text, start, end), len(shown)
        shown += line.text
        ranges += [
            (lead + line.place(first), min(lead + line.place(last), len(shown)))
            for match in matches
            if match.start < end and match.end > start
            for first, last in _between_marks(text, line, max(match.start, start), min(match.end, end))
        ]
    tail = "…" if _FENCED.sub("", text[spans[-1][1] :]).strip() and not shown.endswith(_STOPS) else ""
    return _without_halves(Snippet(shown + tail, _joined(ranges)))


def _without_halves(snippet: Snippet) -> Snippet:
    """A snippet without brackets whose other half is not in it, but for what counts a list: "a)"."""
    open_at: list[int] = []
    halves: set[int] = set()
    for bracket in _BRACKET.finditer(snippet.text):
        at = bracket.start()
        if bracket[0] in "([":
            open_at.append(at)
        elif open_at:
            open_at.pop()
        elif not _counts(snippet.text, at):
            halves.add(at)
    halves.update(open_at)
    if not halves or any(start <= at < end for at in halves for start, end in snippet.highlights):
        return snippet
    order = sorted(halves)
    text = "".join(character for at, character in enumerate(snippet.text) if at not in halves)
    return Snippet(
        text,
        tuple((start - bisect_left(order, start), end - bisect_left(order, end)) for start, end in snippet.highlights),
    )


def _counts(text: str, at: int) -> bool:
    """Whether a closing bracket follows a number or letter by itself, or makes a face: "1)", "a)", ":)"."""
    return at > 0 and (
        text[at - 1] in ":;-" or (text[at - 1].isalnum() and not text[max(at - 3, 0) : at - 1].strip("0123456789 "))
    )


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
