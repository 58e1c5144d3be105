"""Excel's `.xlsx` and comma-separated tables: rows below their sheet's first row, comments, hidden sheets."""

import csv
from collections.abc import Iterator

from scrubjay.daemon.documents.extracted import COMMENTS, HIDDEN, CannotRead, DocumentPart, Reason
from scrubjay.daemon.documents.parsers.archive import Archive
from scrubjay.daemon.documents.parsers.cells import Styles, cell_text, column_of, read_styles
from scrubjay.daemon.documents.parsers.decode import as_text
from scrubjay.daemon.documents.parsers.office import Relation, drawn_text, main_member, properties, relations
from scrubjay.daemon.documents.parsers.sections import MOST_COLUMNS, ParsedFile, Row, row_parts
from scrubjay.daemon.documents.parsers.xml import ElementStart, End, events

_MOST_STRINGS = 2_000_000
_SNIFFED = 20_000  # characters by which the delimiter is chosen
_DELIMITERS = ",;\t|"


def read_xlsx(data: bytes) -> ParsedFile:
    """Parts of rows of each sheet, hidden ones included, with their comments and the text of their drawings."""
    archive = Archive(data)
    main = main_member(archive, "xl/workbook.xml")
    title, parts = properties(archive)
    return ParsedFile(_sheets(archive, main, parts), title=title)


def read_csv(data: bytes) -> ParsedFile:
    """Parts of rows, as a sheet called "1"; the delimiter is the one that cuts most lines alike."""
    text = as_text(data)
    return ParsedFile(row_parts("1", "", _csv_rows(text, _delimiter(text[:_SNIFFED]))))


def read_tsv(data: bytes) -> ParsedFile:
    """Parts of rows, cut at tabs, as a sheet called "1"."""
    return ParsedFile(row_parts("1", "", _csv_rows(as_text(data), "\t")))


def _csv_rows(text: str, delimiter: str) -> Iterator[Row]:
    # The module's limit is the process's: it is only ever raised, since others read with it.
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    try:
        for number, cells in enumerate(csv.reader(text.split("\n"), delimiter=delimiter), 1):
            if any(cells):
                yield Row(number, tuple(cells))
    except csv.Error:
        raise CannotRead(Reason.DAMAGED) from None


def _delimiter(sample: str) -> str:
    lines = [line for line in sample.split("\n")[:50] if line]

    def alike(delimiter: str) -> tuple[int, int]:
        counts = [line.count(delimiter) for line in lines]
        first = counts[0] if counts else 0
        return (counts.count(first) if first else 0, first)

    return max(_DELIMITERS, key=alike)


def _sheets(archive: Archive, main: str, others: list[DocumentPart]) -> Iterator[DocumentPart]:
    related = relations(archive, main)
    strings = _strings(archive, _first(related, "sharedStrings"))
    styles = Styles(frozenset(), 0)
    if (named := _first(related, "styles")) in archive:
        styles = read_styles(archive.blocks(named))
    for event in events(archive.blocks(main)):
        if not isinstance(event, ElementStart):
            continue
        if event.name == "workbookPr" and event.attributes.get("date1904") in ("1", "true"):
            styles = Styles(styles.dates, 1_462)
        elif event.name == "sheet" and event.attributes.get("r:id") in related:
            name, member = event.attributes.get("name", ""), related[event.attributes["r:id"]].target
            if member in archive:
                label = HIDDEN if event.attributes.get("state", "visible") != "visible" else ""
                yield from row_parts(name, label, _rows(archive, member, strings, styles))
                yield from _beside(archive, name, member)
    yield from others


def _first(related: dict[str, Relation], kind: str) -> str:
    return next((each.target for each in related.values() if each.kind == kind), "")


def _beside(archive: Archive, sheet: str, member: str) -> Iterator[DocumentPart]:
    """The comments of a sheet, those with answers included, and what is written in its drawings."""
    said: dict[str, list[str]] = {COMMENTS: [], "drawing": []}
    for relation in relations(archive, member).values():
        if relation.target not in archive:
            continue
        if relation.kind == "comments":
            said[COMMENTS].append(drawn_text(archive, relation.target))
        elif relation.kind == "threadedComment":
            said[COMMENTS].append(drawn_text(archive, relation.target, "text"))
        elif relation.kind == "drawing":
            said["drawing"].append(drawn_text(archive, relation.target))
    for label, texts in said.items():
        if text := "\n".join(filter(None, texts)):
            yield DocumentPart(sheet, label, text)


def _strings(archive: Archive, member: str) -> list[str]:
    """The strings that cells refer to; how they are pronounced (`rPh`) left out."""
    found: list[str] = []
    pieces: list[str] = []
    reading = aside = False
    for event in events(archive.blocks(member)) if member in archive else ():
        if isinstance(event, str):
            if reading and not aside:
                pieces.append(event)
        elif event.name == "t":
            reading = isinstance(event, ElementStart)
        elif event.name == "rPh":
            aside = isinstance(event, ElementStart)
        elif event.name == "si" and isinstance(event, End):
            found.append("".join(pieces))
            pieces = []
            if len(found) > _MOST_STRINGS:
                raise CannotRead(Reason.TOO_LARGE)
    return found


def _rows(archive: Archive, member: str, strings: list[str], styles: Styles) -> Iterator[Row]:
    number, column, kind, style = 0, 0, "", ""
    cells: list[str] = []
    pieces: list[str] = []
    reading = False
    for event in events(archive.blocks(member)):
        if isinstance(event, str):
            if reading:
                pieces.append(event)
        elif event.name in ("v", "t"):
            reading = isinstance(event, ElementStart)
        elif isinstance(event, ElementStart):
            if event.name == "row":
                number, cells = _number(event.attributes.get("r", ""), number + 1), []
            elif event.name == "c":
                column = column_of(event.attributes.get("r", ""), len(cells))
                kind, style, pieces = event.attributes.get("t", "n"), event.attributes.get("s", ""), []
        elif event.name == "c" and column < MOST_COLUMNS:
            cells += [""] * (column - len(cells))
            cells.append(cell_text("".join(pieces), kind, style, strings, styles))
        elif event.name == "row" and any(cells):
            yield Row(number, tuple(cells))


def _number(value: str, otherwise: int) -> int:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else otherwise
