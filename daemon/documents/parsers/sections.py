"""Text in paragraphs below headings, and tables, as parts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from scrubjay.daemon.documents.extracted import DocumentPart


@dataclass(slots=True)
class ParsedFile:
    """A file's title, parts and links. The parts may still be to be read: they are taken one by one, while time lasts.

    links and textless are complete once all parts have been taken.
    """

    parts: Iterable[DocumentPart]
    title: str = ""
    links: list[str] = field(default_factory=list[str])
    textless: list[int] = field(default_factory=list[int])
    remaining: int = 0  # parts that are still to come, as far as the parser knows while they are taken


@dataclass(slots=True)
class Sections:
    """Gathers paragraphs into sections: one part for each heading, numbered from 1 in their order.

    The heading is the part's label and is not repeated in its text; a heading without text of its own is a part, too,
    so that it is found.
    """

    parts: list[DocumentPart] = field(default_factory=list[DocumentPart])
    _label: str = ""
    _place: str = ""
    _lines: list[str] = field(default_factory=list[str])
    _number: int = 0

    def heading(self, title: str, place: str = "") -> None:
        """A new section begins. place: instead of its number."""
        title = " ".join(title.split())
        if title:
            self.end()
            self._label, self._place = title, place

    def paragraph(self, text: str) -> None:
        """A paragraph, or a row of a table, of the current section."""
        if text := text.strip():
            self._lines.append(text)

    def end(self) -> list[DocumentPart]:
        """All parts, once there is no more text."""
        if self._lines or self._label:
            self._number += 1
            place = self._place or str(self._number)
            self.parts.append(DocumentPart(place, self._label, "\n\n".join(self._lines)))
        self._label, self._place, self._lines = "", "", []
        return self.parts


def numbered(parts: Iterator[tuple[str, str]]) -> Iterator[DocumentPart]:
    """Parts from labels and texts, with their number as their place; those without any text keep their number."""
    for number, (label, text) in enumerate(parts, 1):
        if label or text:
            yield DocumentPart(str(number), label, text)


_PART_CHARACTERS = 900  # with the header; about what one passage holds
_HEADER_CHARACTERS = 300
MOST_COLUMNS = 500
_LONGEST_CELL = 2_000  # where a cell shares its row with others


class Row(NamedTuple):
    """A row that is not empty: its number in the sheet, from 1, and its cells."""

    number: int
    cells: tuple[str, ...]


def row_parts(sheet: str, label: str, rows: Iterable[Row]) -> Iterator[DocumentPart]:
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


def _part(sheet: str, label: str, header: str, lines: list[str], rows: tuple[int, int]) -> DocumentPart:
    named = f"row {rows[0]}" if rows[0] == rows[1] else f"rows {rows[0]}–{rows[1]}"
    return DocumentPart(sheet, f"{label} · {named}" if label else named, "\n".join((header, *lines)))


def _line(row: Row) -> str:
    """The cells beside each other, with gaps where cells are empty, so that columns can be told."""
    cells = [" ".join(cell.split()) for cell in row.cells[:MOST_COLUMNS]]
    while cells and not cells[-1]:
        cells.pop()
    if len(cells) > 1:
        cells = [cell[:_LONGEST_CELL] for cell in cells]
    return " | ".join(cells)
