"""Spans to hide, and how overlapping ones become one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Hit(NamedTuple):
    """Code points `start` to `stop` of a text, to be hidden in the name of `rule`. The lower rank names the whole."""

    start: int
    stop: int
    rule: str
    rank: int


KNOWN, STRUCTURE, NAMED, LOOSE, ECHO = range(5)  # ranks: how much the rule's name says about what was found


def merge(hits: Iterable[Hit]) -> list[Hit]:
    """The same spans without overlaps, in order. Where some overlap, the lowest rank, then the longest, gives its name."""
    merged: list[Hit] = []
    longest = 0  # of the hit that gave the last merged one its name
    for hit in sorted(hits):
        size = hit.stop - hit.start
        if size <= 0:
            continue
        if not merged or hit.start >= merged[-1].stop:
            merged.append(hit)
            longest = size
            continue
        last = merged[-1]
        named = (hit.rank, -size) < (last.rank, -longest)
        longest = size if named else longest
        rule, rank = (hit.rule, hit.rank) if named else (last.rule, last.rank)
        merged[-1] = Hit(last.start, max(last.stop, hit.stop), rule, rank)
    return merged
