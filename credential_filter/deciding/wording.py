"""Words that tell a remark from a password: what people note about a password, and what sentences consist of."""

from __future__ import annotations

import re
from functools import cache

from scrubjay.credential_filter import data
from scrubjay.credential_filter.deciding.shape import surprise

_FEWEST, _MOST = 3, 12  # words of a passphrase; three only with a number
_WORD = re.compile(r"[^\W\d_]{3,12}")
_PIECE = re.compile(r"[^\W\d_]{3,12}|\d{1,6}|[^\W\d_]{3,12}\d{1,4}")
# How participles end, of which remarks consist in many languages: expired, geändert, changé, olvidada, cambiato; and begin.
_PARTICIPLES = (
    "ed", "iert", "é", "ée", "és", "ées", "ado", "ada", "ido", "ida", "ato", "ata", "ito", "ita", "uto", "uta", "ané", "ené",
    "ane", "ene", "ano", "ено", "ан", "ен",
)  # fmt: skip
_GERMAN_BEGINNINGS = ("ge", "ver", "be", "ent", "er", "zer", "ab", "an", "auf", "aus", "ein", "zurück")
_SHORTEST_PARTICIPLE = 6


@cache
def remarks() -> frozenset[str]:
    """What stands behind "password:" and is none."""
    return _words("remarks.txt")


@cache
def function_words() -> frozenset[str]:
    """Articles, prepositions, pronouns and the like, of some twenty languages."""
    return _words("function_words.txt")


def is_remark(word: str) -> bool:
    """Whether a single word says how it stands with a password rather than what it is."""
    folded = word.lower().strip(".,;:!?()[]\"'*_")
    if folded in remarks() or folded in function_words():
        return True
    if len(folded) < _SHORTEST_PARTICIPLE or not folded.isalpha() or surprise(folded) >= 0:
        return False
    return folded.endswith(_PARTICIPLES) or (folded.endswith(("t", "en")) and folded.startswith(_GERMAN_BEGINNINGS))


def is_passphrase(text: str) -> bool:
    """Whether words follow one another as they are drawn from a list, three to twelve: no sentence, no enumeration."""
    pieces = text.rstrip(".").split(" ")
    words = [piece for piece in pieces if _WORD.fullmatch(piece)]
    if not _FEWEST <= len(pieces) <= _MOST or len(words) < _FEWEST or not all(map(_PIECE.fullmatch, pieces)):
        return False
    if not all(word.islower() for word in words[1:]) or any(word.lower() in function_words() for word in words):
        return False
    if any(word.lower() in remarks() for word in words):
        return False
    return len(pieces) > _FEWEST


def _words(name: str) -> frozenset[str]:
    lines = (line for line in data.read(name).splitlines() if not line.startswith("#"))
    return frozenset(word.replace("_", " ") for line in lines for word in line.split())
