"""EPUB (https://www.w3.org/TR/epub-33/): a part for each chapter, in reading order, called as the contents call it."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from scrubjay.daemon.documents.extracted import METADATA, CannotRead, DocumentPart, Reason
from scrubjay.daemon.documents.formats.web import html_text
from scrubjay.daemon.documents.parsers.archive import Archive
from scrubjay.daemon.documents.parsers.html import html_page
from scrubjay.daemon.documents.parsers.sections import ParsedFile, Sections
from scrubjay.daemon.documents.parsers.xml import ElementStart, End, events

_TOLD = ("title", "creator", "subject", "description", "publisher", "date", "contributor")
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"


@dataclass(slots=True)
class _Package:
    """What the package document lists."""

    told: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    members: dict[str, str] = field(default_factory=dict[str, str])  # id -> member
    spine: list[str] = field(default_factory=list[str])  # ids, in reading order
    contents: str = ""  # the member with the table of contents


def read_epub(data: bytes) -> ParsedFile:
    """A chapter that has headings is several parts with its name as their place. Raises CannotRead for one with DRM."""
    archive = Archive(data)
    package = _package(archive)
    chapters = [member for each in package.spine if (member := package.members.get(each, "")) in archive]
    if _encrypted(archive).intersection(chapters):
        raise CannotRead(Reason.ENCRYPTED)
    title = next((value for name, value in package.told if name == "title"), "")
    return ParsedFile(_parts(archive, package, chapters), title=title)


def _parts(archive: Archive, package: _Package, chapters: list[str]) -> Iterator[DocumentPart]:
    if package.told:
        yield DocumentPart(METADATA, "", "\n".join(f"{name}: {value}" for name, value in package.told))
    names = _contents(archive, package.contents)
    for number, member in enumerate(chapters, 1):
        page = html_page(html_text(archive.read(member)))
        sections = Sections()
        for block in page.blocks:
            if block.level:
                sections.heading(block.text)
            else:
                sections.paragraph(block.text)
        found = sections.end()
        heading = next((part.label for part in found if part.label), "")
        name = names.get(member) or heading or str(number)
        for part in found:
            yield DocumentPart(name, part.label, part.text)


def _package(archive: Archive) -> _Package:
    if _CONTAINER not in archive:
        raise CannotRead(Reason.WRONG_EXTENSION)
    roots = [
        event.attributes.get("full-path", "")
        for event in events(archive.blocks(_CONTAINER))
        if isinstance(event, ElementStart) and event.name == "rootfile"
    ]
    if not roots or roots[0] not in archive:
        raise CannotRead(Reason.DAMAGED)
    package, folder, told = _Package(), posixpath.dirname(roots[0]), ""
    for event in events(archive.blocks(roots[0])):
        if isinstance(event, str):
            if told and event.strip():
                package.told.append((told, " ".join(event.split())))
        elif isinstance(event, End):
            told = ""
        elif event.name == "item":
            member = _joined(folder, event.attributes.get("href", ""))
            package.members[event.attributes.get("id", "")] = member
            is_ncx = event.attributes.get("media-type") == "application/x-dtbncx+xml"
            if "nav" in event.attributes.get("properties", "").split() or (is_ncx and not package.contents):
                package.contents = member
        elif event.name == "itemref":
            package.spine.append(event.attributes.get("idref", ""))
        else:
            told = event.name if event.name in _TOLD else ""
    return package


def _contents(archive: Archive, member: str) -> dict[str, str]:
    """Members by the first name that the table of contents has for them: of EPUB 3 (links) or EPUB 2 (NCX)."""
    names: dict[str, str] = {}
    folder, target, pieces = posixpath.dirname(member), "", list[str]()
    try:
        for event in events(archive.blocks(member)) if member in archive else ():
            if isinstance(event, str):
                pieces.append(event)
            elif isinstance(event, ElementStart):
                if event.name in ("a", "navPoint"):
                    pieces, target = [], event.attributes.get("href", "")
                elif event.name == "content":
                    names.setdefault(_joined(folder, event.attributes.get("src", "")), _line(pieces))
            elif event.name == "a" and target:
                names.setdefault(_joined(folder, target), _line(pieces))
    except CannotRead as error:
        if error.reason is Reason.BOMB:
            raise
    return names  # as far as it goes: chapters have headings, too


def _encrypted(archive: Archive) -> set[str]:
    """The members that are encrypted: fonts may be, in any book."""
    found = set[str]()
    if _ENCRYPTION in archive:
        for event in events(archive.blocks(_ENCRYPTION)):
            if isinstance(event, ElementStart) and event.name == "CipherReference":
                found.add(unquote(event.attributes.get("URI", "")))
    return found


def _line(pieces: list[str]) -> str:
    return " ".join("".join(pieces).split())


def _joined(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(target.partition("#")[0])))
