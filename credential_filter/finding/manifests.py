"""Kubernetes Secret manifests: every value below `data` and `stringData` is a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.credential_filter.deciding.shape import is_placeholder

_KIND = re.compile(r"""kind["']?\s{0,4}:\s{0,4}["']?[Ss]ecret["']?[ \t]*+(?:[,}\r\n]|\Z)""")
_DIVIDER = re.compile(r"^(?:---|```)", re.MULTILINE)
_SECTION = re.compile(
    r"""^(?P<indent>[ \t]*+)["']?(?:data|stringData)["']?[ \t]*+:[ \t]*+\{?[ \t]*+\r?\n""", re.MULTILINE
)
_ENTRY = re.compile(
    r"""(?x) (?P<indent>[ \t]*+) ["']?[\w.\-]++["']? [ \t]*+ : [ \t]*+
    (?: (?P<block>[|>][+-]?) | ["']? (?P<value>[^\n"'\#|>{][^\n"'\#]*+)? ) ["']? [^\n]*+ (?:\n|\Z)"""
)
_COMMENT = re.compile(r"[ \t]*+(?:#[^\n]*+)?\r?\n")
_YAML_LINE = re.compile(r"(?P<indent>[ \t]*+)(?P<rest>[^\n]*+)(?:\n|\Z)")


def values(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the values in every Secret of the text."""
    done = 0
    place = text.find("kind")
    while place >= 0:
        if _KIND.match(text, place) is not None:
            start, done = _document(text, done, place)
            for section in _SECTION.finditer(text, start, done):
                yield from _section(text, section, done)
        place = text.find("kind", max(place + 4, done))


def _document(text: str, floor: int, place: int) -> tuple[int, int]:
    """Where the YAML document, or the code block, begins and ends that this place is in."""
    start = floor
    for divider in _DIVIDER.finditer(text, floor, place):
        start = divider.end()
    end = _DIVIDER.search(text, place)
    return start, end.start() if end else len(text)


def _section(text: str, section: re.Match[str], stop: int) -> Iterator[tuple[int, int]]:
    position, depth = section.end(), len(section["indent"])
    while position < stop:
        if (comment := _COMMENT.match(text, position, stop)) is not None:
            position = comment.end()
            continue
        entry = _ENTRY.match(text, position, stop)
        if entry is None or len(entry["indent"]) <= depth:
            return
        position = entry.end()
        if entry["block"]:
            first, position = position, _block_stop(text, position, stop, len(entry["indent"]))
            block = text[first:position]
            yield first + len(block) - len(block.lstrip()), first + len(block.rstrip())
        elif entry["value"] and not is_placeholder(value := entry["value"].rstrip(" \t\r,")):
            yield entry.start("value"), entry.start("value") + len(value)


def _block_stop(text: str, position: int, stop: int, depth: int) -> int:
    """Where the lines end that are indented further than `depth`, empty ones among them."""
    while position < stop and (line := _YAML_LINE.match(text, position, stop)) is not None:
        if line["rest"].strip() and len(line["indent"]) <= depth:
            break
        position = line.end()
    return position
