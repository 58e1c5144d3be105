"""The other places where a note repeats a secret that was found in it: as it is, in base64, in hexadecimal, escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from urllib.parse import quote

from credential_filter.hits import ECHO, Hit
from credential_filter.shape import surprise

_SHORTEST = 6
_SHORTEST_WORDS = 12  # a password that reads like words is looked for only when it is this long


def echoes(text: str, hits: list[Hit]) -> Iterator[Hit]:
    """Every other occurrence of what the hits hide. Passwords that are plain words are left alone elsewhere."""
    found: dict[str, str] = {}
    for hit in hits:
        secret = text[hit.start : hit.stop]
        if "\n" not in secret and _is_distinct(secret):
            found.setdefault(secret, hit.rule)
    for secret, rule in found.items():
        for spelling in _spellings(secret):
            start = text.find(spelling)
            while start >= 0:
                yield Hit(start, start + len(spelling), rule, ECHO)
                start = text.find(spelling, start + len(spelling))


def _is_distinct(secret: str) -> bool:
    return len(secret) >= _SHORTEST_WORDS or (len(secret) >= _SHORTEST and surprise(secret) > 12)


def _spellings(secret: str) -> set[str]:
    data = secret.encode("utf-8", "surrogatepass")
    spellings = {secret, quote(secret, safe=""), data.hex(), data.hex().upper()}
    for shift in range(3):  # where the secret starts inside a base64 group
        coded = base64.b64encode(b"\0" * shift + data).decode().rstrip("=")
        whole = coded[4 * (shift > 0) : len(coded) - (len(data) + shift) % 3]
        spellings |= {whole, whole.replace("+", "-").replace("/", "_")}
    return {spelling for spelling in spellings if len(spelling) >= _SHORTEST}
