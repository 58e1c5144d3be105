"""The marker that keeps a line: `<!-- scrubjay:allow -->` on it or on the line above."""

from __future__ import annotations

import re
from bisect import bisect_right

_MARKER = re.compile(r"<!--\s{0,8}scrubjay:allow\s{0,8}-->")


def kept_lines(text: str) -> list[tuple[int, int]]:
    """Spans of text, in order, in which nothing is hidden: each marker's line and the one below it."""
    if "scrubjay:allow" not in text:
        return []
    spans: list[tuple[int, int]] = []
    for marker in _MARKER.finditer(text):
        start = text.rfind("\n", 0, marker.start()) + 1
        stop = _line_end(text, _line_end(text, marker.end()) + 1)
        spans.append((start, stop))
    return spans


def is_kept(spans: list[tuple[int, int]], start: int) -> bool:
    """Whether a hit that starts here lies in one of the spans."""
    place = bisect_right(spans, start, key=lambda span: span[0]) - 1
    return place >= 0 and start < spans[place][1]


def _line_end(text: str, position: int) -> int:
    stop = text.find("\n", min(position, len(text)))
    return len(text) if stop < 0 else stop
