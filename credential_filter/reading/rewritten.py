"""A text with some stretches replaced, and the way back to the text that it was made from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple


class Change(NamedTuple):
    """Code points `start` to `stop` of the original, and what stands for them."""

    start: int
    stop: int
    text: str


class Rewritten:
    """A part of a text after some changes, which must be in order and apart from one another. Does not change."""

    def __init__(self, original: str, changes: Sequence[Change], start: int = 0, stop: int | None = None) -> None:
        stop = len(original) if stop is None else stop
        froms = [start, *(change.stop for change in changes)]
        tos = [*(change.start for change in changes), stop]
        kept = [original[a:b] for a, b in zip(froms, tos, strict=True)]
        pieces = [part for pair in zip(kept, (change.text for change in changes), strict=False) for part in pair]
        self.text = "".join((*pieces, kept[-1]))
        sizes = list(accumulate(map(len, pieces), initial=0))
        self._changes = changes
        self._starts = sizes[1::2]  # of each change, in the new text
        self._stops = sizes[2::2]
        self._start = start

    def source(self, start: int, stop: int) -> tuple[int, int]:
        """The span of the original that a span of the new text stands for; a change counts as a whole."""
        return self._back(start, first=True), self._back(stop - 1, first=False)

    def crosses(self, start: int, stop: int) -> bool:
        """Whether a change lies inside the span."""
        following = bisect_right(self._starts, start)
        return following < len(self._starts) and self._starts[following] < stop

    def _back(self, position: int, *, first: bool) -> int:
        """Where the character at this position begins, or where it ends."""
        place = bisect_right(self._starts, position) - 1
        if place < 0:
            return self._start + position + (not first)
        change = self._changes[place]
        if position >= self._stops[place]:
            return change.stop + position - self._stops[place] + (not first)
        return change.start if first else change.stop


def disjoint(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same stretches, those that touch as one. They must be in the order of their starts."""
    merged: list[tuple[int, int]] = []
    for start, stop in spans:
        if merged and start <= merged[-1][1]:
            if stop > merged[-1][1]:
                merged[-1] = merged[-1][0], stop
        else:
            merged.append((start, stop))
    return merged
