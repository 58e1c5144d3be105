"""Word's `.docx`: text below its headings, tables by rows; notes, comments, headers and properties apart."""

from dataclasses import dataclass, field

from scrubjay.daemon.documents.extracted import COMMENTS, FOOTNOTES, DocumentPart
from scrubjay.daemon.documents.parsers.archive import Archive
from scrubjay.daemon.documents.parsers.office import main_member, properties, relations
from scrubjay.daemon.documents.parsers.sections import ParsedFile, Sections
from scrubjay.daemon.documents.parsers.xml import ElementStart, End, Event, events

_BESIDE = {
    "footnotes": FOOTNOTES,
    "endnotes": FOOTNOTES,
    "comments": COMMENTS,
    "header": "header",
    "footer": "footer",
}
_UNREAD = ("Fallback", "del", "moveFrom")  # said once already by its newer form; no longer in the text
_TITLE_LEVEL = 0
_BODY = 99


def read_docx(data: bytes) -> ParsedFile:
    """A part for each heading of the text, one for each kind of text beside it."""
    archive = Archive(data)
    title, parts = properties(archive)
    main = main_member(archive, "word/document.xml")
    related = relations(archive, main)
    styles = next((each.target for each in related.values() if each.kind == "styles"), "")
    body = _Flow(_levels(archive, styles))
    for event in events(archive.blocks(main)):
        body.take(event)
    found = body.sections.end()
    for relation in related.values():
        place = _BESIDE.get(relation.kind)
        if place and relation.target in archive:
            flow = _Flow({})
            for event in events(archive.blocks(relation.target)):
                flow.take(event)
            text = "\n".join(part.text for part in flow.sections.end())
            found += [DocumentPart(place, "", text)] if text else []
    return ParsedFile([*found, *parts], title=title)


@dataclass(slots=True)
class _Flow:
    """Takes the events of a member with WordprocessingML. Paragraphs may lie in paragraphs: text boxes do."""

    levels: dict[str, int]
    sections: Sections = field(default_factory=Sections)
    _open: list[list[str]] = field(default_factory=list[list[str]])  # pieces of the paragraphs that are open
    _level: int = _BODY
    _reading: bool = False
    _unread: int = 0  # how many elements are open that are not read
    _row: list[list[str]] = field(default_factory=list[list[str]])  # cells of the rows that are open

    def take(self, event: Event) -> None:
        if isinstance(event, str):
            if self._reading and self._open and not self._unread:
                self._open[-1].append(event)
        elif isinstance(event, ElementStart):
            self._start(event)
        else:
            self._end(event)

    def _start(self, event: ElementStart) -> None:
        match event.name:
            case "p":
                self._open.append([])
                self._level = _BODY
            case "pStyle":
                self._level = self.levels.get(event.attributes.get("val", ""), self._level)
            case "outlineLvl":
                self._level = _outline_level(event.attributes.get("val", ""), self._level)
            case "t":
                self._reading = True
            case "tab" | "br" | "cr" if self._open:
                self._open[-1].append("\t" if event.name == "tab" else "\n")
            case "noBreakHyphen" if self._open:
                self._open[-1].append("-")
            case "tr":
                self._row.append([])
            case name if name in _UNREAD:
                self._unread += 1
            case _:
                pass

    def _end(self, event: End) -> None:
        if event.name == "t":
            self._reading = False
        elif event.name in _UNREAD:
            self._unread -= 1
        elif event.name == "p" and self._open:
            self._paragraph("".join(self._open.pop()).strip())
        elif event.name == "tr" and self._row:
            cells = self._row.pop()
            if self._row:
                self._row[-1] += cells  # a table in a cell
            else:
                self.sections.paragraph(" | ".join(cells))

    def _paragraph(self, text: str) -> None:
        if self._row:
            self._row[-1] += [text] if text else []
        elif self._level < _BODY:
            self.sections.heading(text)
        else:
            self.sections.paragraph(text)
        self._level = _BODY


def _levels(archive: Archive, styles: str) -> dict[str, int]:
    """Ids of the styles that are headings, whatever language they are called in."""
    found: dict[str, int] = {}
    current = ""
    if styles in archive:
        for event in events(archive.blocks(styles)):
            if not isinstance(event, ElementStart):
                continue
            value = event.attributes.get("val", "")
            if event.name == "style":
                current = event.attributes.get("styleId", "")
            elif event.name == "name" and value.lower() == "title":
                found[current] = _TITLE_LEVEL
            elif event.name == "name" and value.lower().startswith("heading "):
                found[current] = 1
            elif event.name == "outlineLvl" and current:
                found[current] = _outline_level(value, _BODY)
    return {style: level for style, level in found.items() if level < _BODY}


def _outline_level(value: str, otherwise: int) -> int:
    """Levels are 0 to 8; 9 is body text."""
    return int(value) + 1 if value in tuple("012345678") else _BODY if value == "9" else otherwise
