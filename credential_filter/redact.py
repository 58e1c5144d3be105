"""Text in, redacted text and findings out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.credential_filter.finders.detector import scan
from scrubjay.credential_filter.rules.ruleset import BUILT_IN, Rules
from scrubjay.credential_filter.text.scanned_note import BLOT
from scrubjay.credential_filter.verdict.verdict import Hit, echoes, merge

MARK_START = "[REDACTED:"
MARK = re.compile(r"\[REDACTED:([a-z0-9][a-z0-9-]{0,80})\]")
"""What stands in place of a secret; group 1 is the id of the rule that hid it."""
_BREAKS = re.compile(r"[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a secret sits in the text that was given to `redact`. It never holds the secret itself.

    rule:   id of the rule that hid it, as in `[REDACTED:rule]`
    line:   1-based; lines end at a line feed
    column: 1-based, in code points
    length: in code points of the original text; a span over several lines counts its line ends
    """

    rule: str
    line: int
    column: int
    length: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """`text` with every secret replaced by `[REDACTED:rule]`, and the findings in the order of their position."""

    text: str
    findings: tuple[Finding, ...]


def values_of(text: str, findings: Sequence[Finding]) -> list[str]:
    """What findings hid, read again from the text that they were found in.

    For making digests (`value_digest`) of what somebody decides about: a finding itself holds no value.
    """
    return [text[start:stop] for start, stop in spans_of(text, findings)]


def spans_of(text: str, findings: Sequence[Finding]) -> list[tuple[int, int]]:
    """Where in the text that they were found in findings start and stop, in code points."""
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    begin = [starts[finding.line - 1] + finding.column - 1 for finding in findings]
    return [(start, start + finding.length) for start, finding in zip(begin, findings, strict=True)]


def mark_for(rule: str, secret: str) -> str:
    """What stands in a secret's place: the mark of the rule that hid it, and the line ends that are in it."""
    return "".join((f"{MARK_START}{rule}]", *_BREAKS.findall(secret)))


_KEEPS = re.compile(r"<!--\s{0,8}scrubjay:allow\s{0,8}-->")  # on a line or on the one above: it stays as it is


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
    marks = [mark.span() for mark in MARK.finditer(text) if mark[1] in rules.ids] if MARK_START in text else []
    hits = merge(scan(_without(text, marks), rules))
    if not hits:
        return []
    hits = merge([*hits, *echoes(text, hits)])
    kept = _kept_lines(text)
    if not (kept or marks or rules.allow or rules.digests):
        return hits
    return [
        hit
        for hit in hits
        if not _is_kept(kept, hit.start) and not rules.allows(text[hit.start : hit.stop]) and not _is_inside(marks, hit)
    ]


def _kept_lines(text: str) -> list[tuple[int, int]]:
    """Spans of text, in order, in which nothing is hidden: each marker's line and the one below it."""
    if "scrubjay:allow" not in text:
        return []
    spans: list[tuple[int, int]] = []
    for marker in _KEEPS.finditer(text):
        start = text.rfind("\n", 0, marker.start()) + 1
        stop = _line_end(text, _line_end(text, marker.end()) + 1)
        spans.append((start, stop))
    return spans


def _is_kept(spans: list[tuple[int, int]], start: int) -> bool:
    """Whether a hit that starts here lies in one of the spans."""
    place = bisect_right(spans, start, key=lambda span: span[0]) - 1
    return place >= 0 and start < spans[place][1]


def _line_end(text: str, position: int) -> int:
    stop = text.find("\n", min(position, len(text)))
    return len(text) if stop < 0 else stop


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
        hidden = mark_for(hit.rule, text[hit.start : hit.stop])
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


def redact_many(texts: Sequence[str], rules: Rules = BUILT_IN) -> tuple[str, ...]:
    """Small texts that are stored beside one another (names, tags), redacted as one text and then each by itself.

    So a password that one text names is hidden in the others too, and one that is named by the text before it. Line
    ends stay, so each text can be told from the next.
    """
    lines = redact("\n".join(texts), rules).text.split("\n")
    redacted: list[str] = []
    start = 0
    for text in texts:
        stop = start + text.count("\n") + 1
        redacted.append(redact("\n".join(lines[start:stop]), rules).text)
        start = stop
    return tuple(redacted)


def redact_text(text: str, rules: Rules = BUILT_IN) -> str:
    """A small text, such as a name or a query, without its secrets."""
    return redact(text, rules).text
