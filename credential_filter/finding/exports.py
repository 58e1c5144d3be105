"""Rows below a header of comma-separated values that names a password's column, as password managers export them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.credential_filter.reading.announcers import Name
from scrubjay.credential_filter.reading.note import Note

_DELIMITERS = ",;\t"
_FIELD = {delimiter: re.compile(rf'"(?:[^"]|"")*+"|[^{re.escape(delimiter)}\n]*+') for delimiter in _DELIMITERS}
_FIELD_ENDS = (*_DELIMITERS, "\n", "\r", "")
_HEADER_FIELD = re.compile(r'"?[\w .:/\-#]{1,40}"?')
_LONGEST_HEADER, _MOST_FIELDS = 600, 64
_MOST_ROWS = 20_000


def exported(note: Note, names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Spans of the fields in the columns that names head. Each row is read once for each of its header's names."""
    rows_stop = 0
    header_start = -1
    for name in names:
        if not name.noted or note.text[name.stop : name.stop + 2].strip('"')[:1] not in _FIELD_ENDS:
            continue
        line_start = note.line_start(name.start)
        if name.start < rows_stop and line_start != header_start:
            continue
        if not _begins_block(note.text, line_start):
            continue
        header = note.text[line_start : note.line_stop(name.stop)].rstrip("\r")
        found = _column(header, name.start - line_start, name.stop - line_start)
        if found is not None:
            header_start = line_start
            delimiter, column, columns = found
            for start, stop in _rows(note, line_start):
                if note.text.count(delimiter, start, stop) < columns - 1:
                    break
                rows_stop = max(rows_stop, stop)
                if (field := _field(note.text, start, stop, delimiter, column, columns)) is not None:
                    yield field


def _begins_block(text: str, line_start: int) -> bool:
    """Whether the line is not indented, and the first of a text, a paragraph or a code block."""
    if text[line_start : line_start + 1].isspace():
        return False
    above = text[text.rfind("\n", 0, max(0, line_start - 1)) + 1 : max(0, line_start - 1)].strip(" \t>\r")
    return not above or above.startswith(("```", "~~~", "#", "---")) or above.endswith(":")


def _column(header: str, start: int, stop: int) -> tuple[str, int, int] | None:
    """The delimiter of a line that is a header, the number of the field that this name is in, and how many there are."""
    delimiter = max(_DELIMITERS, key=header.count)
    if len(header) > _LONGEST_HEADER or not 0 < header.count(delimiter) < _MOST_FIELDS:
        return None
    fields = header.split(delimiter)
    column = header.count(delimiter, 0, start)
    if len(fields[column].strip(' "')) > stop - start + 16:
        return None
    filled = [field.strip() for field in fields if field.strip()]
    if len(filled) < 2 or not all(map(_HEADER_FIELD.fullmatch, filled)):
        return None
    return delimiter, column, len(fields)


def _rows(note: Note, line_start: int) -> Iterator[tuple[int, int]]:
    """The lines below the header, up to one that is empty or ends a code block."""
    start = note.line_stop(line_start) + 1
    for _ in range(_MOST_ROWS):
        if start >= len(note.text):
            return
        stop = note.line_stop(start)
        row = note.text[start:stop].strip()
        if not row or row.startswith(("```", "~~~")):
            return
        yield start, stop
        start = stop + 1


def _field(text: str, start: int, stop: int, delimiter: str, column: int, columns: int) -> tuple[int, int] | None:
    """The field of a row; with all that is between the fields before and behind, where delimiters in it are not quoted."""
    fields: list[tuple[int, int]] = []
    position = start
    while position <= stop and len(fields) < _MOST_FIELDS:
        field = _FIELD[delimiter].match(text, position, stop)
        if field is None:
            break
        fields.append(field.span())
        position = field.end() + 1
    if len(fields) < 2 or len(fields) <= column:
        return None
    last = max(column, len(fields) - (columns - column))
    begin, end = fields[column][0], fields[last][1]
    value = text[begin:end].strip(" \t\r")
    begin = text.index(value, begin) if value else begin
    if len(value) > 1 and value[0] == value[-1] == '"':
        return begin + 1, begin + len(value) - 1
    return begin, begin + len(value)
