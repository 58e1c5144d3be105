"""Secrets one layer deep: text in base64 or hexadecimal that holds a secret once it is decoded."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

_CODED = re.compile(r"[A-Za-z0-9+/_\-]{24,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){16,}")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")
_URL_SAFE = str.maketrans("-_", "+/")


def decoded(text: str, start: int, stop: int) -> Iterator[tuple[int, int, str]]:
    """The encodings of text inside a run of letters, digits and joiners: their spans, and what they say."""
    for coded in _CODED.finditer(text, start, stop):
        if (plain := _decode(coded[0])) is not None:
            yield *coded.span(), plain


def _decode(coded: str) -> str | None:
    if _HEX.fullmatch(coded):
        return _text(bytes.fromhex(coded))
    body = coded.rstrip("=").translate(_URL_SAFE)
    try:
        return _text(base64.b64decode(body + "=" * (-len(body) % 4), validate=True))
    except binascii.Error:
        return None


def _text(data: bytes) -> str | None:
    """What the bytes say, if they are text."""
    wide = len(data) > 8 and not any(data[1:9:2])  # as PowerShell encodes its commands
    try:
        text = data.decode("utf-16-le" if wide else "utf-8")
    except UnicodeDecodeError:
        return None
    return text if _CONTROL.search(text) is None else None
