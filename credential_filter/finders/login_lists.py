"""Lists of logins, each a name and a password: below a heading, behind a label, in a table, in YAML, in brackets."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scrubjay.credential_filter.finders.logins import (
    BLANK,
    DRAWN,
    KNOWN,
    LISTED,
    MARKED,
    NO_LOGIN,
    NOTHING,
    OTHER,
    TIGHT,
    Login,
    counted,
    is_of_year,
    is_promising,
    kind_of_user,
    likeness,
    logins_in,
    trimmed,
)
from scrubjay.credential_filter.text.announcers import ACCOUNTS, CREDENTIALS, LOGINS
from scrubjay.credential_filter.text.scanned_note import Note
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.verdict import Hit

# Where lists begin, and where they end.

_REACH = 2000  # code points in which a digit must stand, without which nothing here is a password
_MOST_LINES, _MOST_OTHERS = 200, 4  # lines of a list, and those in a row that are no logins
_LONGEST_HEAD, _MOST_WORDS_BEFORE, _MOST_WORDS_UNMARKED, _MOST_WORDS_OF_LINE = 80, 4, 2, 14
_LONGEST_LINE = 400
_CALLOUT = re.compile(r"\[![\w\-]{1,20}\][+\-]?")  # folded, perhaps
_LINE_MARKS = re.compile(
    rf"(?:[ \t>]|[-*+•–](?=[ \t])|\d{{1,3}}[.)](?=[ \t])|\[[ xX]\](?=[ \t])|{_CALLOUT.pattern}){{0,24}}+"
)
_HASHES = re.compile(r"#{1,6}(?=[ \t])(?:[ \t]{1,4}+\d{1,3}(?:\.\d{1,3}){0,3}+[.)](?=[ \t]))?+")
_PICTURES = r"(?:[ \t]?[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]{1,8}+){0,3}+"
_ENDS_HEAD = re.compile(
    rf"\w{{0,4}}+(?:[ \t]{{1,2}}[\w'’&/\-]{{1,24}}){{0,4}}+(?:[ \t]?\([^()\n]{{1,40}}\))?+{_PICTURES}"
    rf"""[ \t]?[:：=\-–>{{\[(*_`"')\]#】~]{{0,8}}+{_PICTURES}[ \t\r]{{0,8}}+(?=\n|\Z)"""
)
# What else may stand behind it where it is a heading: where it is of, a tag, the name of a block.
_TAIL_OF_HEADING = re.compile(
    r"[ \t]{0,2}+(?:[–—:]|-(?=[ \t]))[ \t][\w\-]{1,24}+[ \t\r]{0,8}+(?=\n|\Z)|,(?:[ \t][\w’'&\-]{1,24}){1,4}+[ \t\r]{0,8}+(?=\n|\Z)"
    r"|(?:[ \t]#[\w/\-]{1,30}){1,3}+[ \t\r]{0,8}+(?=\n|\Z)|[ \t]\^[\w\-]{1,30}+[ \t\r]{0,8}+(?=\n|\Z)"
)
# Words behind one for logins or users that make a heading one for something else: password policy, login flow, user stories.
_OF_OTHERS = re.compile(
    r"(?i)[\w'’]{0,3}+[ \t\-](?:(?:and|und|et|y)[ \t])?(?:manag|polic|polit|rule|richtlinie|regel|verwalt|crack|hash|encrypt|reset|chang|generat|strength|requirement|attack|"
    r"research|flow|page|screen|form|test|stor(?:y|ies)|interview|setting|einstellung|statist|count|per[ \t]|by[ \t]|pro[ \t]|par[ \t]|por[ \t]|histor|journey|experience|receivable|payable)"
)
_UNDERLINE = re.compile(r"\n[ \t>]{0,8}+(?P<mark>=+|-{2,})[ \t\r]*+(?=\n|\Z)")
_RULE = re.compile(r"[|:\-=+*_ \t]*+")
_FENCE = ("```", "~~~")
_VERBS = "is|are|was|were|ist|sind|war|waren|lauten|lautet|est|sont|es|son|è|sono|é|são|zijn|är|er|są|to"
_TIE = re.compile(
    rf"""s?+(?:[ \t](?!(?:{_VERBS})\b)[\w\-]{{1,16}}){{0,4}}+[*_`"')\]}}】]{{0,3}}+[ \t]{{0,2}}+(?:\([^()\n]{{1,24}}\)(?=[ \t]?[:：=]))?+
    (?:(?:{_VERBS})\b:?|[:：=]=?>?|-{{1,2}}>|→|[–—\-](?=[ \t])|(?=[(\[{{]))[*_]{{0,2}}+[ \t]{{0,3}}+[(\[{{]?+[ \t]{{0,3}}+(?=\S)""",
    re.VERBOSE,
)
_APART = re.compile(r"s?+[*_)\]】]{0,3}+[ \t]{1,2}+(?=\S)")
_SLASH_BEHIND_HOST = re.compile(r"@[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,4}[ \t]{0,2}+/[ \t]{0,2}+(?=\S)")
_SERVICE = re.compile(r"[*_`]{0,3}+(?P<name>[^\n:：]{2,40}+)[:：][*_`]{0,3}+[ \t]{1,3}+(?P<mail>[\w.+\-]{1,64}+)")
_GOES_ON = re.compile(r"(?:[,;|&][ \t]*+)?\r?\n(?=[ \t>]{0,8}+[\-*+•–\w\"'`(])")
_TIES_OF_OTHERS = frozenset("/:=–→")
_TIES = ("/", "／", ":", "：", "=")
_BEFORE_LOGIN = " \t\n\r([{`\"'*_:：,;|>"


class _Head(NamedTuple):
    """What announces a list that begins on the next line.

    depth:  of a heading; 0 of any other line
    indent: blanks before a list's item; -1 of any other line
    quoted: whether it stands in a quotation or a callout
    """

    depth: int
    indent: int
    quoted: bool


_ENDS_LINE = _Head(0, -1, quoted=False)  # of a list that began on its line


def login_lists(note: Note, names: Sequence[Name]) -> Iterator[Hit]:
    """The passwords in lists of logins. names: in order, of which some announce a list."""
    read = {ACCOUNTS: 0, LOGINS: 0, CREDENTIALS: 0}  # up to where lines were read as a list that promises so much
    done = 0  # up to where a line was read
    starts: list[int] | None = None
    for name in names:
        if name.start < done:
            continue
        if name.kind == "user" and note.text[name.stop : name.stop + 1] in _TIES:
            logins = _without_label(note, name)
            done = max([done, *(login.stop for login in logins)])
            yield from counted(note.text, logins, LOGINS)
        if not name.logins or not note.has_digit(name.stop, name.stop + _REACH):
            continue
        logins = _on_line(note, name)
        if any(login.looks for login in logins):
            done = logins[-1].stop
            head = _ENDS_LINE if _GOES_ON.match(note.text, done) is not None else None
        else:
            head = _head(note, name)
        if head is not None and name.start >= max(read[much] for much in read if much >= name.logins):
            starts = [other.start for other in names] if starts is None else starts
            below, read[name.logins] = _below(note, head, note.line_stop(max(done, name.stop)) + 1, names, starts)
            logins = [*logins, *below]
        yield from counted(note.text, logins, name.logins)
    yield from _behind_addresses(note)


def _on_line(note: Note, name: Name) -> list[Login]:
    """The logins behind a label on its line."""
    text = note.text
    stop = note.line_stop(name.stop, _LONGEST_LINE)
    if not is_promising(note, name.stop, stop):
        return []
    tie = _TIE.match(text, name.stop, stop)
    if tie is not None:
        logins = logins_in(text, tie.end(), stop)
        # What only a blank ties is a sentence's beginning.
        return logins if logins and (logins[0].tie != BLANK or name.logins == CREDENTIALS) else []
    apart = _APART.match(text, name.stop, stop)
    if apart is None:
        return []
    logins = logins_in(text, apart.end(), stop)
    if not logins or logins[0].tie != TIGHT or not text.startswith(logins[0].user, apart.end()):
        return []
    is_known = kind_of_user(logins[0].user) == KNOWN or (name.logins == CREDENTIALS and logins[0].looks > NOTHING)
    return logins if is_known else []


def _without_label(note: Note, name: Name) -> list[Login]:
    """Several logins in a row, of which a user is the first whose name every machine has."""
    text = note.text
    stop = note.line_stop(name.stop, _LONGEST_LINE)
    if (name.start and text[name.start - 1] not in _BEFORE_LOGIN) or not is_promising(note, name.stop, stop):
        return []
    logins = logins_in(text, name.start, stop)
    if len(logins) < 2 or logins[0].tie != TIGHT or not text.startswith(logins[0].user, name.start):
        return []
    is_drawn = any(login.looks == DRAWN for login in logins)
    is_known = text[name.stop] == "/" and all(kind_of_user(login.user) == KNOWN for login in logins)
    are_all = (is_drawn or is_known) and all(login.looks and login.tie < LISTED for login in logins)
    return logins if are_all else []


def _behind_addresses(note: Note) -> Iterator[Hit]:
    """Passwords behind a service, an address for mail and a slash, where that is all of the line."""
    text = note.text
    for slash in _SLASH_BEHIND_HOST.finditer(text) if "@" in text else ():
        line_start, stop = note.line_start(slash.start()), note.line_stop(slash.end(), _LONGEST_LINE)
        marks = _LINE_MARKS.match(text, line_start, slash.start())
        service = _SERVICE.fullmatch(text, marks.end() if marks else line_start, slash.start())
        if service is not None and kind_of_user(service["name"], before_slash=False) > OTHER:
            logins = logins_in(text, service.start("mail"), stop)
            if len(logins) == 1 and logins[0].whole and not is_of_year(text[logins[0].start : logins[0].stop]):
                yield from counted(text, logins, LOGINS)


def _head(note: Note, name: Name) -> _Head | None:
    """The heading, label or key that the name's line is; None where it is none."""
    text = note.text
    line_start = note.line_start(name.start)
    if name.start - line_start > _LONGEST_HEAD or _OF_OTHERS.match(text, name.stop) is not None:
        return None
    marks = _LINE_MARKS.match(text, line_start, name.start)
    begin = marks.end() if marks else line_start
    hashes = _HASHES.match(text, begin, name.start)
    ends = _ENDS_HEAD.match(text, name.stop)
    if ends is None and hashes:
        ends = _TAIL_OF_HEADING.match(text, name.stop)
    if ends is None:
        return None
    before = text[hashes.end() if hashes else begin : name.start]
    words = before.split()
    if len(words) > _MOST_WORDS_BEFORE or any(word[-1] in ".!?;,|" for word in words):
        return None
    underline = _UNDERLINE.match(text, ends.end())
    written = text[line_start:begin]
    depth = hashes[0].count("#") if hashes else (1 if underline["mark"][0] == "=" else 2) if underline else 0
    is_marked = (
        depth or written.strip() or ends[0].strip(" \t\r")[-1:] in tuple(":：{[(*_>") or before.startswith(("**", "__"))
    )
    if not is_marked and len(words) + len(ends[0].split()) > _MOST_WORDS_UNMARKED:
        return None
    is_item = any(mark in _CALLOUT.sub("", written) for mark in "-*+•–.)")
    return _Head(depth, len(written) - len(written.lstrip(" \t>")) if is_item else -1, ">" in written)


class _Line(NamedTuple):
    """A line of what may be a list.

    begin, stop: what stands on it behind the marks of quotations and lists, and its end
    depth:   the blanks before it
    level:   of a heading; 0 of any other line
    """

    start: int
    begin: int
    stop: int
    depth: int
    level: int
    written: str
    text: str

    @property
    def is_item(self) -> bool:
        return self.written.strip(" \t>") != ""

    @property
    def is_empty(self) -> bool:
        return not self.text or self.text.startswith(_FENCE) or _RULE.fullmatch(self.text) is not None


def _line(note: Note, start: int) -> _Line:
    text, stop = note.text, note.line_stop(start)
    marks = _LINE_MARKS.match(text, start, stop)
    begin = marks.end() if marks else start
    written, line = text[start:begin], text[begin : min(stop, begin + _LONGEST_LINE)].rstrip(" \t\r")
    hashes, underline = _HASHES.match(line), _UNDERLINE.match(text, stop)
    level = hashes[0].count("#") if hashes else 0
    if underline is not None and not hashes and line and "|" not in line:
        level = 1 if underline["mark"][0] == "=" else 2
    return _Line(start, begin, stop, len(written) - len(written.lstrip(" \t>")), level, written, line)


def _ends_list(line: _Line, head: _Head, indent: int, *, is_after_blank: bool) -> bool:
    """Whether a line that is not empty is the first behind a list. indent: of the first login; -1 where none was yet."""
    if head.quoted and ">" not in line.written:
        return True
    if line.level or head.depth:
        return line.level > 0 and (not head.depth or line.level <= head.depth)
    return (
        (head.indent >= 0 and line.depth <= head.indent)
        or line.depth < indent
        or "[!" in line.written
        or (is_after_blank and indent >= 0 and not line.is_item and "|" not in line.text)
        or (line.text.startswith("**") and line.text.endswith(("**", ":**", "**:")))
    )


def _below(
    note: Note, head: _Head, start: int, names: Sequence[Name], starts: Sequence[int]
) -> tuple[list[Login], int]:
    """The logins on the lines of a list, or below a heading, and where it ends."""
    logins: list[Login] = []
    others, indent, is_after_blank = 0, -1, False
    for _ in range(_MOST_LINES):
        if start >= len(note.text) or others > _MOST_OTHERS:
            break
        line = _line(note, start)
        start = line.stop + 1
        if line.is_empty:
            is_after_blank = is_after_blank or not line.text
            continue
        if _ends_list(line, head, indent, is_after_blank=is_after_blank):
            start = line.start
            break
        is_after_blank = False
        if line.level:
            others = 0
            continue
        if "|" in line.text:
            found, start = _in_table(note, line.start, names, starts)
        else:
            found = _in_line(note, line)
        logins += found
        if any(login.looks for login in found):
            others, indent = 0, line.depth if indent < 0 else indent
        else:
            others += 1 if line.text.count(" ") < _MOST_WORDS_OF_LINE else _MOST_OTHERS // 2
    return logins, start


def _in_line(note: Note, line: _Line) -> list[Login]:
    is_prose = len(line.text) == _LONGEST_LINE or line.text.count(" ") >= _MOST_WORDS_OF_LINE
    if is_prose and not line.is_item:
        return []
    if is_promising(note, line.begin, line.stop):
        return logins_in(note.text, line.begin, line.stop)
    return [] if _TIES_OF_OTHERS.isdisjoint(line.text) else [NO_LOGIN]


_MOST_CELLS = 12


def _in_table(note: Note, start: int, names: Sequence[Name], starts: Sequence[int]) -> tuple[list[Login], int]:
    """The logins in the rows of a table, and where the next line begins.

    Below a row of headings only the columns without one, or whose heading announces logins, hold any.
    """
    text = note.text
    rows: list[list[tuple[int, int]]] = []
    has_heads = False
    for number in range(_MOST_LINES):
        stop = note.line_stop(start)
        if "|" not in text[start:stop]:
            break
        if _RULE.fullmatch(text, start, stop) is None:
            rows.append(_cells(text, start, stop))
        else:
            has_heads = has_heads or number == 1
        start = stop + 1
    heads = rows[0] if has_heads else []
    logins: list[Login] = []
    if heads and (first := _in_row(text, heads, range(1, len(heads)))) and all(login.looks for login in first):
        logins, heads = first, []
    columns = range(_MOST_CELLS)
    if heads:
        columns = [place for place, cell in enumerate(heads) if place and _announces(cell, names, starts)]
    for row in rows[has_heads:]:
        logins += _in_row(text, row, columns)
    return logins, start


def _announces(cell: tuple[int, int], names: Sequence[Name], starts: Sequence[int]) -> bool:
    place = bisect_left(starts, cell[0])
    return cell[0] == cell[1] or (place < len(names) and names[place].start < cell[1] and names[place].logins >= LOGINS)


def _cells(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """The spans of a row's cells, without blanks around them."""
    cells: list[tuple[int, int]] = []
    marks = _LINE_MARKS.match(text, start, stop)
    begin = marks.end() if marks else start
    begin += text[begin : begin + 1] == "|"
    for _ in range(_MOST_CELLS):
        if begin >= stop:
            break
        end = text.find("|", begin, stop)
        end = stop if end < 0 else end
        cell = text[begin:end]
        first = begin + len(cell) - len(cell.lstrip())
        cells.append((first, max(first, begin + len(cell.rstrip()))))
        begin = end + 1
    return cells


def _in_row(text: str, cells: Sequence[tuple[int, int]], columns: Iterable[int]) -> list[Login]:
    """The logins in a row: what stands alone in a cell behind another, or both in one."""
    logins: list[Login] = []
    for place in columns:
        if place >= len(cells) or cells[place][0] == cells[place][1]:
            continue
        start, stop = cells[place]
        if " " in text[start:stop]:
            logins += logins_in(text, start, stop)
            continue
        inner = logins_in(text, start, stop)
        if inner and inner[0].looks:
            logins += inner
        if not place or (inner and inner[0].looks):
            continue
        first, last = trimmed(text, start, stop)
        before = next((cell for cell in reversed(cells[:place]) if cell[0] < cell[1]), (0, 0))
        logins.append(Login(first, last, text[slice(*before)], MARKED, likeness(text[first:last])))
    return logins
