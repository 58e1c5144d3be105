"""Small texts that are stored beside one another: names, tags, queries. What one of them gives away is hidden in all."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.credential_filter.engine import redact
from scrubjay.credential_filter.rules.ruleset import BUILT_IN, Rules


def redact_many(texts: Sequence[str], rules: Rules = BUILT_IN) -> tuple[str, ...]:
    """The texts, redacted as one text, a line or more for each, and then each by itself.

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
