"""Passwords inside URLs: `scheme://user:password@host`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from credential_filter.note import Note
from credential_filter.placeholders import is_placeholder

_CREDENTIALS = re.compile(
    r"""([A-Za-z][\w+.\-]{1,32})://([^\s:/@"'<>`]{0,128}):([^\s/@"'<>`|]{1,256})@(?=[\w\[({$<%])"""
)
_WORDS = frozenset(
    ["pass", "password", "passwd", "pwd", "pw", "secret", "token", "user", "username", "xxx", "x", "foo", "bar", "test"]
)
_LONGEST_PREFIX = 420


def passwords(note: Note) -> Iterator[tuple[int, int]]:
    """Spans of the passwords in URLs; placeholders such as `user:password@` are left out."""
    text = note.text
    at = text.find("@")
    searched = 0
    while at >= 0:
        line = max(note.line_start(at), at - _LONGEST_PREFIX, searched)
        if "://" in text[line:at]:
            for match in _CREDENTIALS.finditer(text, line, at + 2):
                if _is_password(match[2], match[3]):
                    yield match.span(3)
            searched = at
        at = text.find("@", at + 1)


def _is_password(user: str, password: str) -> bool:
    return not (len(password) < 4 or password.lower() in _WORDS or password == user or is_placeholder(password))
