"""What a redaction gives back: the text that is safe to keep, and where something was hidden."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

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
