"""A file's parts as one text, so that the credential filter sees all of it at once, and back to parts with places.

The filter leaves line ends where they are, so that lines tell where each part stands in what comes out of it. It knows
a table by the rule below its first row, so each table is given one, which is not part of the text.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scrubjay.daemon.extracting.extracted import METADATA, Part
from scrubjay.daemon.vault.read import with_line_feeds

_CELL = " | "  # between the cells of a row, in whatever format
_RULE = "--- | ---"
_NAMED = frozenset({"sheet", "book"})  # kinds whose places have names that a user gave


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where a part stands in the text. Lines are 1-based; 0: there is none."""

    place: str  # as in `Part`; "" where `place_line` has it. Has NOT been through the credential filter
    place_line: int  # where its place has a name
    label_line: int  # of its heading
    lines: tuple[int, ...]  # of its own text, in order

    @property
    def first_line(self) -> int:
        """The first line of all that is said of the part."""
        return self.place_line or self.label_line or self.lines[0]


@dataclass(frozen=True, slots=True)
class Layout:
    """All parts of a file as one text. It has NOT been through the credential filter."""

    text: str
    stretches: tuple[Stretch, ...]  # in the order of the text

    def part_at(self, line: int) -> int:
        """Which part a line belongs to, counted from 0. There must be one."""
        return max(bisect_right([stretch.first_line for stretch in self.stretches], line) - 1, 0)


def lay_out(kind: str, parts: Iterable[Part]) -> Layout:
    """Put the parts below one another, each below its heading. Parts without text are left out."""
    lines: list[str] = []
    stretches: list[Stretch] = []
    for part in parts:
        text = _clean(part.text).strip("\n")
        if not text.strip():
            continue
        place, label = _one_line(part.place), _one_line(part.label)
        has_name = kind in _NAMED and bool(place) and not place.isdecimal() and place != METADATA
        lines += [place] if has_name else []
        place_line = len(lines) if has_name else 0
        lines += [label] if label else []
        label_line = len(lines) if label else 0
        own: list[int] = []
        for line in _with_rules(text.split("\n")):
            lines.append(_RULE if line is None else line)
            own += [] if line is None else [len(lines)]
        stretches.append(Stretch("" if has_name else place, place_line, label_line, tuple(own)))
    return Layout("\n".join(lines), tuple(stretches))


def pages_in(parts: Iterable[Part]) -> int:
    """How many pages, slides, sheets or chapters the parts are of."""
    return len({part.place for part in parts} - {METADATA})


def _with_rules(lines: Sequence[str]) -> Iterator[str | None]:
    """The lines, with None after the first row of each table."""
    for at, line in enumerate(lines):
        yield line
        begins = _CELL in line and (at == 0 or _CELL not in lines[at - 1])
        if begins and at + 1 < len(lines) and _CELL in lines[at + 1]:
            yield None


def _one_line(text: str) -> str:
    return " ".join(_clean(text).split())


def _clean(text: str) -> str:
    """Without what no database can keep: NUL, and halves of characters."""
    plain = with_line_feeds(text).replace("\0", "")
    return plain.encode("utf-8", "replace").decode("utf-8")
