"""Seed phrases of wallets (BIP-39): 12 to 24 words of one list, the last of which carries a checksum."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

_WORD = re.compile(r"[a-z]+")
_SIZES = (24, 21, 18, 15, 12)
_WIDEST_GAP = 12  # between two words: a number, a bullet, a line end


def phrases(folded: str) -> Iterator[tuple[int, int]]:
    """Spans of the phrases in a text in lower case. Numbers and punctuation between the words do not matter."""
    numbers = _numbers()
    streak: list[tuple[int, int, int]] = []  # start, stop and number of each word
    for found in _WORD.finditer(folded):
        number = numbers.get(found[0])
        if number is None or (streak and found.start() - streak[-1][1] > _WIDEST_GAP):
            yield from _valid(streak)
            streak = []
        if number is not None:
            streak.append((*found.span(), number))
    yield from _valid(streak)


def _valid(streak: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    first = 0
    while first + _SIZES[-1] <= len(streak):
        for size in _SIZES:
            words = streak[first : first + size]
            if len(words) == size and is_phrase([number for _, _, number in words]):
                yield words[0][0], words[-1][1]
                first += size - 1
                break
        first += 1


def is_phrase(numbers: list[int]) -> bool:
    """Whether the checksum in the last word is right, for 12, 15, 18, 21 or 24 word numbers (0 to 2047)."""
    checksum_bits = len(numbers) // 3
    bits = 0
    for number in numbers:
        bits = bits << 11 | number
    entropy = (bits >> checksum_bits).to_bytes(checksum_bits * 4, "big")
    return hashlib.sha256(entropy).digest()[0] >> (8 - checksum_bits) == bits & ((1 << checksum_bits) - 1)


def word(number: int) -> str:
    """The word of a number, 0 to 2047."""
    return list(_numbers())[number]


@cache
def _numbers() -> Mapping[str, int]:
    text = (resources.files("credential_filter") / "data" / "bip39_english.txt").read_text("ascii")
    return {word: number for number, word in enumerate(text.split())}
