"""Cells of a Markdown table below a heading that announces a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.credential_filter.deciding.verdict import Tie
from scrubjay.credential_filter.finding.assignments import Value, is_pass
from scrubjay.credential_filter.reading.announcers import Name
from scrubjay.credential_filter.reading.note import Note

_RULE_LINE = re.compile(r"[ \t>]*+\|?[ \t]*+:?-{2,}+:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+(?:\n|$)")
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
            yield Value(row_start + cell[0], row_start + cell[1], Tie.COLUMN, quoted=cell[2], alone=alone)
        row_start = row_stop + 1


def _cell(row: str, column: int) -> tuple[int, int, bool] | None:
    """Span of the text in a column, inside its code marks, and whether it had any."""
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
    return (start, start + len(bare), quoted) if bare and " " not in bare else None
