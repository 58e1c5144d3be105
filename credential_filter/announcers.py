"""The words that announce a secret, and the names that they are part of."""

from __future__ import annotations

import re
import string
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

from scrubjay.credential_filter.note import Note

# How much a name speaks for what follows it being a secret, in bits on the scale of `shape.surprise`.
PASSWORD_BITS, SECRET_BITS, WEAK_BITS = 20.0, 14.0, 5.0
_BITS = {"password": PASSWORD_BITS, "secret": SECRET_BITS, "key": WEAK_BITS}

_NAME_CHARS = string.ascii_letters + string.digits + "_.-$"
_LONGEST_REST = 40
_LONGEST_WORD_BEFORE = 24
_LONGEST_NAME_REST = 12  # of a name that ends in digits; a longer one is a value: gitter-secret-0f9a…


@dataclass(frozen=True, slots=True)
class Announcer:
    """A word that announces a secret.

    bits:   how strongly
    joined: whether it may stand inside a longer run of letters
    """

    bits: float
    joined: bool


class Name(NamedTuple):
    """A name that announces a secret, such as DB_PASSWORD: its span, and how much it promises in bits."""

    start: int
    stop: int
    bits: float


@cache
def announcers() -> dict[str, Announcer]:
    """Every announcer that is looked for in a whole note, in lower case."""
    return {
        word: Announcer(_BITS[kind], way == "joined")
        for kind in _BITS
        for way in ("joined", "apart")
        for word in _words()[kind].get(way, ())
    }


@cache
def weak_words() -> re.Pattern[str]:
    """Finds the words that count only right before a string that was clearly generated."""
    words = "|".join(map(re.escape, _words()["weak"]["words"]))
    return re.compile(rf"(?i)(?<![a-z])(?:{words})(?![a-z])")


def name_at(note: Note, start: int, stop: int, announcer: Announcer) -> Name | None:
    """The name around the announcer at this span; None where the word is part of another word or thing."""
    text = note.text
    if _goes_on(note, stop) and not (text[stop] in "sS" and not text[stop + 1 : stop + 2].isalpha()):
        return None
    joined = start > 0 and _goes_on(note, start)
    if joined and not announcer.joined:
        return None
    rest = text[stop : stop + _LONGEST_REST]
    rest = rest[: len(rest) - len(rest.lstrip(_NAME_CHARS))].rstrip(".-$")
    if rest and _other_things()[0].match(rest):
        return None
    before = text[max(0, start - _LONGEST_WORD_BEFORE) : start].lower()
    if _is_other_thing(before, announcer, joined=joined):
        return None
    if len(rest) > _LONGEST_NAME_REST and any(char.isdigit() for char in rest):
        rest = ""
    bits = announcer.bits
    if bits == WEAK_BITS and before.rstrip(" _.-").endswith(_qualifiers()):
        bits = SECRET_BITS
    return Name(start, stop + len(rest), bits)


def _is_other_thing(before: str, announcer: Announcer, *, joined: bool) -> bool:
    _, words, key_words, beginnings = _other_things()
    if before.endswith("$(") or (joined and before.endswith(beginnings)):
        return True
    trimmed = before.rstrip("_.- ")
    last = trimmed[len(trimmed.rstrip(string.ascii_lowercase)) :]
    return last in words or (announcer.bits == WEAK_BITS and last in key_words)


def _goes_on(note: Note, place: int) -> bool:
    """Whether the letters before and at the place are of one word: ASCII ones, and no step up in case between them."""
    if note.flat[place - 1 : place + 1] != b"aa":
        return False
    return not (note.text[place - 1].islower() and note.text[place].isupper())


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(
        (resources.files("scrubjay.credential_filter") / "data" / "announcers.toml").read_text("utf-8")
    )


@cache
def _qualifiers() -> tuple[str, ...]:
    return tuple(_words()["key"]["qualifiers"])


@cache
def _other_things() -> tuple[re.Pattern[str], frozenset[str], frozenset[str], tuple[str, ...]]:
    """What turns a name into another's: the regex for what follows, the words before it, those before a key, prefixes."""
    words = _words()["other_thing"]
    whole = frozenset(words["after_whole"])
    after = "|".join(word + "(?![a-z])" if word in whole else word for word in words["after"])
    pattern = re.compile(rf"(?i)[_.\-]?s?[_.\-]?(?:{after})")
    return pattern, frozenset(words["before"]), frozenset(words["before_key"]), tuple(words["joined"])
