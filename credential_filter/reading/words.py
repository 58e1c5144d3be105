"""The words that announce a secret, and by how much they promise one."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from scrubjay.credential_filter import data

# How much a name speaks for what follows it being a secret, in bits on the scale of `shape.surprise`.
PASSWORD_BITS, SECRET_BITS, PERHAPS_BITS, WEAK_BITS = 20.0, 14.0, 12.0, 5.0
_BITS = {
    "key": WEAK_BITS,
    "perhaps": PERHAPS_BITS,
    "token": SECRET_BITS,
    "secret": SECRET_BITS,
    "password": PASSWORD_BITS,
}
_NOTED = ("password", "secret", "perhaps")
_KINDS = ("login", "user", "network", "sign", "licence", "question", "answer", "backup", "one-time", "code")


@dataclass(frozen=True, slots=True)
class Announcer:
    """A word that announces a secret.

    bits:   how strongly
    joined: whether it may stand inside a longer run of letters
    noted:  whether people note passwords behind it
    inflected: whether a few more letters may follow that belong to it
    kind:   of something else than a value that is weighed; see Name
    """

    bits: float
    joined: bool
    noted: bool = False
    inflected: bool = False
    kind: str = ""


@cache
def announcers() -> dict[str, Announcer]:
    """Every announcer that is looked for in a whole note, in lower case; what says more stands for a word of two kinds."""
    return {
        word: Announcer(
            _BITS.get(kind, 0.0), way != "apart", kind in _NOTED, way == "inflected", "" if kind in _BITS else kind
        )
        for kind in (*_KINDS, *_BITS)
        for way in ("joined", "inflected", "apart")
        for word in word_lists()[kind].get(way, ())
    }


@cache
def weak_words() -> re.Pattern[str]:
    """Finds the words that count only right before a string that was clearly generated."""
    words = "|".join(map(re.escape, word_lists()["weak"]["words"]))
    return re.compile(rf"(?i)(?<![a-z])(?:{words})(?![a-z])")


@cache
def word_lists() -> dict[str, dict[str, list[str]]]:
    """What the file of announcers holds."""
    return tomllib.loads(data.read("announcers.toml"))
