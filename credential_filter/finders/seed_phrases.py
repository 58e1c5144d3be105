"""Seed phrases of wallets (BIP-39): 12 to 24 words of one list, the last of which carries a checksum."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import accumulate

from scrubjay.credential_filter import data

SIZES = (24, 21, 18, 15, 12)  # how many words a phrase can have, the longest first
_WORD_BITS, _MOST_BITS = 11, 24 * 11
_REACH_BEFORE, _REACH = 256, 1024  # how far from a word such as "wallet" a phrase may stand, in code points
_WORD = re.compile(rb"[a-z]+")
_WIDEST_GAP = 12  # between two words: a number, a bullet, a line end
_WORDS_ONLY = bytes(code if chr(code).islower() and code < 128 else 32 for code in range(256))


def phrases_near(folded: bytes, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Spans of the phrases around the places, in order, of a text in ASCII and lower case; further ones behind those, too."""
    searched = 0
    for place in places:
        start, stop = max(searched, place - _REACH_BEFORE), place + _REACH
        while stop > searched:
            searched = stop
            for phrase in phrases(folded, start, stop):
                yield phrase
                start, stop = phrase[1], phrase[1] + _REACH


def phrases(folded: bytes, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, int]]:
    """Spans of the phrases in a part of a text in ASCII and lower case. Numbers and punctuation between the words do not matter."""
    numbers, stop = _numbers(), len(folded) if stop is None else stop
    words = folded[start:stop].translate(_WORDS_ONLY).split()
    if not _has_run(words):
        return
    streak: list[tuple[int, int, int]] = []  # start, stop and number of each word
    for found in _WORD.finditer(folded, start, stop):
        number = numbers.get(found[0])
        if number is None or (streak and found.start() - streak[-1][1] > _WIDEST_GAP):
            yield from _valid(streak)
            streak = []
        if number is not None:
            streak.append((*found.span(), number))
    yield from _valid(streak)


def _has_run(words: Sequence[bytes]) -> bool:
    """Whether so many of the words as the shortest phrase has follow one another in the list; looks at few of most texts."""
    numbers, size = _numbers(), SIZES[-1]
    last = (
        size - 1
    )  # of a run, which is read from its end on: behind a word that is not in the list the next one begins
    while last < len(words):
        first = last
        while words[first] in numbers:
            if last - first + 1 == size:
                return True
            first -= 1
        last = first + size
    return False


def _valid(streak: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    if len(streak) < SIZES[-1]:
        return
    following = list(accumulate((number for _, _, number in reversed(streak)), _shifted, initial=0))[:0:-1]
    first = 0
    while first + SIZES[-1] <= len(streak):
        size = next((size for size in SIZES if first + size <= len(streak) and _holds(following[first], size)), 0)
        if size:
            yield streak[first][0], streak[first + size - 1][1]
        first += size or 1


def _shifted(following: int, number: int) -> int:
    """The bits of a word and of the 23 behind it."""
    return number << (_MOST_BITS - _WORD_BITS) | following >> _WORD_BITS


def is_phrase(numbers: Sequence[int]) -> bool:
    """Whether the checksum in the last word is right, for 12, 15, 18, 21 or 24 word numbers (0 to 2047)."""
    return _holds(reduce(_shifted, reversed(numbers), 0), len(numbers))


def _holds(bits: int, size: int) -> bool:
    """Whether the first `size` of 24 words end in their checksum: the SHA-256 of the bits before it (BIP-39)."""
    checksum_bits = size // 3
    bits >>= _MOST_BITS - size * _WORD_BITS
    digest = hashlib.sha256((bits >> checksum_bits).to_bytes(checksum_bits * 4, "big")).digest()
    return digest[0] >> (8 - checksum_bits) == bits & ((1 << checksum_bits) - 1)


def word(number: int) -> str:
    """The word of a number, 0 to 2047."""
    return list(_numbers())[number].decode()


@cache
def _numbers() -> Mapping[bytes, int]:
    return {word: number for number, word in enumerate(data.read("bip39_english.txt").encode().split())}
