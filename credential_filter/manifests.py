"""Kubernetes Secret manifests: every value below `data` and `stringData` is a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator

from credential_filter.placeholders import is_placeholder

_KIND = re.compile(r"""kind["']?\s{0,4}:\s{0,4}["']?[Ss]ecret["']?[ \t]*(?:[,}\r\n]|\Z)""")
_DIVIDER = re.compile(r"^(?:---|```)", re.MULTILINE)
_SECTION = re.compile(r"""^(?P<indent>[ \t]*)["']?(?:data|stringData)["']?[ \t]*:[ \t]*\{?[ \t]*\r?\n""", re.MULTILINE)
_ENTRY = re.compile(
    r"""(?P<indent>[ \t]*)["']?[\w.\-]+["']?[ \t]*:[ \t]*(?P<quote>["']?)(?P<value>[^\s"'|>#{][^\n"'#]*?)?(?P=quote)[ \t]*,?(?P<block>[|>][+-]?)?[ \t]*(?:\#[^\n]*)?(?:\r?\n|\Z)"""
)
_COMMENT = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\r?\n)")
_LINE = re.compile(r"([ \t]*)([^\n]*)(?:\n|\Z)")


def values(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the values in every Secret of the text."""
    place = text.find("kind")
    while place >= 0:
        if (kind := _KIND.match(text, place)) is not None:
            yield from _document(text, kind)
        place = text.find("kind", place + 1)


def _document(text: str, kind: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The values in the YAML document, or the code block, that the `kind` stands in."""
    dividers = [mark.end() for mark in _DIVIDER.finditer(text, 0, kind.start())]
    end = _DIVIDER.search(text, kind.end())
    stop = end.start() if end else len(text)
    for section in _SECTION.finditer(text, dividers[-1] if dividers else 0, stop):
        yield from _section(text, section, stop)


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
            first = position
            while (line := _LINE.match(text, position, stop)) is not None and line.end() > position:
                if line[2].strip() and len(line[1]) <= len(entry["indent"]):
                    break
                position = line.end()
            yield (
                first + len(text[first:position]) - len(text[first:position].lstrip()),
                _trimmed(text, first, position),
            )
        elif entry["value"] and not is_placeholder(entry["value"]):
            yield entry.span("value")


def _trimmed(text: str, start: int, stop: int) -> int:
    return start + len(text[start:stop].rstrip())
