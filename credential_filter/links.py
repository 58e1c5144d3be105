"""Passwords inside URLs: `scheme://user:password@host`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from credential_filter.note import Note
from credential_filter.placeholders import is_placeholder

_SCHEME = re.compile(r"[A-Za-z][\w+.\-]*\Z")
_LONGEST_SCHEME = 33
_CREDENTIALS = re.compile(r"""://([^\s:/@"'<>`]{0,128}):([^\s/@"'<>`|]{1,256})@(?=[\w\[({$<%])""")
_WORDS = frozenset(
    ["pass", "password", "passwd", "pwd", "pw", "secret", "token", "user", "username", "xxx", "x", "foo", "bar", "test"]
)


def passwords(note: Note) -> Iterator[tuple[int, int]]:
    """Spans of the passwords in URLs; placeholders such as `user:password@` are left out."""
    text = note.text
    place = text.find("://") if "@" in text else -1
    while place >= 0:
        scheme = _SCHEME.search(text, max(0, place - _LONGEST_SCHEME), place)
        found = _CREDENTIALS.match(text, place) if scheme else None
        if found is not None and _is_password(found[1], found[2]):
            yield found.span(2)
        place = text.find("://", place + 3)


def _is_password(user: str, password: str) -> bool:
    return not (len(password) < 4 or password.lower() in _WORDS or password == user or is_placeholder(password))
