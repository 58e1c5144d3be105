"""Text in, redacted text and findings out."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from scrubjay.credential_filter.allowed import is_kept, kept_lines
from scrubjay.credential_filter.deciding.verdict import Hit, echoes, merge
from scrubjay.credential_filter.finding.scan import scan
from scrubjay.credential_filter.findings import Finding, Redacted
from scrubjay.credential_filter.reading.note import BLOT
from scrubjay.credential_filter.rules.ruleset import BUILT_IN, Rules

_BREAKS = re.compile(r"[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_MARK = re.compile(r"\[REDACTED:([a-z0-9][a-z0-9-]{0,80})\]")


def redact(text: str, rules: Rules = BUILT_IN) -> Redacted:
    """Replace every secret in `text` by `[REDACTED:rule-id]`.

    Everything outside the findings stays as it is, line ends inside them too, so line numbers do not move. The result
    is a fixed point: redacting it again changes nothing. Pure and thread-safe; linear in the length of the text.
    """
    hits = _hidden(text, rules)
    if not hits:
        return Redacted(text, ())
    while True:
        rendering = _render(text, hits)
        more = [rendering.original(hit) for hit in _hidden(rendering.text, rules)]
        if not more:
            return Redacted(rendering.text, _findings(text, hits))
        hits = merge([*hits, *more])


def _hidden(text: str, rules: Rules) -> list[Hit]:
    """The spans to hide in this text, in order; marks that are already in it are no secrets, and announce none.

    Only a mark with the name of a rule is one: anything else in its form may be a secret.
    """
    marks = [mark.span() for mark in _MARK.finditer(text) if mark[1] in rules.ids] if "[REDACTED:" in text else []
    hits = merge(scan(_without(text, marks), rules))
    if not hits:
        return []
    hits = merge([*hits, *echoes(text, hits)])
    kept = kept_lines(text)
    return [
        hit
        for hit in hits
        if not is_kept(kept, hit.start) and not rules.allows(text[hit.start : hit.stop]) and not _is_inside(marks, hit)
    ]


def _without(text: str, marks: list[tuple[int, int]]) -> str:
    """The text with the marks blotted out, as long as before: what their names say must not count as evidence."""
    parts: list[str] = []
    end = 0
    for start, stop in marks:
        parts += (text[end:start], BLOT * (stop - start))
        end = stop
    return "".join((*parts, text[end:]))


def _is_inside(marks: list[tuple[int, int]], hit: Hit) -> bool:
    place = bisect_right(marks, hit.start, key=lambda mark: mark[0]) - 1
    return place >= 0 and hit.stop <= marks[place][1]


@dataclass(frozen=True, slots=True)
class _Rendering:
    """A redacted text, and where each of its hidden spans lies in it (start, stop, hit), in order."""

    text: str
    places: tuple[tuple[int, int, Hit], ...]

    def original(self, hit: Hit) -> Hit:
        """The hit in the text that this was made from."""
        return hit._replace(start=self._back(hit.start, first=True), stop=self._back(hit.stop, first=False))

    def _back(self, position: int, *, first: bool) -> int:
        index = bisect_right(self.places, position, key=lambda place: place[0]) - 1
        if index < 0:
            return position
        start, stop, hit = self.places[index]
        if position >= stop:
            return hit.stop + position - stop
        return hit.start if first or position == start else hit.stop


def _render(text: str, hits: list[Hit]) -> _Rendering:
    parts: list[str] = []
    places: list[tuple[int, int, Hit]] = []
    end = size = 0
    for hit in hits:
        hidden = "".join((f"[REDACTED:{hit.rule}]", *_BREAKS.findall(text[hit.start : hit.stop])))
        parts += (text[end : hit.start], hidden)
        size += hit.start - end
        places.append((size, size + len(hidden), hit))
        size += len(hidden)
        end = hit.stop
    return _Rendering("".join((*parts, text[end:])), tuple(places))


def _findings(text: str, hits: list[Hit]) -> tuple[Finding, ...]:
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    lines = [bisect_right(starts, hit.start) for hit in hits]
    return tuple(
        Finding(hit.rule, line, hit.start - starts[line - 1] + 1, hit.stop - hit.start)
        for hit, line in zip(hits, lines, strict=True)
    )
