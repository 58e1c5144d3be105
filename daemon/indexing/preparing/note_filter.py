"""The credential filter over one note: what the rules find in it, and how that stands by what its user decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from scrubjay.credential_filter import Finding, Redacted, Rules, redact, value_digest, values_of
from scrubjay.profiles.database.rows import Decisions, RedactionRow, Standing

_STANDS = frozenset({"allowed", "everywhere"})


@dataclass(frozen=True, slots=True)
class Found:
    """A value that the rules take for a credential: where it is, how it stands, and the keyed digest that names it."""

    row: RedactionRow
    digest: str


class NoteFilter:
    """Hides what is to be hidden of one note's texts, and gathers what was found in `found`.

    everywhere: digests of values that stand in all notes of the profile. A value that is allowed stands by itself:
    another one that comes to the same line is hidden.
    """

    def __init__(self, rules: Rules, key: bytes, everywhere: frozenset[str], decisions: Decisions) -> None:
        self._rules = rules
        self._key = key
        self._everywhere = everywhere
        self._decisions = decisions
        self.found: list[Found] = []

    def whole(self, text: str) -> str:
        """The note's text without its credentials."""
        return self._filtered(text)

    def decoded(self, text: str, line: int) -> str:
        """A text that decoding brought to light on a line of the note, without its credentials."""
        return self._filtered(text, line)

    def _filtered(self, text: str, line: int | None = None) -> str:
        redacted = redact(text, self._rules)
        if not redacted.findings:
            return text
        digests = [value_digest(value, self._key) for value in values_of(text, redacted.findings)]
        standings: list[Standing] = [self._standing(digest) for digest in digests]
        stands = frozenset(digest for digest, one in zip(digests, standings, strict=True) if one in _STANDS)
        shown = redact(text, _allowing(self._rules, self._key, stands)) if stands else redacted
        self._gather(redacted.findings, shown, digests, standings, line)
        return shown.text

    def _gather(
        self,
        findings: Sequence[Finding],
        shown: Redacted,
        digests: Sequence[str],
        standings: Sequence[Standing],
        line: int | None,
    ) -> None:
        hidden = {(finding.line, finding.column) for finding in shown.findings}
        for finding, digest, standing in zip(findings, digests, standings, strict=True):
            is_hidden = (finding.line, finding.column) in hidden
            told = "open" if is_hidden and standing in _STANDS else standing  # what is hidden is never told as allowed
            place = (finding.line, finding.column) if line is None else (line, 1)
            self.found.append(Found(RedactionRow(finding.rule, *place, finding.length, told), digest))

    def _standing(self, digest: str) -> Standing:
        if digest in self._everywhere:
            return "everywhere"
        if digest in self._decisions.allowed:
            return "allowed"
        return "done" if digest in self._decisions.done else "open"


@lru_cache(maxsize=8)
def _allowing(rules: Rules, key: bytes, digests: frozenset[str]) -> Rules:
    """The rules with values that stand; kept, since making them ready takes 14 ms."""
    return rules.with_digests(key, digests)
