"""What tools give beside their text: the same as data, and links to the notes.

The published schemas are short, since every agent reads all of them before it asks anything.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec
from mcp_types import CallToolResult, ContentBlock, ResourceLink, TextContent

from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.common import NoteRef
from scrubjay.profiles.search.types import SearchResult

Schema: TypeAlias = dict[str, Any]

NOTE_URI = "scrubjay://note/{id}"
_MOST_LINKS = 10
_TEXT: Schema = {"type": "string"}


def listing(name: str, /, **fields: str) -> Schema:
    """A schema of one thing, such as a list, each item of which has at least these fields, by their JSON types."""
    if not fields:
        return {"type": "object", "required": [name]}
    item: Schema = {"type": "object", "properties": {field: {"type": kind} for field, kind in fields.items()}}
    return {"type": "object", "properties": {name: {"type": "array", "items": item}}, "required": [name]}


RESULTS = listing("results", id="string", path="string", line="integer", quote="string", relevance="string")
BLOCK: Schema = {"type": "object", "properties": {"markdown": _TEXT}, "required": ["markdown"]}
VERDICT = listing("verdict")
STATUS: Schema = {"type": "object", "required": ["status", "quotes"]}
NOTES = listing("notes")
CHUNKS = listing("chunks")
ENTRIES = listing("entries")


def answer(text: str, data: Mapping[str, Any] | None = None, links: Iterable[tuple[str, str]] = ()) -> CallToolResult:
    """A tool's answer. data: the same as `text`, by the tool's schema. links: id and name of notes, each once."""
    notes = [
        ResourceLink(type="resource_link", uri=NOTE_URI.format(id=id), name=one_line(name), mime_type="text/markdown")
        for id, name in list(dict.fromkeys(links))[:_MOST_LINKS]
    ]
    content: list[ContentBlock] = [TextContent(type="text", text=text), *notes]
    return CallToolResult(content=content, structured_content=None if data is None else msgspec.to_builtins(data))


def result(found: SearchResult) -> Mapping[str, Any]:
    """One result as data."""
    return {
        "id": found.id,
        "profile": found.profile,
        "path": found.path,
        "line": found.line,
        "title": found.title,
        "relevance": found.relevance,
        "quote": found.snippet,
        "score": round(found.score, 4),
        "about": found.about,
        "nearly_same": [place.path for place in found.nearly_same],
    }


def links_to(notes: Iterable[NoteRef | SearchResult]) -> Iterable[tuple[str, str]]:
    """Links to notes that are listed."""
    return ((note.id, note.path) for note in notes)
