"""The frontmatter in a note's text: where its YAML stands, and where each property does; for edits of these alone.

The parser says where; the text is edited there, and read again by who edits it.
"""

import re
from collections.abc import Iterator

import yaml
from yaml.events import (
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.vault.frontmatter import Frontmatter, read_frontmatter
from scrubjay.daemon.vault.read import with_line_feeds

NO_BREAKS = dict.fromkeys(map(ord, "\x85\u2028\u2029"), "\ue002")
"""Line ends of YAML 1.1, by which its parser goes, and none of YAML 1.2, by which Obsidian does: a letter for them."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def read_properties(text: str) -> Frontmatter:
    """The frontmatter of a text with any line ends, as `read_frontmatter`."""
    return read_frontmatter(with_line_feeds(text).translate(NO_BREAKS))


def yaml_span(text: str) -> tuple[int, int] | None:
    """Where the YAML between the two lines of "---" starts and stops; None where there is no such block."""
    lines = _LINE.finditer(text)
    first = next(lines)
    if not first[0].startswith("---") or first[0].rstrip() != "---" or first.end() == len(first[0].rstrip()):
        return None
    for line in lines:
        if line[0].startswith("---") and not line[0][3:].strip():
            return first.end(), line.start()
    return None


def top_level(text: str, start: int, stop: int) -> Iterator[tuple[ScalarEvent, list[Event]]]:
    """Each property of the YAML between two places, its name and the events of its value; marks count from `start`.

    Raises ChangeRefused for what is no plain mapping of names to values.
    """
    try:
        events: list[Event] = [*yaml.parse(text[start:stop].translate(NO_BREAKS), Loader=yaml.SafeLoader)]  # pyright: ignore[reportUnknownMemberType] - untyped
    except yaml.YAMLError:
        raise unsafe() from None
    opened = [event for event in events if isinstance(event, DocumentStartEvent)]
    at = 2  # after the starts of the stream and of its document
    if not opened:
        return
    top = events[at]
    if len(opened) > 1 or opened[0].explicit or not isinstance(top, MappingStartEvent) or top.flow_style:
        raise unsafe()
    at += 1
    while not isinstance(events[at], MappingEndEvent):
        key, value = at, _node_end(events, at)
        at = _node_end(events, value)
        name = events[key]
        if isinstance(name, ScalarEvent):
            yield name, events[value:at]


def _node_end(events: list[Event], at: int) -> int:
    """The event after the node that begins at one."""
    depth = 0
    while True:
        event = events[at]
        depth += isinstance(event, MappingStartEvent | SequenceStartEvent)
        depth -= isinstance(event, MappingEndEvent | SequenceEndEvent)
        at += 1
        if depth == 0:
            return at


def line_start(text: str, at: int) -> int:
    """Where the line of a place starts."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_stop(text: str, at: int) -> int:
    """Where the line of a place stops, its end included."""
    found = _LINE.match(text, at)
    return found.end() if found else len(text)


def unsafe() -> ChangeRefused:
    """The refusal of a change of properties whose YAML can't be edited safely."""
    return ChangeRefused(
        "frontmatter",
        "The note's properties are written in a way that can't be edited safely; change them by hand.",
    )
