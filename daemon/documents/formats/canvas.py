"""Obsidian's canvases (JSON Canvas 1.0, https://jsoncanvas.org/spec/1.0/): a part for each card."""

from scrubjay.daemon.documents.extracted import EDGES, DocumentPart
from scrubjay.daemon.documents.parsers.json_and_links import (
    Object,
    json_object,
    markdown_links,
    number,
    objects,
    string,
)
from scrubjay.daemon.documents.parsers.sections import ParsedFile

_SHOWN = 80  # characters of a card where an edge names it


def read_canvas(data: bytes) -> ParsedFile:
    """The cards in reading order, each labelled with the group that it lies in; a part for the edges."""
    board = json_object(data)
    nodes = objects(board.get("nodes"))
    groups = [node for node in nodes if node.get("type") == "group"]
    parts: list[DocumentPart] = []
    links: list[str] = []
    names: dict[str, str] = {}
    for node in sorted(nodes, key=_reading_order):
        text, link = _card(node)
        links += [link] if link else markdown_links(text)
        if text or link:
            place = string(node.get("id"))
            names[place] = " ".join(text.split())[:_SHOWN]
            parts.append(DocumentPart(place, _group_of(node, groups), text))
    edges = "\n".join(filter(None, (_edge(edge, names) for edge in objects(board.get("edges")))))
    return ParsedFile([*parts, DocumentPart(EDGES, "", edges)] if edges else parts, links=links)


def _card(node: Object) -> tuple[str, str]:
    """A card's text, and the file that it shows."""
    match node.get("type"):
        case "text":
            return string(node.get("text")), ""
        case "file":
            link = string(node.get("file")) + string(node.get("subpath"))
            return link, link
        case "link":
            return string(node.get("url")), ""
        case "group":
            return string(node.get("label")), ""
        case _:
            return "", ""


def _group_of(node: Object, groups: list[Object]) -> str:
    """The label of the smallest group around a card's middle."""
    x = number(node.get("x")) + number(node.get("width")) / 2
    y = number(node.get("y")) + number(node.get("height")) / 2
    around = [group for group in groups if group is not node and _contains(group, x, y)]
    around.sort(key=lambda group: number(group.get("width")) * number(group.get("height")))
    return string(around[0].get("label")) if around else ""


def _contains(group: Object, x: float, y: float) -> bool:
    left, top = number(group.get("x")), number(group.get("y"))
    return left <= x <= left + number(group.get("width")) and top <= y <= top + number(group.get("height"))


def _reading_order(node: Object) -> tuple[float, float]:
    return number(node.get("y")), number(node.get("x"))


def _edge(edge: Object, names: dict[str, str]) -> str:
    """What an edge says, with the cards at its ends."""
    ends = [names.get(string(edge.get(end)), "") for end in ("fromNode", "toNode")]
    said = " → ".join(filter(None, (ends[0], string(edge.get("label")), ends[1])))
    return said if all(ends) or edge.get("label") else ""
