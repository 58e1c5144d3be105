"""Passwords that stand before what names them: `x is the password`, `x = Passwort`, `x (PW)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.credential_filter.finding.noted import bare
from scrubjay.credential_filter.reading.names import Name
from scrubjay.credential_filter.reading.note import BLOT, Note, in_address
from scrubjay.credential_filter.reading.words import PASSWORD_BITS

_REACH = 200  # how far before a name its value may begin
# The value, what ties it to the name, and no more than an adjective before that.
_VALUE = re.compile(
    r"""(?x) (?:^|(?<=\s)) (?P<value>\S{6,160}+) \s{1,3}
    (?: (?:is|was|ist|war|est|es|è|é|as|als|comme|como|come) \b
        (?:\s(?:the|my|our|your|a|das|mein|unser|dein|le|mon|la|mi|il|o|minha|mia)\b)? (?:\s[^\W\d_]{2,16})?
      | = | <[-=]+ | [←⇐] | (?=[(\[]) )
    \s{0,3} ["'`*_(\[]{0,3} \Z"""
)
# What may follow the name where its value does not.
_CLOSED = re.compile(
    r"""["'`*_]{0,3}(?:[.,;!)\]]|[ \t\r]*(?:\n|\Z)|\s(?:for|für|to|of|de|del|da|von|bei|on|at|in|pour|para|per)\b)"""
)


def before_names(note: Note, names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Spans of what may be a password right before its name, where nothing but a sentence's rest stands behind it."""
    for name in names:
        if not name.noted or name.bits < PASSWORD_BITS or _CLOSED.match(note.text, name.stop) is None:
            continue
        start = max(note.line_start(name.start), name.start - _REACH)
        start = max(start, note.text.rfind(BLOT, start, name.start) + 1)
        line = note.text[start : name.start]
        found = _VALUE.search(line) if any(map(str.isdigit, line)) else None
        if found is not None and not in_address(note.text, start + found.start("value")):
            yield bare(note.text, start + found.start("value"), start + found.end("value"))
