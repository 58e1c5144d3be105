"""What a redaction gives back: the text that is safe to keep, and where something was hidden."""

from __future__ import annotations

from dataclasses import dataclass


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


def value_of(text: str, finding: Finding) -> str:
    """What a finding hid, read again from the text that it was found in; "" where the text has changed since.

    For making its digest (`value_digest`) at the moment when somebody allows it: a finding itself holds no value.
    """
    lines = text.split("\n")
    if not 0 < finding.line <= len(lines):
        return ""
    start = sum(map(len, lines[: finding.line - 1])) + finding.line - 1 + finding.column - 1
    return text[start : start + finding.length]
