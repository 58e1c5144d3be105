"""Compound words, told by the vault's own vocabulary: *Paketverwaltung* holds *Verwaltung*, since *Paket* is a word."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

LANGUAGES = frozenset(("da", "de", "nl", "no", "sv"))
"""Those that write compounds as one word."""
LEAST = 4
"""Letters of a word that is looked for in others; shorter ones stand in too many by chance."""
_LEAST_REST = 3
"""Letters of the other part."""
_LINKS = ("", "s", "es", "n", "en", "er", "e")
"""What may stand between the parts."""

Known = Callable[[list[str]], list[bool]]
"""Which of some words are words of the vault."""


def rows_ending_with(
    codes: NDArray[np.uint16], lengths: NDArray[np.uint8], word: NDArray[np.uint16]
) -> NDArray[np.intp]:
    """The rows of longer words that end with this one. codes: a row of characters for each word."""
    rows = np.flatnonzero(lengths >= len(word) + _LEAST_REST)
    for back, letter in enumerate(word[::-1], start=1):
        rows = rows[codes[rows, lengths[rows] - back] == letter]
    return rows


def compounds_among(word: str, longer: list[str], known: Known) -> list[str]:
    """Those of the words that begin or end with `word` whose rest is a word of the vault as well, links aside."""
    rests = [rest for term in longer for rest in _rests(word, term)]
    has = dict(zip(rests, known(rests), strict=True))
    return [term for term in longer if any(has[rest] for rest in _rests(word, term))]


def _rests(word: str, term: str) -> list[str]:
    """What may be the other part of a compound."""
    found: list[str] = []
    if term.endswith(word):
        head = term[: -len(word)]
        found += [head.removesuffix(link) for link in _LINKS if head.endswith(link)]
    if term.startswith(word):
        tail = term[len(word) :]
        found += [tail.removeprefix(link) for link in _LINKS if tail.startswith(link)]
    return [rest for rest in found if len(rest) >= _LEAST_REST]
