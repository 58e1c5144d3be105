"""The names that the words which announce a secret are part of: DB_PASSWORD, apiKey, Passwörter."""

from __future__ import annotations

import re
import string
from functools import cache
from typing import NamedTuple

from scrubjay.credential_filter.text.announcers import SECRET_BITS, WEAK_BITS, Announcer, word_lists
from scrubjay.credential_filter.text.scanned_note import Note, in_address

_PLURAL, _IN_NAMES = ("s", "S"), ("_", "-", ".", "$", "/", "@", "\\", "{")
_NO_REST = ("", "s")
_NAME_CHARS = string.ascii_letters + string.digits + "_.-$"
# An ending: letters of any script that has upper or lower case, or of those that join their letters, and marks on them.
_ENDING = re.compile(
    r"[a-zà-ɏά-ώа-џҐ-ӿא-תء-ي\u066e-\u06d3\u0e30-\u0e4e\u0900-\u0dff]{1,6}+(?![a-zà-ɏά-ώа-џҐ-ӿא-תء-ي\u066e-\u06d3])"
)
_FIRST_UNSPACED = "\u0e00"  # Thai, Han, kana, Hangul
_LONGEST_REST = 40
_LONGEST_WORD_BEFORE = 24
_LONGEST_NAME_REST = 12  # of a name that ends in digits; a longer one is a value: gitter-secret-0f9a…


class Name(NamedTuple):
    """A name that announces a secret, such as DB_PASSWORD: its span, and how much it promises in bits.

    noted: whether people note passwords behind it (see `noted_passwords`)
    kind:  "" where the value is weighed by its bits; otherwise who finds it: `short_codes` or `adjacent`
    logins: whether a list of logins may follow (`announcers.Announcer`)
    """

    start: int
    stop: int
    bits: float
    noted: bool = False
    kind: str = ""
    logins: int = 0


def name_at(note: Note, start: int, stop: int, announcer: Announcer) -> Name | None:
    """The name around the announcer at this span; None where the word is part of another word or thing."""
    text = note.text
    unspaced = text[start] >= _FIRST_UNSPACED
    if announcer.inflected and not unspaced:
        ending = _ENDING.match(text, stop)
        stop = ending.end() if ending else stop
    if _goes_on(note, stop) and not (text[stop] in "sS" and not text[stop + 1 : stop + 2].isalpha()):
        return None
    if announcer.kind:
        is_name = announcer.joined or _is_apart(text, start, stop)
        return Name(start, stop, 0.0, kind=announcer.kind, logins=announcer.logins) if is_name else None
    joined = start > 0 and _goes_on(note, start)
    if joined and not announcer.joined:
        return None
    rest = ""
    if text[stop : stop + 1] in _NAME_CHARS:
        rest = text[stop : stop + _LONGEST_REST]
        rest = rest[: len(rest) - len(rest.lstrip(_NAME_CHARS))].rstrip(".-$")
    if unspaced and any(map(str.isdigit, rest)):
        rest = ""  # no blank parts a name from its value: 密码836122
    if rest and _other_things()[0].match(rest):
        return None
    before = text[max(0, start - _LONGEST_WORD_BEFORE) : start].lower()
    if _is_other_thing(before, announcer, joined=joined):
        return None
    if len(rest) > _LONGEST_NAME_REST and any(char.isdigit() for char in rest):
        rest = ""
    if unspaced and announcer.bits != SECRET_BITS:
        rest = ""
    bits = announcer.bits
    if bits == WEAK_BITS and before.rstrip(" _.-").endswith(_qualifiers()):
        bits = SECRET_BITS
    return Name(
        start, stop + len(rest), bits, announcer.noted, logins=0 if rest.lower() not in _NO_REST else announcer.logins
    )


def _is_apart(text: str, start: int, stop: int) -> bool:
    """Whether a word is no part of another, of a name in code or of an address; a plural's s may follow."""
    behind = text[stop : stop + 2]
    if behind[:1] in _PLURAL and not behind[1:].isalnum():
        behind = behind[1:]
    before = text[start - 1 : start]
    if before == "-" and text[start].isupper() and text[max(0, start - 2)].isalpha():
        before = ""  # FTP-Zugang
    return not (
        before.isalnum() or before in _IN_NAMES or behind[:1].isalnum() or behind[:1] == "_"
    ) and not in_address(text, start)


def _is_other_thing(before: str, announcer: Announcer, *, joined: bool) -> bool:
    _, words, key_words, beginnings = _other_things()
    if before.endswith("$(") or (joined and before.endswith(beginnings)):
        return True
    trimmed = before.rstrip("_.-: ")
    last = trimmed[len(trimmed.rstrip(string.ascii_lowercase)) :]
    return last in words or (announcer.bits == WEAK_BITS and last in key_words)


def _goes_on(note: Note, place: int) -> bool:
    """Whether the letters before and at the place are of one word: ASCII ones, and no step up in case between them."""
    if note.flat[place - 1 : place + 1] != b"aa":
        return False
    return not (note.text[place - 1].islower() and note.text[place].isupper())


@cache
def _qualifiers() -> tuple[str, ...]:
    return tuple(word_lists()["key"]["qualifiers"])


@cache
def _other_things() -> tuple[re.Pattern[str], frozenset[str], frozenset[str], tuple[str, ...]]:
    """What turns a name into another's: the regex for what follows, the words before it, those before a key, prefixes."""
    words = word_lists()["other_thing"]
    whole = frozenset(words["after_whole"])
    after = "|".join(word + "(?![a-z])" if word in whole else word for word in words["after"])
    pattern = re.compile(rf"(?i)[_.\-]?s?[_.\-]?(?:{after})")
    return pattern, frozenset(words["before"]), frozenset(words["before_key"]), tuple(words["joined"])
