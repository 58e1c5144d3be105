"""A note made ready for scanning, and the strings in it that do not look like words."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from scrubjay.credential_filter.text.unicode import UnusualText, unusual_text

BLOT = "\x1a"  # stands for each character of a mark that was in the text; no evidence reaches across one
_JOINERS = "+/=_-"
_SHORTEST_RUN = 16
_SHORTEST_LETTERS, _LETTERS_A_STEP = 18, 5  # names change their case once a word
# From the first digit of what may be such a run to its end: six more characters before it, or ten behind it.
_FROM_DIGIT = re.compile(rb"0(?:[a0\-]{10}[a0\-]*+|(?<=[a\-]{6}0)[a0\-]*+)")
_LETTERS = b"a" * _SHORTEST_LETTERS
_LONGEST_ADDRESS = 240
_TOKEN = re.compile(r"[A-Za-z0-9+/=_\-]*+")
_DIGIT = re.compile(r"\d")
_HOST = re.compile(r"\w\.[a-z]{2,6}/|[\w.]\\|^/\w+/|www\.")
_OTHER_WORDS = re.compile(r"(?s).*[ \n\"<`]")
_LONGEST_LINE = 4096  # further away a line's ends are not looked for, so that one endless line costs no more than many


def _classes(**chars: str) -> bytes:
    """What turns each byte into the class that it belongs to; a space for one of none."""
    table = bytearray(b" " * 256)
    for sign, members in chars.items():
        for char in members:
            table[ord(char)] = ord(sign)
    return bytes(table)


_CLASSES = _classes(**{"a": string.ascii_letters, "0": string.digits, "-": _JOINERS})
_CASES = _classes(a=string.ascii_lowercase, A=string.ascii_uppercase)


@dataclass(frozen=True, slots=True)
class Note:
    """A text, and what every way of finding secrets in it needs.

    plain:  the text in ASCII, with "?" for what is not in it: one byte a code point
    folded: that in lower case
    flat:   one byte a code point: "a" for an ASCII letter, "0" a digit, "-" one of +/=_-, else a space
    runs:   spans of 16 and more letters, digits and joiners in which a letter and a digit touch, in order; and of 18 and
            more letters without a digit, whose case changes often
    loose:  those of them that are not part of an address or a path
    unusual_text: words of other scripts that announce a secret, and characters that read as others
    """

    text: str
    plain: bytes
    folded: bytes
    flat: bytes
    runs: list[tuple[int, int]]
    loose: list[tuple[int, int]]
    unusual_text: UnusualText

    @classmethod
    def of(cls, text: str) -> Note:
        """The note of this text. Any string will do, lone surrogates too."""
        data = text.encode("ascii", "replace")
        flat = data.translate(_CLASSES)
        runs = _runs(data, flat)
        loose = [run for run in runs if not in_address(text, run[0])]
        return cls(text, data, data.lower(), flat, runs, loose, unusual_text(text))

    def has_digit(self, start: int, stop: int) -> bool:
        """Whether a digit of any script is in the span."""
        if self.flat.find(b"0", start, stop) >= 0:
            return True
        return bool(self.unusual_text.others) and _DIGIT.search(self.text, start, stop) is not None

    def line_start(self, position: int) -> int:
        """Where the line of this position begins, or a point far before it."""
        floor = position - _LONGEST_LINE if position > _LONGEST_LINE else 0
        end = self.text.rfind("\n", floor, position)
        return end + 1 if end >= 0 else floor

    def line_stop(self, position: int, reach: int = _LONGEST_LINE) -> int:
        """Where the line of this position ends, before its line feed, or the point `reach` behind it if that is nearer."""
        stop = self.text.find("\n", position, position + reach)
        return stop if stop >= 0 else min(len(self.text), position + reach)


def encodable(text: str) -> str:
    """The text with "?" for lone surrogates, which UTF-8 cannot hold; as long as the text."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def token_stop(text: str, position: int) -> int:
    """The end of a token that goes on at this position."""
    rest = _TOKEN.match(text, position)
    return rest.end() if rest else position


def in_address(text: str, position: int) -> bool:
    """Whether the position lies in a URL, the target of a Markdown link, or a path."""
    if text.startswith("//", position):
        return True
    if not position or text[position - 1].isspace():
        return False
    before = text[max(0, position - _LONGEST_ADDRESS) : position]
    if "/" not in before and "\\" not in before and "](" not in before and "www." not in before:
        return False
    others = _OTHER_WORDS.match(before)
    word = before[others.end() :] if others else before
    return "://" in word or "](" in word or "./" in word or "~/" in word or _HOST.search(word) is not None


def _runs(plain: bytes, flat: bytes) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for found in _FROM_DIGIT.finditer(flat):
        start, stop = flat.rfind(b" ", 0, found.start()) + 1, found.end()
        if stop - start >= _SHORTEST_RUN and (flat.find(b"a0", start, stop) >= 0 or flat.find(b"0a", start, stop) >= 0):
            spans.append((start, stop))
    letters = list(_letter_runs(plain, flat))
    return sorted({*spans, *letters}) if letters else spans


def _letter_runs(plain: bytes, flat: bytes) -> Iterator[tuple[int, int]]:
    """Runs without digits whose letters change their case more often than names do."""
    letters = flat.find(_LETTERS)
    while letters >= 0:
        stop = flat.find(b" ", letters)
        if stop < 0:
            stop = len(flat)
        start = flat.rfind(b" ", 0, letters) + 1
        steps = plain[start:stop].translate(_CASES).count(b"aA")
        if steps * _LETTERS_A_STEP >= stop - start and flat.find(b"0", start, stop) < 0:
            yield start, stop
        letters = flat.find(_LETTERS, stop)
