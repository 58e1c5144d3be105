"""Weighs the evidence for a secret; and the spans that are hidden, wherever the note repeats them."""

from __future__ import annotations

import base64
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import NamedTuple
from urllib.parse import quote

from scrubjay.credential_filter import data
from scrubjay.credential_filter.text.announcers import PASSWORD_BITS, WEAK_BITS, announcers
from scrubjay.credential_filter.verdict.shape import has_uuid, is_hex, is_placeholder, is_remark, surprise

# Names of services that hand out credentials.


@cache
def vendors() -> frozenset[str]:
    """Names of services that hand out credentials, in lower case."""
    return frozenset(
        word for line in data.read("vendors.txt").splitlines() if not line.startswith("#") for word in line.split()
    )


SHORTEST, LONGEST = 4, 8192
_SHORTEST_WEAK = 12  # behind a name that promises little
_ENOUGH_BITS = 18.0  # the evidence that hides a value
_SHAPE_RANGE = (-25.0, 40.0)
_UUID_BITS = 16.0  # a UUID is random but rarely secret: only a name that promises a secret makes it one
_HEX_MOST = 30.0
_QUOTED_BITS = 4.0
_ALONE_BITS = 4.0  # nothing but name and value on the line, as people note their passwords
_MIXED_BITS = 4.0  # letters and digits; twice as much behind a name for passwords
_SYMBOL_BITS = 4.0  # punctuation that names do not hold; twice as much, too

_DECORATED_WORDS_BITS = -14.0  # the least for a password of words with punctuation in it

_ENOUGH_CHARS = 96  # of a value; more would not change the verdict
_LONG_TAIL = 16
_HEX_TAIL = re.compile(r"(?:[0-9a-f]{24,96}|[0-9A-F]{24,96})\Z")
_LONGEST_WORD = 64
_NAMES = ("password", "passwd", "passphrase", "passwort", "pwd")  # a variable's name, not what it holds
_UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]+")  # a sentence may be written so
_SPACE = re.compile(r"\s")
_JOINERS = re.compile(r"[_.:\-]")
_SYMBOL = re.compile(r"[^\w\s.\-/:,;=+()\[\]]")
_COUNTED = re.compile(r"(?i)(?:^|[_\-])(?:abc|def|ghi|xyz|123|456|789|0)+$")  # as examples do: xoxb-123abc
_AMOUNT = re.compile(r"[\d.,]{1,12}[a-zA-Z%]{0,3}")
_DIGIT = re.compile(r"\d")
_DATE = re.compile(
    r"^(?:\w{1,2}[\-־])?(?:\d{1,2}[./\-]\d{1,2}[./\-](?:19|20)?\d\d|(?:19|20)\d\d[./\-]\d{1,2}[./\-]\d{1,2})(?!\w)"
)
_LETTER = re.compile(r"[^\W\d_]")
_TOKEN = re.compile(r"[\w+/=.~%!@#$&^*\-]+")


class Tie(Enum):
    """How a value is tied to the name before it; the value is its bits of evidence."""

    PAIRED = 4.0  # name: value, next to a line that names the user
    ASSIGNED = 0.0  # name = value, name: value
    COMPARED = 2.0  # name == value
    COLUMN = 0.5  # under the name in a table
    FLAG = -2.5  # --name value
    SAID = -3.0  # the name is value
    PASSED = -4.0  # name, "value" or name("value")
    BESIDE = -12.0  # name value
    NEAR = -14.0  # the name stands somewhere before
    __hash__ = object.__hash__  # Enum's own is written in Python, and a verdict is kept for each tie


_TOLD = (Tie.SAID, Tie.BESIDE)
_LOOSE = (Tie.BESIDE, Tie.NEAR)
_NOTED = (Tie.PAIRED, Tie.ASSIGNED, Tie.COMPARED, Tie.COLUMN)


def is_secret(value: str, name_bits: float, tie: Tie, *, quoted: bool = False, alone: bool = False) -> bool:
    """Whether the evidence for `value` being a secret is enough.

    quoted: whether it stands between quotes
    alone:  whether name and value are all there is on their line
    """
    password = name_bits >= PASSWORD_BITS
    if not _may_be_secret(value, name_bits, tie) or (password and is_remark(value)):
        return False
    if password and (alone or quoted) and tie in _NOTED and _is_one_word(value):
        return True
    bits = name_bits + tie.value + _QUOTED_BITS * quoted + _ALONE_BITS * (alone and password)
    return bits + shape_bits(value, password=password, loose=tie is Tie.NEAR) >= _ENOUGH_BITS


def _may_be_secret(value: str, name_bits: float, tie: Tie) -> bool:
    """Whether nothing speaks against it from the start: its length, characters, what stands in for a secret."""
    weak, password = name_bits <= WEAK_BITS, name_bits >= PASSWORD_BITS
    if not (_SHORTEST_WEAK if weak else SHORTEST) <= len(value) <= LONGEST or value[0] == " ":
        return False
    if tie is Tie.BESIDE and password and _DIGIT.search(value) is None:
        return False
    if tie in _TOLD and (_DATE.search(value) is not None or _is_told_word(value)):
        return False
    if (weak or tie in _LOOSE) and _TOKEN.fullmatch(value) is None:
        return False
    if not password and (_COUNTED.search(value) is not None or _AMOUNT.fullmatch(value) is not None):
        return False
    return not is_placeholder(value[:_ENOUGH_CHARS])


def _is_told_word(value: str) -> bool:
    """Whether it is a word of a sentence, whatever its language, rather than letters that somebody drew."""
    return value.isalpha() and value.islower() and surprise(value) < _ENOUGH_BITS


def _is_one_word(value: str) -> bool:
    """Whether this can be a password that reads like a word: no label in another language, no name of a password manager."""
    folded = value.lower()
    return (
        len(value) <= _LONGEST_WORD
        and _SPACE.search(value) is None
        and folded not in _other_words()
        and "[[" not in value
        and _UNSPACED.fullmatch(value) is None
        and not folded.endswith(_NAMES)
    )


@cache
def _other_words() -> frozenset[str]:
    return vendors() | frozenset(announcers())


def shape_bits(value: str, *, password: bool = False, loose: bool = False) -> float:
    """Evidence from the value alone.

    password: whether it is to be judged as a password, which people make up of words, digits and punctuation
    loose:    whether nothing ties it to a name; then a UUID is no evidence
    """
    if has_uuid(value):
        return _SHAPE_RANGE[0] if loose else _UUID_BITS
    value = value[:_ENOUGH_CHARS].replace("\\_", "_")
    bits = surprise(value)
    tail = max(_JOINERS.split(value), key=len)
    if _LONG_TAIL <= len(tail) < len(value):  # a prefix in words says nothing against what follows it
        bits = max(bits, surprise(tail))
    if (digest := _HEX_TAIL.search(value)) is not None:  # behind letters that are no hexadecimal digits
        bits, tail = max(bits, surprise(digest[0])), digest[0]
    bits = max(_SHAPE_RANGE[0], min(_SHAPE_RANGE[1], bits))
    if is_hex(tail):
        return min(bits, _HEX_MOST)
    letters = _LETTER.search(value) is not None
    mixed = letters and _DIGIT.search(value) is not None
    symbols = letters and " " not in value and _SYMBOL.search(value) is not None
    if password and symbols:
        bits = max(bits, _DECORATED_WORDS_BITS)
    return bits + (_MIXED_BITS * mixed + _SYMBOL_BITS * symbols) * (2 if password else 1)


# Spans to hide, and how overlapping ones become one.


PASSWORD = "named-password"  # noqa: S105 (the name of a rule)
"""The rule of what a word for passwords announces."""


class Hit(NamedTuple):
    """Code points `start` to `stop` of a text, to be hidden in the name of `rule`. The lower rank names the whole."""

    start: int
    stop: int
    rule: str
    rank: int


KNOWN, STRUCTURE, NAMED, LOOSE, ECHO = range(5)  # ranks: how much the rule's name says about what was found


def merge(hits: Iterable[Hit]) -> list[Hit]:
    """The same spans without overlaps, in order. Where some overlap, the lowest rank, then the longest, gives its name."""
    merged: list[Hit] = []
    longest = 0  # of the hit that gave the last merged one its name
    for hit in sorted(hits):
        size = hit.stop - hit.start
        if size <= 0:
            continue
        if not merged or hit.start >= merged[-1].stop:
            merged.append(hit)
            longest = size
            continue
        last = merged[-1]
        named = (hit.rank, -size) < (last.rank, -longest)
        longest = size if named else longest
        rule, rank = (hit.rule, hit.rank) if named else (last.rule, last.rank)
        merged[-1] = Hit(last.start, max(last.stop, hit.stop), rule, rank)
    return merged


# The other places where a note repeats a secret that was found in it: as it is, in base64, in hexadecimal, escaped.

_SHORTEST = 6
_SHORTEST_WORDS = 12  # a password that reads like words is looked for only when it is this long
_RUN = re.compile(r"[A-Za-z0-9+/=_\-]{6,}")
_FEW = 64  # spellings that are looked for one after the other
_MOST_SIZES = 32  # of spellings that begin alike
_OPENING, _CLOSING = "([{<\"'`*_", ")]}>|\"'`*_.,;:"


def echoes(text: str, hits: list[Hit]) -> Iterator[Hit]:
    """Every other occurrence of what the hits hide. Passwords that are plain words are left alone elsewhere."""
    found: dict[str, str] = {}  # a spelling, and the rule of the secret
    longest, escaped = max(map(len, _RUN.findall(text)), default=0), "%" in text
    for hit in hits:
        hidden = text[hit.start : hit.stop]
        # A bracket or a stop that ends a sentence may have been hidden with the secret; elsewhere it stands without them.
        for secret in {hidden, hidden.lstrip(_OPENING).rstrip(_CLOSING)}:
            if "\n" not in secret and secret not in found and _is_distinct(secret):
                found.update(dict.fromkeys(_spellings(secret, longest, escaped=escaped), hit.rule))
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
    for start in _beginnings(text, sizes):
        for size in sizes[text[start : start + _SHORTEST]]:
            if (rule := found.get(text[start : start + size])) is not None:
                yield Hit(start, start + size, rule, ECHO)


def _beginnings(text: str, heads: Collection[str]) -> Iterator[int]:
    """Where one of the heads stands, each of `_SHORTEST` characters; in no order."""
    if len(heads) > _FEW:
        yield from [place for place in range(len(text) - _SHORTEST + 1) if text[place : place + _SHORTEST] in heads]
        return
    for head in heads:
        start = text.find(head)
        while start >= 0:
            yield start
            start = text.find(head, start + 1)


def _is_distinct(secret: str) -> bool:
    return len(secret) >= _SHORTEST_WORDS or (len(secret) >= _SHORTEST and surprise(secret) > 12)


def _spellings(secret: str, longest: int, *, escaped: bool) -> set[str]:
    """How the secret may be written in a text whose longest run of letters, digits and joiners is so long.

    escaped: whether the text holds a percent sign
    """
    data = secret.encode("utf-8", "surrogatepass")
    spellings = {secret}
    if escaped:
        spellings.add(quote(data, safe=""))
    if len(data) * 4 // 3 - 4 <= longest:
        for shift in range(3):  # where the secret starts inside a base64 group
            coded = base64.b64encode(b"\0" * shift + data).decode().rstrip("=")
            whole = coded[4 * (shift > 0) : len(coded) - (len(data) + shift) % 3]
            spellings |= {whole, whole.replace("+", "-").replace("/", "_")}
    if len(data) * 2 <= longest:
        spellings |= {data.hex(), data.hex().upper()}
    return {spelling for spelling in spellings if len(spelling) >= _SHORTEST}
