"""What all office files have: relations between their members, properties, paragraphs of drawings.

Office Open XML is ECMA-376, https://ecma-international.org/publications-and-standards/standards/ecma-376/.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field

from scrubjay.daemon.documents.extracted import METADATA, CannotRead, DocumentPart, Reason
from scrubjay.daemon.documents.parsers.archive import Archive
from scrubjay.daemon.documents.parsers.xml import ElementStart, End, Event, events, text_of

_PROPERTIES = ("title", "creator", "subject", "description", "keywords", "category", "contentStatus", "lastModifiedBy")


@dataclass(frozen=True, slots=True)
class Relation:
    """From one member to another: the last word of the relation's type, and the other's name."""

    kind: str
    target: str


@dataclass(slots=True)
class Lines:
    """Gathers text into lines as elements of paragraphs, breaks and tabs come by."""

    paragraph: str = "p"
    lines: list[str] = field(default_factory=list[str])
    _pieces: list[str] = field(default_factory=list[str])

    def take(self, event: Event, reading: bool) -> None:
        """One event; text counts while `reading`."""
        if isinstance(event, str):
            if reading:
                self._pieces.append(event)
        elif isinstance(event, ElementStart):
            if event.name == "tab":
                self._pieces.append("\t")
            elif event.name in ("br", "cr", "line-break"):
                self._pieces.append("\n")
        elif event.name == self.paragraph:
            self.flush()

    def flush(self) -> None:
        """The current line is complete."""
        if line := "".join(self._pieces).strip():
            self.lines.append(line)
        self._pieces.clear()


def relations(archive: Archive, name: str) -> dict[str, Relation]:
    """The relations of a member by their ids, those that lead out of the file left out."""
    folder, _, base = name.rpartition("/")
    source = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
    found: dict[str, Relation] = {}
    for event in events(archive.blocks(source)) if source in archive else ():
        if isinstance(event, ElementStart) and event.attributes.get("TargetMode", "Internal") == "Internal":
            target = event.attributes.get("Target", "")
            path = target if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            kind = event.attributes.get("Type", "").rpartition("/")[2]
            found[event.attributes.get("Id", "")] = Relation(kind, path.removeprefix("/"))
    return found


def main_member(archive: Archive, usual: str) -> str:
    """The member that the others hang on: the usual one, or what the archive says, if it lies in the same folder.

    Raises CannotRead for an archive of another kind.
    """
    targets = [each.target for each in relations(archive, "").values() if each.kind == "officeDocument"]
    folder = usual.partition("/")[0]
    for target in (*targets, usual):
        if target in archive and target.startswith(f"{folder}/"):
            return target
    raise CannotRead(Reason.WRONG_EXTENSION)


def properties(archive: Archive) -> tuple[str, list[DocumentPart]]:
    """The title, and a part with what a file's properties say, the user's own included."""
    told = text_of(archive.blocks("docProps/core.xml"), "coreProperties") if "docProps/core.xml" in archive else {}
    lines = [f"{key}: {told[key].strip()}" for key in _PROPERTIES if told.get(key, "").strip()]
    lines += _own_properties(archive)
    return told.get("title", "").strip(), [DocumentPart(METADATA, "", "\n".join(lines))] if lines else []


def _own_properties(archive: Archive) -> Iterator[str]:
    name = ""
    if "docProps/custom.xml" in archive:
        for event in events(archive.blocks("docProps/custom.xml")):
            if isinstance(event, ElementStart) and event.name == "property":
                name = event.attributes.get("name", "")
            elif isinstance(event, str) and event.strip():
                yield f"{name}: {event.strip()}"


def drawn_text(archive: Archive, name: str, element: str = "t") -> str:
    """The text of a drawing, a diagram or a chart: its paragraphs, a line each."""
    lines = Lines()
    reading = False
    for event in events(archive.blocks(name)):
        if isinstance(event, ElementStart | End) and event.name == element:
            reading = isinstance(event, ElementStart)
        lines.take(event, reading)
    lines.flush()
    return "\n".join(lines.lines)
