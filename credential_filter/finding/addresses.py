"""Passwords inside URLs: `scheme://user:password@host`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.credential_filter.deciding.shape import is_placeholder
from scrubjay.credential_filter.reading.note import Note

_LONGEST_ADDRESS = 400  # from the scheme's end to the "@"
_CREDENTIALS = re.compile(r"""://([^\s:/@"'<>`]{0,128}):([^\s/@"'<>`|]{1,256})@(?=[\w\[({$<%])""")
_WORDS = frozenset(
    ["pass", "password", "passwd", "pwd", "pw", "secret", "token", "user", "username", "xxx", "x", "foo", "bar", "test"]
)


def passwords(note: Note) -> Iterator[tuple[int, int]]:
    """Spans of the passwords in URLs; placeholders such as `user:password@` are left out."""
    text, tried = note.text, -1
    at = text.find("@")
    while at >= 0:
        place = text.rfind("://", max(tried + 1, at - _LONGEST_ADDRESS), at)
        if place >= 0:
            tried = place
            found = _CREDENTIALS.match(text, place) if text[max(0, place - 2) : place].isalnum() else None
            if found is not None and _is_password(found[1], found[2]):
                yield found.span(2)
        at = text.find("@", at + 1)


def _is_password(user: str, password: str) -> bool:
    return not (len(password) < 4 or password.lower() in _WORDS or password == user or is_placeholder(password))
