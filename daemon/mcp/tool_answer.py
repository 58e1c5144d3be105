"""What a tool answers: one text, and links to the notes.

There is no data beside the text (`structuredContent`): programs that find some hand it to their model in the text's
place, so what is said in one of the two alone would be lost or, worse, its protection would be. Programs that want data
have the HTTP API.
"""

from collections.abc import Iterable
from typing import Final

from mcp_types import CallToolResult, ContentBlock, ResourceLink, TextContent

from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.common import NoteRef
from scrubjay.profiles.search.types import SearchResult

NOTE_URI: Final = "scrubjay://note/{id}"
MOST_CHARACTERS: Final = 100_000
"""Of one answer, links included: some 25,000 tokens."""
_MOST_LINKS = 10
_LONGEST_NAME = 200
_CUT = "\n\n(The answer was longer than 25,000 tokens and ends here. Ask for less, or for the next part.)"


def answer(text: str, links: Iterable[tuple[str, str]] = ()) -> CallToolResult:
    """A tool's answer, cut at a line where it is too long. links: id and name of notes, each once."""
    notes = [
        ResourceLink(
            type="resource_link",
            uri=NOTE_URI.format(id=id),
            name=one_line(name)[:_LONGEST_NAME],
            mime_type="text/markdown",
        )
        for id, name in list(dict.fromkeys(links))[:_MOST_LINKS]
    ]
    room = MOST_CHARACTERS - sum(len(f"{link.uri} {link.name}\n") for link in notes)
    content: list[ContentBlock] = [TextContent(type="text", text=_within(text, room)), *notes]
    return CallToolResult(content=content)


def links_to(notes: Iterable[NoteRef | SearchResult]) -> Iterable[tuple[str, str]]:
    """Links to notes that are listed."""
    return ((note.id, note.path) for note in notes)


def _within(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    begun = text[: room - len(_CUT)]
    return (begun.rpartition("\n")[0] or begun) + _CUT
