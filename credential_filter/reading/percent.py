"""Percent-encoded stretches of a text, and what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, unquote_to_bytes

from scrubjay.credential_filter.reading.unicode import Change, Rewritten

_ESCAPED = re.compile(r"""(?:%[0-9A-Fa-f]{2}[^\s%"'<>()\[\]]{0,64})+""")
_TELLING = re.compile(r"%(?:3[0-9dD]|40|[46][1-9a-fA-F]|[57][0-9aA])")  # letters, digits, "=" or "@": no need to escape
_ESCAPE = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_TOKEN = re.compile(r"""[^\s"'<>()\[\]]+\Z""")
_LONGEST_TOKEN = 128
_MOST_ESCAPED = 65536


def escapes(text: str) -> Iterator[re.Match[str]]:
    """The runs with escapes of characters that need none."""
    if _TELLING.search(text) is None:
        return
    start = text.find("%")
    while start >= 0:
        run = _ESCAPED.match(text, start, start + _MOST_ESCAPED)
        if run is not None and _TELLING.search(run[0]) is not None:
            yield run
        start = text.find("%", run.end() if run is not None else start + 1)


def unescaped(text: str, runs: Sequence[re.Match[str]]) -> Rewritten:
    """What the runs say, one a line."""
    changes: list[Change] = []
    end = 0
    for run in runs:
        before = _TOKEN.search(text, max(end, run.start() - _LONGEST_TOKEN), run.start())
        start = before.start() if before else run.start()
        changes += (Change(end, start, "\n"), *_plain(text, run))
        end = run.end()
    return Rewritten(text, changes, 0, end)


def _plain(text: str, run: re.Match[str]) -> Iterator[Change]:
    if run[0].count("%") * 3 == len(run[0]):  # nothing of it can be read as it stands: it is hidden as a whole
        yield Change(*run.span(), unquote(run[0]))
        return
    for escape in _ESCAPE.finditer(text, *run.span()):
        start = escape.start()
        for char in unquote_to_bytes(escape[0]).decode("utf-8", "replace"):
            size = 3 * len(char.encode("utf-8")) if char != "\ufffd" else 3
            yield Change(start, start + size, char)
            start += size
