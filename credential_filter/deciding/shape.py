"""How unlike words a string is, in bits: the shape of a secret, whatever its vendor.

A string is priced twice. As words: letter trigrams of ordinary words and identifiers, plus what the changes of case
and the digits cost. As chance: every character drawn evenly from the smallest alphabet that holds them all. The
difference is the evidence that somebody generated the string rather than named something with it.
"""

from __future__ import annotations

import re
import string
from functools import cache, lru_cache
from math import log2

from scrubjay.credential_filter import data

_DIGIT, _OTHER = 26, 27  # symbols; a letter of either case is 0 to 25
_DIGIT_BITS = log2(10)
_OTHER_BITS = 2.5  # which of the few joiners that identifiers use
_DIGIT_GROUP_BITS = 4.0  # names have one group of digits; each further one is odd
_CHANCE_OTHER_BITS = 6.0
_CHANCE_START_BITS = 4.0  # which alphabet it is
_FOREIGN_BITS = -4.0  # a letter of another script speaks for words

# What a step from one class of character to the next costs inside words: a lower, A upper, 0 digit, - anything else.
_STEP_BITS = ((b"aA", 4.0), (b"AAa", 4.0), (b"0a", 1.2), (b"0A", 1.5), (b"-A", 1.5), (b"-a", 0.6))

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_UUID_SIZE = 36
_WORDS_BEFORE = re.compile(r"(?:[A-Za-z/_\-:]{0,96}[_\-/:])?")
_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)")


def _table(default: int, groups: dict[str, int]) -> bytes:
    table = bytearray([default]) * 256
    for chars, code in groups.items():
        for char in chars:
            table[ord(char)] = code
    return bytes(table)


_LETTERS = {lower + lower.upper(): index for index, lower in enumerate(string.ascii_lowercase)}
_SYMBOLS = _table(_OTHER, {**_LETTERS, string.digits: _DIGIT})
_CLASSES = _table(
    ord("-"), {string.ascii_lowercase: ord("a"), string.ascii_uppercase: ord("A"), string.digits: ord("0")}
)


@cache
def _trigram_bits() -> tuple[tuple[float, ...], ...]:
    """Cost in bits of the third symbol after the first two: `[first * 28 + second][third]`."""
    text = data.read("letters.txt").replace("\n", "")
    bits = [(ord(char) - 48) / 4 for char in text]
    return tuple(tuple(bits[row : row + 28]) for row in range(0, len(bits), 28))


def has_uuid(value: str) -> bool:
    """Whether the value is a UUID in its usual notation, perhaps behind words and a joiner."""
    words, uuid = value[:-_UUID_SIZE], value[-_UUID_SIZE:]
    return _UUID.fullmatch(uuid) is not None and _WORDS_BEFORE.fullmatch(words) is not None


def is_hex(value: str) -> bool:
    """Whether the whole value is hexadecimal digits of one case."""
    return _HEX.fullmatch(value) is not None


@lru_cache(maxsize=4096)
def surprise(value: str) -> float:
    """Bits of evidence that `value` was generated: above about 20 it is no word, below 0 it reads like words."""
    plain = value.encode("ascii", "ignore")
    return _word_bits(plain) - _chance_bits(plain) + (len(value) - len(plain)) * _FOREIGN_BITS


def _word_bits(plain: bytes) -> float:
    symbols = b"\x1b\x1b" + plain.translate(_SYMBOLS)
    table = _trigram_bits()
    bits = sum([table[a * 28 + b][c] for a, b, c in zip(symbols, symbols[1:], symbols[2:], strict=False)])
    classes = b"-" + plain.translate(_CLASSES)
    bits += sum([classes.count(step) * cost for step, cost in _STEP_BITS])
    groups = len(classes.translate(None, b"-").replace(b"a", b" ").replace(b"A", b" ").split())
    bits += max(0, groups - 1) * _DIGIT_GROUP_BITS
    return bits + classes.count(b"0") * _DIGIT_BITS + (classes.count(b"-") - 1) * _OTHER_BITS


def _chance_bits(plain: bytes) -> float:
    classes = plain.translate(_CLASSES)
    lower, upper, digits = classes.count(b"a"), classes.count(b"A"), classes.count(b"0")
    known = lower + upper + digits
    if digits and is_hex(plain.decode("ascii")):
        bits = 4.0
    else:
        bits = log2(max(10, 26 * bool(lower) + 26 * bool(upper) + 10 * bool(digits)))
    return _CHANCE_START_BITS + known * bits + (len(plain) - known) * _CHANCE_OTHER_BITS
