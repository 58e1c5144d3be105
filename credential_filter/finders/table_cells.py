"""Cells of a table, in Markdown or HTML, below a heading that announces a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.credential_filter.finders.assignments import Value, is_pass
from scrubjay.credential_filter.text.scanned_note import Note
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.verdict import Tie

_RULE_LINE = re.compile(r"[ \t>]*+\|?[ \t]*+:?-{2,}+:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+(?:\n|$)")
_USER_IN_CELL = re.compile(r"[\w.@+\-]{1,48} ?[/|,:;–—-] (?=\S{6,160}\Z|[^\W\d_]{3,14} [^\W\d_])")
_LONGEST_HEADING = 40
_MOST_ROWS, _MOST_COLUMNS = 2000, 64


def cells_under(note: Note, name: Name) -> Iterator[Value]:
    """The cells of the column that the name heads; nothing where the name is not in a table's head."""
    text = note.text
    line_start, line_stop = note.line_start(name.start), note.line_stop(name.start)
    if "|" not in text[line_start:line_stop] or _RULE_LINE.match(text, line_stop + 1) is None:
        return
    before = text[line_start : name.start]
    column = before.count("|")
    left = before.rfind("|") + line_start + 1
    right = text.find("|", name.stop, line_stop)
    heading = text[left : right if right >= 0 else line_stop]
    if len(heading.strip()) > _LONGEST_HEADING or column > _MOST_COLUMNS:
        return
    alone = not is_pass(text, name)
    row_start = note.line_stop(line_stop + 1) + 1
    for _ in range(_MOST_ROWS):
        row_stop = note.line_stop(row_start)
        row = text[row_start:row_stop]
        if "|" not in row or _RULE_LINE.match(text, row_start) is not None:
            return
        if (cell := _cell(row, column)) is not None:
            start, stop, quoted, paired = cell
            yield Value(row_start + start, row_start + stop, Tie.COLUMN, quoted, alone and not paired)
        row_start = row_stop + 1


def _cell(row: str, column: int) -> tuple[int, int, bool, bool] | None:
    """Span of the text in a column, inside its code marks; whether it had any, and whether a user's name is before it."""
    start = 0
    for _ in range(column):
        start = row.find("|", start) + 1
        if start == 0:
            return None
    stop = row.find("|", start)
    if stop < 0:
        stop = len(row)
    cell = row[start:stop]
    start += len(cell) - len(cell.lstrip(" \t"))
    stop = start + len(cell.strip(" \t"))
    quoted = stop - start > 2 and row[start] == row[stop - 1] and row[start] in "`'\"*"
    bare = row[start:stop].strip("`'\"*")
    start = row.find(bare, start)
    if " " in bare:  # a user's name before the password
        user = _USER_IN_CELL.match(bare)
        before = user.end() if user is not None else 0
        return start + before, start + len(bare), quoted, user is not None
    return (start, start + len(bare), quoted, False) if bare else None


# The same in HTML.

_CELL = re.compile(r"<t[dh]\b[^<>]{0,120}>\s{0,40}(?:<[^<>]{1,60}>){0,4}+")
_IN_CELL = re.compile(r"[^<>\s]{1,160}(?=\s{0,40}</)")
_LONGEST_HEAD, _LONGEST_ROW = 2000, 4000


def html_cells_under(note: Note, name: Name) -> Iterator[Value]:
    """The cells of the column of an HTML table that the name heads, up to the next row of headings."""
    text = note.text
    head = text.rfind("<tr", max(0, name.start - _LONGEST_HEAD), name.start)
    cells = list(_CELL.finditer(text, head, name.start)) if head >= 0 else []
    if not cells or cells[-1].end() != name.start or not cells[-1][0].startswith("<th") or len(cells) > _MOST_COLUMNS:
        return
    start = text.find("<tr", name.stop, name.stop + _LONGEST_ROW)
    for _ in range(_MOST_ROWS):
        if start < 0:
            return
        following = text.find("<tr", start + 3, start + _LONGEST_ROW)
        row = list(_CELL.finditer(text, start, following if following >= 0 else start + _LONGEST_ROW))
        if len(row) < len(cells) or row[0][0].startswith("<th"):
            return
        value = _IN_CELL.match(text, row[len(cells) - 1].end())
        if value is not None:
            yield Value(*value.span(), Tie.COLUMN, quoted=False, alone=not is_pass(text, name))
        start = following
