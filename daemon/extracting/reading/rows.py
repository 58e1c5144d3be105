"""Tables as parts: so many rows in each as one passage holds, below the table's first row."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scrubjay.daemon.extracting.extracted import Part

_PART_CHARACTERS = 900  # with the header; about what one passage holds
_HEADER_CHARACTERS = 300
MOST_COLUMNS = 500
_LONGEST_CELL = 2_000  # where a cell shares its row with others


class Row(NamedTuple):
    """A row that is not empty: its number in the sheet, from 1, and its cells."""

    number: int
    cells: tuple[str, ...]


def row_parts(sheet: str, label: str, rows: Iterable[Row]) -> Iterator[Part]:
    """Parts of a sheet's rows: "name | amount", then the rows. Their label names the rows: "rows 2–31"."""
    header = ""
    lines: list[str] = []
    first = last = length = 0
    for row in rows:
        line = _line(row)
        if not line:
            continue
        if not header:
            header, first, last = line[:_HEADER_CHARACTERS], row.number, row.number
            if len(header) < len(line):  # no header at all, but a text
                lines, length = [line], len(header) + len(line)
            continue
        if lines and length + len(line) > _PART_CHARACTERS:
            yield _part(sheet, label, header, lines, (first, last))
            lines = []
        if not lines:
            first, length = row.number, len(header)
        lines.append(line)
        last, length = row.number, length + len(line) + 1
    if header:
        yield _part(sheet, label, header, lines, (first, last))


def _part(sheet: str, label: str, header: str, lines: list[str], rows: tuple[int, int]) -> Part:
    named = f"row {rows[0]}" if rows[0] == rows[1] else f"rows {rows[0]}–{rows[1]}"
    return Part(sheet, f"{label} · {named}" if label else named, "\n".join((header, *lines)))


def _line(row: Row) -> str:
    """The cells beside each other, with gaps where cells are empty, so that columns can be told."""
    cells = [" ".join(cell.split()) for cell in row.cells[:MOST_COLUMNS]]
    while cells and not cells[-1]:
        cells.pop()
    if len(cells) > 1:
        cells = [cell[:_LONGEST_CELL] for cell in cells]
    return " | ".join(cells)
