"""The other places where a note repeats a secret that was found in it: as it is, in base64, in hexadecimal, escaped."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from scrubjay.credential_filter.deciding.hits import ECHO, Hit
from scrubjay.credential_filter.deciding.shape import surprise

_SHORTEST = 6
_SHORTEST_WORDS = 12  # a password that reads like words is looked for only when it is this long
_FEW = 64  # spellings that are looked for one after the other
_MOST_SIZES = 32  # of spellings that begin alike


def echoes(text: str, hits: list[Hit]) -> Iterator[Hit]:
    """Every other occurrence of what the hits hide. Passwords that are plain words are left alone elsewhere."""
    found: dict[str, str] = {}  # a spelling, and the rule of the secret
    for hit in hits:
        secret = text[hit.start : hit.stop]
        if "\n" not in secret and secret not in found and _is_distinct(secret):
            found.update(dict.fromkeys(_spellings(secret), hit.rule))
    return _few(text, found) if len(found) <= _FEW else _many(text, found)


def _few(text: str, found: Mapping[str, str]) -> Iterator[Hit]:
    for spelling, rule in found.items():
        start = text.find(spelling)
        while start >= 0:
            yield Hit(start, start + len(spelling), rule, ECHO)
            start = text.find(spelling, start + len(spelling))


def _many(text: str, found: Mapping[str, str]) -> Iterator[Hit]:
    """The same in one pass, whatever their number: by how they begin, then by their length."""
    sizes: defaultdict[str, set[int]] = defaultdict(set)
    for spelling in found:
        begun = sizes[spelling[:_SHORTEST]]
        if len(begun) < _MOST_SIZES:
            begun.add(len(spelling))
    for start in range(len(text) - _SHORTEST + 1):
        for size in sizes.get(text[start : start + _SHORTEST], ()):
            if (rule := found.get(text[start : start + size])) is not None:
                yield Hit(start, start + size, rule, ECHO)


def _is_distinct(secret: str) -> bool:
    return len(secret) >= _SHORTEST_WORDS or (len(secret) >= _SHORTEST and surprise(secret) > 12)


def _spellings(secret: str) -> set[str]:
    data = secret.encode("utf-8", "surrogatepass")
    spellings = {secret, quote(data, safe=""), data.hex(), data.hex().upper()}
    for shift in range(3):  # where the secret starts inside a base64 group
        coded = base64.b64encode(b"\0" * shift + data).decode().rstrip("=")
        whole = coded[4 * (shift > 0) : len(coded) - (len(data) + shift) % 3]
        spellings |= {whole, whole.replace("+", "-").replace("/", "_")}
    return {spelling for spelling in spellings if len(spelling) >= _SHORTEST}
