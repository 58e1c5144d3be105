"""Other readings of a text in which a split secret is whole again, and the way back to the text itself.

A secret may be broken by zero-width characters, by terminal colours, by the line ends of a code block, or spelt with
percent signs. Each view is the text without the break; a span found in it is mapped back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import unquote, unquote_to_bytes

from scrubjay.credential_filter.note import Note

_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]+|\x1b\\[[0-9;]{0,12}m")
_CUTTERS = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_WRAP = re.compile(r"[ \t]*\\?\r?\n[ \t>]{0,16}(?=([A-Za-z0-9+/=_\-]{2,512})[\"']?[ \t]*\\?\r?(?:\n|\Z))")
_ESCAPED = re.compile(r"""(?:%[0-9A-Fa-f]{2}[^\s%"'<>()\[\]]{0,64})+""")
_TELLING = re.compile(r"%(?:3[0-9dD]|40|[46][1-9a-fA-F]|[57][0-9aA])")  # letters, digits, "=" or "@": no need to escape
_ESCAPE = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_TOKEN = re.compile(r"""[^\s"'<>()\[\]]+\Z""")
_LONGEST_TOKEN = 128
_MOST_ESCAPED = 65536


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a view: `size` characters from `start`, for `source_size` characters of the original from `source`.

    Where the sizes are equal the characters correspond one to one; otherwise the whole stands for the whole.
    """

    start: int
    size: int
    source: int
    source_size: int


@dataclass(frozen=True, slots=True)
class View:
    """A text with stretches of the original cut out or replaced.

    crossing: whether only what reaches over a cut counts, because the rest reads differently in the original
    """

    text: str
    pieces: tuple[Piece, ...]
    crossing: bool = False

    def original(self, start: int, stop: int) -> tuple[int, int] | None:
        """The span of the original that a span of the view stands for; None where it does not count."""
        first, last = self._index(start), self._index(stop - 1)
        if self.crossing and first == last:
            return None
        begin, end = self.pieces[first], self.pieces[last]
        source = begin.source + (start - begin.start if begin.size == begin.source_size else 0)
        if end.size == end.source_size:
            return source, end.source + stop - end.start
        return source, end.source + end.source_size

    def _index(self, position: int) -> int:
        return max(0, bisect_right(self.pieces, position, key=lambda piece: piece.start) - 1)


def views(note: Note) -> Iterator[View]:
    """The views that differ from the text; none for most notes."""
    text = note.text
    broken = "\x1b" in text or (not text.isascii() and any(map(text.__contains__, _CUTTERS)))
    if broken and (cuts := [cut.span() for cut in _INVISIBLE.finditer(text)]):
        yield _without(text, cuts)
    if ("```" in text or "~~~" in text) and (cuts := list(_wraps(note))):
        yield _without(text, cuts, crossing=True)
    if "%" in text and _TELLING.search(text) and (escaped := list(_escaped(text))):
        yield _unescaped(text, escaped)


def _wraps(note: Note) -> Iterator[tuple[int, int]]:
    """The line ends, inside code fences, that stand between a long run and a line that holds nothing but its rest."""
    text, done = note.text, 0
    for _, run_stop in note.runs:
        if run_stop < done or _WRAP.match(text, run_stop) is None or not _in_fence(text, run_stop):
            continue
        done = run_stop
        while (wrap := _WRAP.match(text, done)) is not None:
            yield wrap.span()
            done = wrap.end(1)


def _in_fence(text: str, position: int) -> bool:
    return (text.count("```", 0, position) + text.count("~~~", 0, position)) % 2 == 1


def _without(text: str, cuts: Sequence[tuple[int, int]], *, crossing: bool = False) -> View:
    starts = [0, *(stop for _, stop in cuts)]
    stops = [*(start for start, _ in cuts), len(text)]
    return _view(
        ((start, stop - start, text[start:stop]) for start, stop in zip(starts, stops, strict=True)), crossing=crossing
    )


def _escaped(text: str) -> Iterator[re.Match[str]]:
    start = text.find("%")
    while start >= 0:
        run = _ESCAPED.match(text, start, start + _MOST_ESCAPED)
        if run is not None and _TELLING.search(run[0]) is not None:
            yield run
        start = text.find("%", run.end() if run is not None else start + 1)


def _unescaped(text: str, runs: Sequence[re.Match[str]]) -> View:
    """What the runs say, one a line."""
    pieces: list[tuple[int, int, str]] = []
    for run in runs:
        pieces += (*_plain(text, run), (run.end(), 0, "\n"))
    return _view(pieces)


def _plain(text: str, run: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    if run[0].count("%") * 3 == len(run[0]):  # nothing of it can be read as it stands: it is hidden as a whole
        yield run.start(), len(run[0]), unquote(run[0])
        return
    before = _TOKEN.search(text, max(0, run.start() - _LONGEST_TOKEN), run.start())
    start = before.start() if before else run.start()
    for escape in _ESCAPE.finditer(text, *run.span()):
        yield start, escape.start() - start, text[start : escape.start()]
        yield from _decoded(escape)
        start = escape.end()
    yield start, run.end() - start, text[start : run.end()]


def _decoded(escape: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """The characters of a run of escapes, each with its place in the original."""
    start = escape.start()
    for char in unquote_to_bytes(escape[0]).decode("utf-8", "replace"):
        size = 3 * len(char.encode("utf-8")) if char != "\ufffd" else 3
        yield start, size, char
        start += size


def _view(stretches: Iterable[tuple[int, int, str]], *, crossing: bool = False) -> View:
    kept = [stretch for stretch in stretches if stretch[2]]
    starts = accumulate((len(text) for _, _, text in kept), initial=0)
    pieces = tuple(
        Piece(start, len(text), source, size) for start, (source, size, text) in zip(starts, kept, strict=False)
    )
    return View("".join(text for _, _, text in kept), pieces, crossing)
