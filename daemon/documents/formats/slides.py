"""PowerPoint's `.pptx`: a part for each slide, in the order of the show, and for its notes and comments."""

from collections.abc import Iterator

from scrubjay.daemon.documents.extracted import COMMENTS, SPEAKER_NOTES, DocumentPart
from scrubjay.daemon.documents.parsers.archive import Archive
from scrubjay.daemon.documents.parsers.office import Lines, drawn_text, main_member, properties, relations
from scrubjay.daemon.documents.parsers.sections import ParsedFile
from scrubjay.daemon.documents.parsers.xml import ElementStart, End, events

_DRAWN = {"diagramData": "t", "chart": "v"}  # kind of relation -> the element that has text: diagrams, values of charts
_TITLES = ("title", "ctrTitle")


def read_pptx(data: bytes) -> ParsedFile:
    """Slides that are hidden are read, too. A slide's label is its title, else its first line."""
    archive = Archive(data)
    main = main_member(archive, "ppt/presentation.xml")
    title, parts = properties(archive)
    return ParsedFile(_parts(archive, main, parts), title=title)


def _parts(archive: Archive, main: str, others: list[DocumentPart]) -> Iterator[DocumentPart]:
    related = relations(archive, main)
    shown = [
        related[event.attributes["r:id"]].target
        for event in events(archive.blocks(main))
        if isinstance(event, ElementStart) and event.name == "sldId" and event.attributes.get("r:id") in related
    ]
    for number, name in enumerate(shown, 1):
        if name in archive:
            yield from _slide(archive, str(number), name)
    yield from others


def _slide(archive: Archive, place: str, name: str) -> Iterator[DocumentPart]:
    title, text = _shapes(archive, name)
    notes: list[str] = []
    comments: list[str] = []
    drawn: list[str] = []
    for relation in relations(archive, name).values():
        if relation.target not in archive:
            continue
        if relation.kind == "notesSlide":
            notes.append(_shapes(archive, relation.target)[1])
        elif relation.kind == "comments":
            comments += [drawn_text(archive, relation.target, element) for element in ("text", "t")]
        elif relation.kind in _DRAWN:
            drawn.append(drawn_text(archive, relation.target, _DRAWN[relation.kind]))
    text = "\n".join(filter(None, (text, *drawn)))
    if text:
        yield DocumentPart(place, title or text.partition("\n")[0], text)
    for label, lines in ((SPEAKER_NOTES, notes), (COMMENTS, comments)):
        if said := "\n".join(filter(None, lines)):
            yield DocumentPart(place, label, said)


def _shapes(archive: Archive, name: str) -> tuple[str, str]:
    """The title and all lines of a slide's shapes; a row of a table is a line for each cell."""
    lines = Lines()
    title, kind, reading = "", "", False
    begin = 0
    for event in events(archive.blocks(name)):
        if isinstance(event, ElementStart):
            if event.name == "sp":
                kind, begin = "", len(lines.lines)
            elif event.name == "ph":
                kind = event.attributes.get("type", "")
            reading = reading or event.name == "t"
        elif isinstance(event, End) and event.name == "sp":
            said = lines.lines[begin:]
            if kind in _TITLES and not title:
                title = " ".join(said)
            elif kind == "sldNum":
                del lines.lines[begin:]
        lines.take(event, reading)
        if isinstance(event, End) and event.name == "t":
            reading = False
    lines.flush()
    return title, "\n".join(lines.lines)
