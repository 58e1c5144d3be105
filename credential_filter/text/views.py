"""Other readings of a text in which a disguised, escaped or split secret is whole again, and the way back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from urllib.parse import unquote, unquote_to_bytes

from scrubjay.credential_filter.text.scanned_note import BLOT, Note
from scrubjay.credential_filter.text.unicode import Change, Rewritten, disguised, disjoint

_ESCAPED = re.compile(r"""(?:%[0-9A-Fa-f]{2}[^\s%"'<>()\[\]]{0,64})+""")
_TELLING = re.compile(r"%(?:3[0-9dD]|40|[46][1-9a-fA-F]|[57][0-9aA])")  # letters, digits, "=" or "@": no need to escape
_ESCAPE = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_TOKEN = re.compile(r"""[^\s"'<>()\[\]]+\Z""")
_LONGEST_TOKEN = 128
_MOST_ESCAPED = 65536


def escapes(text: str) -> Iterator[re.Match[str]]:
    """The runs with escapes of characters that need none."""
    if _TELLING.search(text) is None:
        return
    start = text.find("%")
    while start >= 0:
        run = _ESCAPED.match(text, start, start + _MOST_ESCAPED)
        if run is not None and _TELLING.search(run[0]) is not None:
            yield run
        start = text.find("%", run.end() if run is not None else start + 1)


def unescaped(text: str, runs: Sequence[re.Match[str]]) -> Rewritten:
    """What the runs say, one a line."""
    changes: list[Change] = []
    end = 0
    for run in runs:
        before = _TOKEN.search(text, max(end, run.start() - _LONGEST_TOKEN), run.start())
        start = before.start() if before else run.start()
        changes += (Change(end, start, "\n"), *_plain(text, run))
        end = run.end()
    return Rewritten(text, changes, 0, end)


def _plain(text: str, run: re.Match[str]) -> Iterator[Change]:
    if run[0].count("%") * 3 == len(run[0]):  # nothing of it can be read as it stands: it is hidden as a whole
        yield Change(*run.span(), unquote(run[0]))
        return
    for escape in _ESCAPE.finditer(text, *run.span()):
        start = escape.start()
        for char in unquote_to_bytes(escape[0]).decode("utf-8", "replace"):
            size = 3 * len(char.encode("utf-8")) if char != "\ufffd" else 3
            yield Change(start, start + size, char)
            start += size


_COLOUR = re.compile("\x1b\\[[0-9;]{0,12}m")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,24});")
_CODE = re.compile(r"\\(?:u00(?P<u>[2-7][0-9a-fA-F])|u\{0{0,4}(?P<b>[2-7][0-9a-fA-F])\}|x(?P<x>[2-7][0-9a-fA-F]))")
_ESCAPED_MARK = re.compile(r"\\[_\-.~=+/:]")
_FROM_ESCAPED_MARK = re.compile(r"\\[_\-.~=+/:][A-Za-z0-9+/=_\-.\\~:]{0,510}+")
_BACKSLASH = re.compile(r"\\(?=[_\-.~=+/:](?:[A-Za-z0-9_\-]|\\[_\-.~=+/:]|\s|\Z))")
_BLANK_INSIDE = re.compile(
    r"(?<=[!-~])[\u00a0\u2000-\u200a\u202f\u205f]{1,4}(?=[!-~])"
)  # that looks like one, but parts no lines
_BLANKS = "\u00a0\u202f\u2009\u2007\u2002\u2003\u200a\u205f"
_LONGEST_PIECE = 64
_PIECE_BEFORE, _PIECE_BEHIND = re.compile(r"[!-~]{1,64}\Z"), re.compile(r"[!-~]{1,64}")
_BREAK_HERE = re.compile(r"(?<=[^\s])(?:<wbr ?/?>|<!-- {0,2}-->)(?=[^\s])")
# _emphasis_, which the guards of rules would take for a part of the token: where it may begin, and how it ends.
_EMPHASIS_OPENS = re.compile(r"(?<![\w\\])_(?=[A-Za-z0-9])")
_EMPHASIS_CLOSES = re.compile(r"_(?![A-Za-z0-9_])|\s")
_LONGEST_EMPHASIS = 800
# What splits a token between two of its characters.
# The two that are frequent in ordinary notes are looked for from their first characters on, which is fast.
_TAG = re.compile(
    r"<(?<=[A-Za-z0-9+/=_\-.]<)/?(?:b|i|u|s|em|strong|span|code|mark|font|small|sub|sup|kbd|a|br)(?: [^<>\n]{0,80})?/?>"
    r"(?=[A-Za-z0-9+/=_\-])"
)
_BOLD = re.compile(r"\*\*(?<=[A-Za-z0-9+/=_\-.]\*\*)(?=[A-Za-z0-9])")
_PLUS = re.compile(r"""(?P<quote>["'])[ \t]\+[ \t\n]{1,40}["'](?=[A-Za-z0-9+/=_\-])""")
_NEXT_STRING = re.compile(r"""["']\n[ \t]{0,40}[+.&]?[ \t]{0,4}["'](?=[A-Za-z0-9+/=_\-])""")
_QUOTATION = re.compile(r"(?<=[A-Za-z0-9+/=_\-])\n(?:[ \t]{0,4}>){1,8}[ \t]?(?=[A-Za-z0-9+/=_\-])")
# What tells where to look for each: found in the pass that finds the names (`Matcher.find`), in lower case.
_SPELT = {
    "\x1b[": _COLOUR, "&#": _ENTITY, "&lowbar;": _ENTITY, "&underbar;": _ENTITY, "&hyphen;": _ENTITY, "&dash;": _ENTITY,
    "&period;": _ENTITY, "&equals;": _ENTITY, "&plus;": _ENTITY, "&sol;": _ENTITY, "&shy;": _ENTITY, "&zerowidthspace;": _ENTITY,
    "&zwj;": _ENTITY, "&zwnj;": _ENTITY, "&lrm;": _ENTITY, "&rlm;": _ENTITY, "&nobreak;": _ENTITY, "&num;": _ENTITY,
    "\\u00": _CODE, "\\u{": _CODE, "\\x": _CODE, "<wbr": _BREAK_HERE, "<!-- ": _BREAK_HERE,
}  # fmt: skip
_SPLIT = {
    '" +': _PLUS, "' +": _PLUS, '"\n': _NEXT_STRING, "'\n": _NEXT_STRING, "\n>": _QUOTATION,
}  # fmt: skip
_BEGINNINGS = frozenset((" _", "\n_", "|_", "(_", '"_', ">_"))
_FENCES = frozenset(("```", "~~~"))
_PERCENT = frozenset(f"%{digit}" for digit in "34567")
MARKS = (*_SPELT, *_SPLIT, *_BEGINNINGS, *_FENCES, *_PERCENT)
"""What a text must hold for a view to differ from it."""
# Beside a generated string: the end of a line, or of a string, and the beginning of the next.
_LINE_END = re.compile(
    r"""["']?[ \t]{0,4}\\?\r?\n[ \t>]{0,40}["']?(?=(?P<next>[A-Za-z0-9+/=_\-]{2,512})["']?[ \t,;)]{0,4}\\?\r?(?:\n|\Z))"""
)
_STRING_END = re.compile(
    r"""(?P<quote>["'`])(?:[ \t]{0,4}[+.&][ \t]{0,4}|[ \t]{0,2}|[ \t]{0,4}[+.&]?[ \t]{0,4}\\?\r?\n[ \t]{0,40}[+.&]?[ \t]{0,4})[rbuf]?["'`](?=[\w+/=\-])"""
)
_EMPHASIS = re.compile(r"(?:\*{1,3}|~~|==|`)(?=[A-Za-z0-9+/=_\-])")
_SOLE_LINE = re.compile(r"\n(?<=[A-Za-z0-9+/=_\-.]\n)[ \t>]{0,16}(?=[A-Za-z0-9+/=_\-.]{4,512}+[ \t]{0,4}\r?\n)")
_LONGEST_JOINT = 64
_BEFORE = re.compile(
    r"(?:(?P<line>[\"']?[ \t]{0,4}\\?\r?\n[ \t>]{0,40}[\"']?)|[\"'`][ \t]{0,4}[+.&]?[ \t]{0,4}\\?\r?\n?[ \t]{0,40}[+.&]?[ \t]{0,4}[rbuf]?[\"'`]|\*{1,3}|~~|==)\Z"
)
_JOINED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-."
_TOKEN_CHARS = frozenset(_JOINED)
_ESCAPABLE = _JOINED + "\\~:"
_GENERATED_PART = re.compile(r"(?=[A-Za-z]{0,24}[0-9])[A-Za-z0-9]{12,}|[A-Za-z]{20,}")
_MANY_LETTERS = b"a" * 20  # in `Note.flat`
_SHORTEST_GENERATED = 12
_STEP_UP = re.compile(r"[a-z][A-Z]")
_DIGIT, _LETTER = re.compile(r"[0-9]"), re.compile(r"[A-Za-z]")
_SHORTEST_HALF, _LONGEST_HALF = 4, 512
_MARKS_JOIN = frozenset("\"'`*~")
_MAY_JOIN = _MARKS_JOIN | frozenset("\n\r\\ >\t")
_INDENT, _QUOTES, _BETWEEN_STRINGS = " \t>", ('"', "'", "`"), " \t>\r\n\\+.&rbuf"
_JOINTS = _BETWEEN_STRINGS + "\"'`*~="  # what `_BEFORE` is made of
_LINE_ENDS = ("\n", "")
Marks = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class View:
    """A reading of a text.

    joins: where stretches of the original lie that were taken out only here, in order. Where there are any, only what
           crosses one counts, and no names: the rest reads differently in the original.
    """

    rewritten: Rewritten
    joins: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """What it reads."""
        return self.rewritten.text

    def original(self, start: int, stop: int) -> tuple[int, int] | None:
        """The span of the original that a span of the view stands for; None where it does not count."""
        span = self.rewritten.source(start, stop)
        if self.joins:
            following = bisect_left(self.joins, span[0])
            if following == len(self.joins) or self.joins[following] >= span[1]:
                return None
        return span


def views(note: Note, marks: Marks) -> Iterator[View]:
    """The views that differ from the text; none for most notes.

    marks: where each of `MARKS` stands that is in the text, in order
    """
    disguises = (*disguised(note.text, note.unusual_text.disguises), *_blanks_inside(note))
    spelt = _apart(sorted([*disguises, *_spelt(note, marks)]))
    if spelt:
        yield View(_reading(note, spelt))
    if joints := _apart(sorted(_joints(note, marks))):
        changes = _apart(sorted([*spelt, *joints]))
        yield View(_reading(note, changes, joints), tuple(joint.start for joint in joints))
    text = note.text
    if not _PERCENT.isdisjoint(marks) and (escaped := list(escapes(text))):
        yield View(unescaped(text, escaped))


def _apart(changes: Iterable[Change]) -> list[Change]:
    """The changes without those that begin inside another."""
    kept: list[Change] = []
    stop = 0
    for change in changes:
        if change.start >= stop:
            kept.append(change)
            stop = change.stop
    return kept


def _reading(note: Note, changes: Sequence[Change], around: Sequence[Change] | None = None) -> Rewritten:
    """The lines of some of the changes, all by default, and those beside them, with all changes made."""
    windows = disjoint(_lines_around(note, around or changes))
    gaps: list[Change] = []
    end = windows[0][0]
    for start, stop in windows:
        if start > end:
            gaps.append(Change(end, start, f"\n{BLOT}\n"))
        end = stop
    inside = [change for change in changes if change.start >= windows[0][0] and change.stop <= end]
    return Rewritten(note.text, _apart(sorted([*gaps, *inside])), windows[0][0], end)


def _lines_around(note: Note, changes: Iterable[Change]) -> Iterator[tuple[int, int]]:
    """The lines of the changes, which are in order, and those beside them; once for many in one line."""
    covered = -1
    for change in changes:
        if change.stop > covered:
            line_stop = note.line_stop(change.stop)
            yield _line_before(note, change.start), _line_behind(note, change.stop)
            covered = line_stop if note.text[line_stop : line_stop + 1] in _LINE_ENDS else line_stop - _LONGEST_HALF


def _line_before(note: Note, position: int) -> int:
    start = note.line_start(position)
    return note.line_start(start - 1) if start else start


def _line_behind(note: Note, position: int) -> int:
    stop = note.line_stop(position)
    return note.line_stop(stop + 1) if stop + 1 < len(note.text) else stop


def _spelt(note: Note, marks: Marks) -> Iterator[Change]:
    """Entities, escapes and marks inside or around a token."""
    text = note.text
    beginnings = [0] if text.startswith("_") else []
    for mark, places in marks.items():
        if mark in _BEGINNINGS:
            beginnings += [place + 1 for place in places]
        elif (spelling := _SPELT.get(mark)) is not None:
            for place in places:
                found = spelling.match(text, place)
                if found is not None and (change := _plain_spelling(found)) is not None:
                    yield change
    if "\\" in text:
        yield from _backslashes(note)
    if beginnings:
        yield from _underlined(text, sorted(beginnings))


def _blanks_inside(note: Note) -> Iterator[Change]:
    """Blanks that end no line, between two pieces of which each mixes digits and letters: inside of a token."""
    text = note.text
    for blank in filter(note.unusual_text.others.__contains__, _BLANKS if note.unusual_text.others else ""):
        place = text.find(blank)
        while place >= 0:
            if (
                (found := _BLANK_INSIDE.match(text, place)) is not None
                and (behind := _PIECE_BEHIND.match(text, found.end())) is not None
                and _is_mixed(behind[0])
                and (before := _PIECE_BEFORE.search(text, max(0, place - _LONGEST_PIECE), place)) is not None
                and _is_mixed(before[0])
            ):
                yield Change(*found.span(), "")
            place = text.find(blank, place + 1)


def _plain_spelling(found: re.Match[str]) -> Change | None:
    if found.re is _CODE:
        return Change(*found.span(), chr(int(found["u"] or found["b"] or found["x"], 16)))
    if found.re is _ENTITY:
        plain = _entity(found[0])
        return Change(*found.span(), plain) if plain is not None else None
    return Change(*found.span(), "")


@lru_cache(maxsize=256)  # most texts repeat a few
def _entity(entity: str) -> str | None:
    """What the entity stands for; None where there is none of that name, and for white space."""
    plain = unescape(entity)
    if plain == entity or plain.isspace():
        return None
    return plain if plain.isprintable() else ""


def _backslashes(note: Note) -> Iterator[Change]:
    """Those that stand inside of what may be a token rather than a name in code."""
    text = note.text
    for found in _FROM_ESCAPED_MARK.finditer(text):
        place, stop = found.span()
        before = text[max(0, place - _LONGEST_TOKEN) : place]
        start = place - len(before) + len(before.rstrip(_ESCAPABLE))
        if (
            stop - start >= _SHORTEST_GENERATED
            and (note.flat.find(b"0", start, stop) >= 0 or note.flat.find(_MANY_LETTERS, start, stop) >= 0)
            and _GENERATED_PART.search(text, start, stop) is not None
        ):
            for mark in _ESCAPED_MARK.finditer(text, place, stop + 1):
                place = mark.start()
                if text[place - 1 : place] in _TOKEN_CHARS and _BACKSLASH.match(text, place) is not None:
                    yield Change(place, place + 1, "")


def _underlined(text: str, places: Iterable[int]) -> Iterator[Change]:
    """The marks at both ends of what stands in _emphasis_; underscores before letters or others of them are inside."""
    stop = 0  # what stands before is emphasis, or has no end
    for place in places:
        if place < stop or _EMPHASIS_OPENS.match(text, place) is None:
            continue
        closing = _EMPHASIS_CLOSES.search(text, place + 2, place + _LONGEST_EMPHASIS)
        stop = closing.end() if closing is not None else place + _LONGEST_EMPHASIS
        if closing is not None and closing[0] == "_":
            yield Change(place, place + 1, "")
            yield Change(closing.start(), closing.end(), "")


def _joints(note: Note, marks: Marks) -> Iterator[Change]:
    """What may split a token in two: tags, emphasis, the end of a line, the end of a string and the next's beginning."""
    text = note.text
    fences: list[int] = []
    for mark, places in marks.items():
        if mark in _FENCES:
            fences += places
        elif (splitting := _SPLIT.get(mark)) is not None:
            for place in places:
                found = splitting.match(text, place)
                if found is not None and _are_halves(text, *found.span(), mixed=splitting is _QUOTATION):
                    yield Change(*found.span(), "")
    if fences:
        yield from _joints_in_fences(text, sorted(fences))
    for found in _BOLD.finditer(text) if "*" in text else ():  # two characters are found slower than by the regex
        if _are_halves(text, *found.span(), mixed=False):
            yield Change(*found.span(), "")
    for found in _TAG.finditer(text) if "<" in text else ():
        if _are_halves(text, *found.span(), mixed=False):
            yield Change(*found.span(), "")
            if end := _TAG.search(text, found.end(), found.end() + _LONGEST_HALF):
                yield Change(*end.span(), "")
    yield from _joints_beside_runs(note)


def _joints_beside_runs(note: Note) -> Iterator[Change]:
    """What may split a generated string from what stands before or behind it."""
    text = note.text
    for start, stop in note.runs:
        following = text[stop : stop + 1]
        if following in _MAY_JOIN:
            behind = line = _LINE_END.match(text, stop)
            if line is None and following in _MARKS_JOIN:
                behind = _STRING_END.match(text, stop) or _EMPHASIS.match(text, stop)
            if behind is not None and _are_halves(text, *behind.span(), mixed=line is not None):
                yield Change(*behind.span(), "")
        if text[start - 1 : start] not in _MAY_JOIN:
            continue
        before = _joint_before(text, start)
        if before is not None and _are_halves(text, *before.span(), mixed=before["line"] is not None):
            yield Change(*before.span(), "")


def _joint_before(text: str, start: int) -> re.Match[str] | None:
    """What splits what begins here from what stands before it, the last of which may do so."""
    last = text[start - 1]
    before = text[max(0, start - _LONGEST_JOINT) : start]
    if last in _INDENT and ("\n" not in before or not before.rstrip(_INDENT).endswith("\n")):
        return None
    if last in _QUOTES:
        head = before[:-1].rstrip(_BETWEEN_STRINGS)
        if not head.endswith(_QUOTES) and "\n" not in before[len(head) :]:
            return None
    return _BEFORE.search(text, start - len(before) + len(before.rstrip(_JOINTS)), start)


def _joints_in_fences(text: str, places: Sequence[int]) -> Iterator[Change]:
    """The ends of lines in code blocks of which the next holds nothing but what may be the rest of a token.

    places: where marks stand that may begin or end such a block, in order
    """
    fences = [place for place in places if not text[text.rfind("\n", 0, place) + 1 : place].strip(" \t>")]
    for opening, closing in zip(fences[::2], [*fences[1::2], len(text)], strict=False):
        for found in _SOLE_LINE.finditer(text, opening, closing):
            if _are_halves(text, *found.span(), mixed=True):
                yield Change(*found.span(), "")


def _are_halves(text: str, stop: int, start: int, *, mixed: bool) -> bool:
    """Whether what ends at `stop` and what begins at `start` may be one token.

    mixed: whether both must not read as words do, since lines end everywhere
    """
    before, behind = text[max(0, stop - _LONGEST_HALF) : stop], text[start : start + _LONGEST_HALF]
    one = before[len(before.rstrip(_JOINED)) :]
    other = behind[: len(behind) - len(behind.lstrip(_JOINED))]
    if len(one) < _SHORTEST_HALF or len(other) < _SHORTEST_HALF:
        return False
    return _is_mixed(one) and _is_mixed(other) if mixed else _is_mixed(one + other)


def _is_mixed(half: str) -> bool:
    """Whether a half holds a digit and a letter, or letters as no word has them."""
    return (_DIGIT.search(half) is not None and _LETTER.search(half) is not None) or _STEP_UP.search(half) is not None
