"""Excalidraw's drawings: the text elements of `.excalidraw` files and of the notes that Obsidian's plugin makes."""

import re

from scrubjay.daemon.documents.extracted import METADATA, CannotRead, DocumentPart, Reason
from scrubjay.daemon.documents.parsers.decode import as_text
from scrubjay.daemon.documents.parsers.json_and_links import (
    Object,
    json_object,
    markdown_links,
    number,
    objects,
    string,
)
from scrubjay.daemon.documents.parsers.lz_string import decompress_base64
from scrubjay.daemon.documents.parsers.sections import ParsedFile

_MOST_CHARACTERS = 20_000_000  # of the JSON of one drawing
_WARNING = "==⚠  Switch to EXCALIDRAW VIEW"

_FRONTMATTER = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_DATA = re.compile(r"^#+ Excalidraw Data *$|^%%$", re.MULTILINE)
_DRAWING = re.compile(r"^#+ Drawing *\n+```(compressed-json|json)\n(.*?)\n```", re.MULTILINE | re.DOTALL)
_TEXT_ELEMENTS = re.compile(r"^#+ Text Elements *\n(.*?)(?=^#+ |^%%|\Z)", re.MULTILINE | re.DOTALL)
_BLOCK_ID = re.compile(r" \^[A-Za-z0-9_-]{4,40} *$", re.MULTILINE)


def read_drawing(data: bytes) -> ParsedFile:
    """The texts of an `.excalidraw` file, those of each frame below the frame's name."""
    return _found(json_object(data))


def read_drawing_note(data: bytes) -> ParsedFile:
    """The texts of an `.excalidraw.md`: of its drawing, else of the list that the plugin keeps; the note's text before.

    The list alone may be behind the drawing; the drawing alone lacks what was never drawn.
    """
    text = as_text(data)
    note = _note(text)
    drawing = _DRAWING.search(text)
    found = _found(_scene(drawing[1], drawing[2])) if drawing else ParsedFile([])
    listed = _TEXT_ELEMENTS.search(text)
    shown = "\n".join(part.text for part in found.parts)
    elements = [each for each in _BLOCK_ID.sub("\0", listed[1]).split("\0") if each.strip()] if listed else []
    missing = [each.strip() for each in elements if each.strip() not in shown]
    parts = [*found.parts, *([DocumentPart("1", "", "\n".join(missing))] if missing else [])]
    if note:
        parts.append(DocumentPart("note", "", note))
    if frontmatter := _FRONTMATTER.match(text):
        parts.append(DocumentPart(METADATA, "", frontmatter[1].strip()))
    links = {link: None for part in parts for link in markdown_links(part.text)}
    return ParsedFile(parts, links=[*dict.fromkeys(found.links), *(link for link in links if link not in found.links)])


def _note(text: str) -> str:
    """What the user wrote before the plugin's data, without frontmatter and the plugin's warning."""
    body = _FRONTMATTER.sub("", text)
    data = _DATA.search(body)
    note = body[: data.start()] if data else body
    return "\n".join(line for line in note.splitlines() if not line.startswith(_WARNING)).strip()


def _scene(form: str, content: str) -> Object:
    plain = decompress_base64(content, _MOST_CHARACTERS) if form == "compressed-json" else content
    return json_object(plain.encode("utf-8", "replace"))


def _found(scene: Object) -> ParsedFile:
    if "elements" not in scene:
        raise CannotRead(Reason.WRONG_EXTENSION)
    elements = [each for each in objects(scene["elements"]) if not each.get("isDeleted")]
    frames = {string(each.get("id")): string(each.get("name")) for each in elements if each.get("type") == "frame"}
    texts: dict[str, list[str]] = {"": [], **{name: [] for name in frames.values()}}
    links: list[str] = []
    for element in sorted(elements, key=lambda each: (number(each.get("y")), number(each.get("x")))):
        said = string(element.get("originalText")) or string(element.get("text")) or string(element.get("rawText"))
        links += markdown_links(string(element.get("link"))) + markdown_links(string(element.get("rawText")) or said)
        address = string(element.get("link"))
        texts[frames.get(string(element.get("frameId")), "")] += [each for each in (said, address) if each]
    filled = [(frame, "\n".join(said)) for frame, said in texts.items() if said or frame]
    return ParsedFile(
        [DocumentPart(str(place), *each) for place, each in enumerate(filled, 1)], links=[*dict.fromkeys(links)]
    )
