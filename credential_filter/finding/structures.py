"""Secrets whose form gives them away: keys in armour, seed phrases, manifests, URLs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import accumulate

from scrubjay.credential_filter import data
from scrubjay.credential_filter.deciding.shape import is_mask, is_placeholder
from scrubjay.credential_filter.reading.note import Note

# Private keys in PEM and PGP armour, whole or cut off, on lines of their own, quoted, indented or in one string.

_BEGIN = re.compile(r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_LONGEST = 1 << 17
_KEY = re.compile(r"[A-Za-z0-9+/=]{12}")
# A line of a key that has no end, with what may stand around it: quotes, comments, indents, escaped line ends.
_LINE = re.compile(r"(?:[\s>*#/|\"'+,;]|\\[nrt])*+(?:[A-Za-z0-9+/=]{8,}+|[A-Za-z\-]{3,24}: [^\n]{0,200})")


def private_keys(text: str, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Spans of the keys between the armour lines, which stay, given where "PRIVATE KEY" stands, in order.

    A key without its end goes on as long as it looks like one.
    """
    done = 0
    for place in places:
        begin = _BEGIN.search(text, max(done, place - 64), place + 32)
        if place < done or begin is None:
            continue
        done = _stop(text, begin.end())
        if (key := _KEY.search(text, begin.end(), done)) is not None and not is_mask(text[key.start() : done]):
            yield begin.end(), done


def _stop(text: str, start: int) -> int:
    """Where the key ends that starts here: at its last armour line, or before the next key."""
    following = _BEGIN.search(text, start, start + _LONGEST)
    limit = following.start() if following else min(len(text), start + _LONGEST)
    end = text.find("END ", start, limit)
    while end >= 0:
        if (armour := _END.search(text, max(start, end - 8), end + 80)) is not None:
            return armour.start()
        end = text.find("END ", end + 1, limit)
    stop = start
    while (line := _LINE.match(text, stop, limit if following else len(text))) is not None:
        stop = line.end()
    return stop


# Seed phrases of wallets (BIP-39): 12 to 24 words of one list, the last of which carries a checksum.

SIZES = (24, 21, 18, 15, 12)  # how many words a phrase can have, the longest first
_WORD_BITS, _MOST_BITS = 11, 24 * 11
_REACH_BEFORE, _REACH = 256, 1024  # how far from a word such as "wallet" a phrase may stand, in code points
_WORD = re.compile(r"[a-z]+")
_WIDEST_GAP = 12  # between two words: a number, a bullet, a line end
_WORDS_ONLY = bytes(code if chr(code).islower() and code < 128 else 32 for code in range(256))
_RUN = b"\1" * SIZES[-1]


def phrases_near(folded: str, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Spans of the phrases around the places, in order, of a text in lower case; further ones behind those, too."""
    searched = 0
    for place in places:
        start, stop = max(searched, place - _REACH_BEFORE), place + _REACH
        while stop > searched:
            searched = stop
            for phrase in phrases(folded, start, stop):
                yield phrase
                start, stop = phrase[1], phrase[1] + _REACH


def phrases(folded: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, int]]:
    """Spans of the phrases in a part of a text in lower case. Numbers and punctuation between the words do not matter."""
    numbers, stop = _numbers(), len(folded) if stop is None else stop
    words = folded[start:stop].encode("ascii", "replace").translate(_WORDS_ONLY).split()
    if _RUN not in bytes(map(_coded_words().__contains__, words)):
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
    return list(_numbers())[number]


@cache
def _numbers() -> Mapping[str, int]:
    return {word: number for number, word in enumerate(data.read("bip39_english.txt").split())}


@cache
def _coded_words() -> frozenset[bytes]:
    return frozenset(word.encode() for word in _numbers())


# Kubernetes Secret manifests: every value below `data` and `stringData` is a secret.

_KIND = re.compile(r"""kind["']?\s{0,4}:\s{0,4}["']?[Ss]ecret["']?[ \t]*+(?:[,}\r\n]|\Z)""")
_DIVIDER = re.compile(r"^(?:---|```)", re.MULTILINE)
_SECTION = re.compile(
    r"""^(?P<indent>[ \t]*+)["']?(?:data|stringData)["']?[ \t]*+:[ \t]*+\{?[ \t]*+\r?\n""", re.MULTILINE
)
_ENTRY = re.compile(
    r"""(?x) (?P<indent>[ \t]*+) ["']?[\w.\-]++["']? [ \t]*+ : [ \t]*+
    (?: (?P<block>[|>][+-]?) | ["']? (?P<value>[^\n"'\#|>{][^\n"'\#]*+)? ) ["']? [^\n]*+ (?:\n|\Z)"""
)
_COMMENT = re.compile(r"[ \t]*+(?:#[^\n]*+)?\r?\n")
_YAML_LINE = re.compile(r"(?P<indent>[ \t]*+)(?P<rest>[^\n]*+)(?:\n|\Z)")


def values(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the values in every Secret of the text."""
    done = 0
    place = text.find("kind")
    while place >= 0:
        if _KIND.match(text, place) is not None:
            start, done = _document(text, done, place)
            for section in _SECTION.finditer(text, start, done):
                yield from _section(text, section, done)
        place = text.find("kind", max(place + 4, done))


def _document(text: str, floor: int, place: int) -> tuple[int, int]:
    """Where the YAML document, or the code block, begins and ends that this place is in."""
    start = floor
    for divider in _DIVIDER.finditer(text, floor, place):
        start = divider.end()
    end = _DIVIDER.search(text, place)
    return start, end.start() if end else len(text)


def _section(text: str, section: re.Match[str], stop: int) -> Iterator[tuple[int, int]]:
    position, depth = section.end(), len(section["indent"])
    while position < stop:
        if (comment := _COMMENT.match(text, position, stop)) is not None:
            position = comment.end()
            continue
        entry = _ENTRY.match(text, position, stop)
        if entry is None or len(entry["indent"]) <= depth:
            return
        position = entry.end()
        if entry["block"]:
            first, position = position, _block_stop(text, position, stop, len(entry["indent"]))
            block = text[first:position]
            yield first + len(block) - len(block.lstrip()), first + len(block.rstrip())
        elif entry["value"] and not is_placeholder(value := entry["value"].rstrip(" \t\r,")):
            yield entry.start("value"), entry.start("value") + len(value)


def _block_stop(text: str, position: int, stop: int, depth: int) -> int:
    """Where the lines end that are indented further than `depth`, empty ones among them."""
    while position < stop and (line := _YAML_LINE.match(text, position, stop)) is not None:
        if line["rest"].strip() and len(line["indent"]) <= depth:
            break
        position = line.end()
    return position


# Passwords inside URLs: `scheme://user:password@host`.

_LONGEST_ADDRESS = 400  # from the scheme's end to the "@"
_CREDENTIALS = re.compile(r"""://([^\s:/@"'<>`]{0,128}):([^\s/@"'<>`|]{1,256})@(?=[\w\[({$<%])""")
_WORDS = frozenset(
    ["pass", "password", "passwd", "pwd", "pw", "secret", "token", "user", "username", "xxx", "x", "foo", "bar", "test"]
)


def passwords(note: Note) -> Iterator[tuple[int, int]]:
    """Spans of the passwords in URLs; placeholders such as `user:password@` are left out."""
    text, tried = note.text, -1
    at = text.find("@")
    while at >= 0:
        place = text.rfind("://", max(tried + 1, at - _LONGEST_ADDRESS), at)
        if place >= 0:
            tried = place
            found = _CREDENTIALS.match(text, place) if text[max(0, place - 2) : place].isalnum() else None
            if found is not None and _is_password(found[1], found[2]):
                yield found.span(2)
        at = text.find("@", at + 1)


def _is_password(user: str, password: str) -> bool:
    return not (len(password) < 4 or password.lower() in _WORDS or password == user or is_placeholder(password))
