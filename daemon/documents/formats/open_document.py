"""OpenDocument's texts, presentations and tables (`.odt`, `.odp`, `.ods`), which share one way to write paragraphs.

https://docs.oasis-open.org/office/OpenDocument/v1.3/
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from scrubjay.daemon.documents.extracted import (
    COMMENTS,
    FOOTNOTES,
    HIDDEN,
    METADATA,
    SPEAKER_NOTES,
    CannotRead,
    DocumentPart,
    Reason,
)
from scrubjay.daemon.documents.parsers.archive import Archive
from scrubjay.daemon.documents.parsers.sections import MOST_COLUMNS, ParsedFile, Row, Sections, row_parts
from scrubjay.daemon.documents.parsers.xml import ElementStart, End, Event, events

_TOLD = ("title", "creator", "initial-creator", "subject", "description", "keyword", "user-defined")
_UNREAD = ("tracked-changes", "note-citation")
_UNREAD_BESIDE = ("creator", "date", "creator-initials", "sender-initials")  # who wrote a comment
_BESIDE = {"annotation": COMMENTS, "note-body": FOOTNOTES, "notes": SPEAKER_NOTES}


@dataclass(slots=True)
class _Paragraphs:
    """From events to (where, heading or not, text): `where` is "" or the kind of text beside the flow."""

    pieces: list[list[str]] = field(default_factory=list[list[str]])
    beside: list[str] = field(default_factory=list[str])
    unread: int = 0

    def take(self, event: Event) -> tuple[str, bool, str] | None:
        if isinstance(event, str):
            if self.pieces and not self.unread:
                self.pieces[-1].append(event)
        elif isinstance(event, ElementStart):
            self._start(event)
        elif self._is_unread(event.name):
            self.unread -= 1
        elif event.name in ("p", "h") and self.pieces:
            text = "".join(self.pieces.pop()).strip()
            return (self.beside[-1] if self.beside else "", event.name == "h", text)
        elif event.name in _BESIDE:
            self.beside.pop()
        return None

    def _is_unread(self, name: str) -> bool:
        return name in _UNREAD or (bool(self.beside) and name in _UNREAD_BESIDE)

    def _start(self, event: ElementStart) -> None:
        if self._is_unread(event.name):
            self.unread += 1
        elif event.name in _BESIDE:
            self.beside.append(_BESIDE[event.name])
        elif event.name in ("p", "h"):
            self.pieces.append([])
        elif self.pieces and not self.unread:
            if event.name == "s":
                self.pieces[-1].append(" " * min(_count(event.attributes.get("c", "1")), 100))
            elif event.name in ("tab", "line-break"):
                self.pieces[-1].append("\t" if event.name == "tab" else "\n")


def read_odt(data: bytes) -> ParsedFile:
    """A part for each heading, one for the notes and one for the comments."""
    archive, title, parts = _opened(data)
    sections, paragraphs = Sections(), _Paragraphs()
    beside: dict[str, list[str]] = {FOOTNOTES: [], COMMENTS: []}
    row: list[str] | None = None
    for event in events(archive.blocks("content.xml")):
        if isinstance(event, ElementStart) and event.name == "table-row":
            row = []
        elif isinstance(event, End) and event.name == "table-row":
            sections.paragraph(" | ".join(row or []))
            row = None
        if not (taken := paragraphs.take(event)):
            continue
        where, is_heading, text = taken
        if where:
            beside.setdefault(where, []).append(text)
        elif row is not None:
            row += [text] if text else []
        elif is_heading:
            sections.heading(text)
        else:
            sections.paragraph(text)
    apart = [DocumentPart(place, "", "\n".join(lines)) for place, lines in beside.items() if lines]
    return ParsedFile([*sections.end(), *apart, *parts], title=title)


def read_odp(data: bytes) -> ParsedFile:
    """A part for each slide, labelled with its first line, and one for its speaker's notes."""
    archive, title, parts = _opened(data)
    return ParsedFile([*_slides(archive), *parts], title=title)


def _slides(archive: Archive) -> Iterator[DocumentPart]:
    number, paragraphs = 0, _Paragraphs()
    said: dict[str, list[str]] = {}
    for event in events(archive.blocks("content.xml")):
        if isinstance(event, ElementStart) and event.name == "page":
            number += 1
            said = {"": [], SPEAKER_NOTES: [], COMMENTS: []}
        elif taken := paragraphs.take(event):
            said.setdefault(taken[0], []).append(taken[2])
        elif isinstance(event, End) and event.name == "page":
            shown = [line for line in said[""] if line]
            if shown:
                yield DocumentPart(str(number), shown[0], "\n".join(shown))
            for label in (SPEAKER_NOTES, COMMENTS):
                if text := "\n".join(filter(None, said[label])):
                    yield DocumentPart(str(number), label, text)


def read_ods(data: bytes) -> ParsedFile:
    """Parts of rows of each sheet, with the sheet's first row in each."""
    archive, title, parts = _opened(data)
    return ParsedFile(_sheets(archive, parts), title=title)


def _sheets(archive: Archive, others: list[DocumentPart]) -> Iterator[DocumentPart]:
    hidden_styles: set[str] = set()
    style = ""
    stream = events(archive.blocks("content.xml"))
    for event in stream:
        if not isinstance(event, ElementStart):
            continue
        if event.name == "style":
            style = event.attributes.get("name", "")
        elif event.name == "table-properties" and event.attributes.get("display") == "false":
            hidden_styles.add(style)
        elif event.name == "table":
            notes: list[str] = []
            name = event.attributes.get("name", "")
            label = HIDDEN if event.attributes.get("style-name") in hidden_styles else ""
            yield from row_parts(name, label, _rows(stream, notes))
            if notes:
                yield DocumentPart(name, COMMENTS, "\n".join(notes))
    yield from others


def _rows(stream: Iterator[Event], notes: list[str]) -> Iterator[Row]:
    """The rows up to the end of the table that has just begun."""
    number, repeated = 0, 1
    cells: list[str] = []
    cell: list[str] = []
    copies, value = 1, ""
    paragraphs = _Paragraphs()
    for event in stream:
        if isinstance(event, ElementStart):
            if event.name == "table-row":
                repeated, cells = _count(event.attributes.get("number-rows-repeated", "1")), []
            elif event.name in ("table-cell", "covered-table-cell"):
                copies = _count(event.attributes.get("number-columns-repeated", "1"))
                value, cell = event.attributes.get("date-value") or event.attributes.get("value", ""), []
        if taken := paragraphs.take(event):
            (notes if taken[0] == COMMENTS else cell).append(taken[2])
        elif isinstance(event, End):
            if event.name == "table":
                return
            if event.name in ("table-cell", "covered-table-cell"):
                text = " ".join(filter(None, cell)) or value
                cells += [text] * min(copies, MOST_COLUMNS)
            elif event.name == "table-row":
                number += 1
                if any(cells):
                    yield Row(number, tuple(cells))
                number += repeated - 1


def _opened(data: bytes) -> tuple[Archive, str, list[DocumentPart]]:
    """The archive, the title and the metadata. Raises CannotRead for an encrypted file."""
    archive = Archive(data)
    if "content.xml" not in archive:
        raise CannotRead(Reason.WRONG_EXTENSION)
    if b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise CannotRead(Reason.ENCRYPTED)
    title, lines, name = "", list[str](), ""
    for event in events(archive.blocks("meta.xml")) if "meta.xml" in archive else ():
        if isinstance(event, ElementStart):
            name = event.attributes.get("name", event.name) if event.name in _TOLD else ""
        elif isinstance(event, str) and name and event.strip():
            lines.append(f"{name}: {event.strip()}")
            title = event.strip() if name == "title" else title
    return archive, title, [DocumentPart(METADATA, "", "\n".join(lines))] if lines else []


def _count(value: str) -> int:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 1
