"""Ways of writing that mean the same, as `spellings.toml` and `han.txt` list them: each text is indexed in one of them.

What the tokenizer folds (case, accents of Latin letters) and what Unicode's normal forms join is not listed there.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import chain

import msgspec

_FOLDER = resources.files("scrubjay.profiles.search.words")
_WITH_MARKS = (
    range(0x300, 0x3100),
    range(0xA600, 0xAC00),
    range(0xFB00, 0xFF00),
    range(0x10100, 0x12000),
    range(0x16A00, 0x17000),
    range(0x1BC00, 0x1BD00),
    range(0x1CF00, 0x1EA00),
    range(0xE0100, 0xE01F0),
)
"""Where Unicode has combining marks; asking of every character takes long."""


def _ranges(codes: Sequence[int]) -> str:
    """Code points as in the brackets of a pattern."""
    starts = [code for code, before in zip(codes, (-1, *codes), strict=False) if code != before + 1]
    ends = [code for code, after in zip(codes, (*codes[1:], -1), strict=True) if after != code + 1]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))


MARKS = _ranges([code for code in chain(*_WITH_MARKS) if unicodedata.category(chr(code)).startswith("M")])
"""Combining marks (Unicode's category M), as in the brackets of a pattern: parts of words, which `\\w` leaves out."""
INVISIBLE = "\u00ad\u200b\u200d\u2060\ufeff"
"""Where a word may be broken, or must not be: no part of it."""
DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks of the direction in which a text is read, as in the brackets of a pattern: no part of a word, either."""
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_UNSEEN = re.compile(f"[{INVISIBLE}{DIRECTIONS}]")
_IN_A_WORD = re.compile(
    f"[{INVISIBLE}]|(?<=[{_RIGHT_TO_LEFT}])[{DIRECTIONS}]+(?=[{_RIGHT_TO_LEFT}])"
    f"|(?<=[^\\W{_RIGHT_TO_LEFT}])[{DIRECTIONS}]+(?=[^\\W{_RIGHT_TO_LEFT}])"
)
_BETWEEN_WORDS = re.compile(f"[{DIRECTIONS}]")


def without_unseen(text: str) -> str:
    """A text without what no reader sees. A mark of direction between letters of two directions parts two words."""
    return _BETWEEN_WORDS.sub(" ", _IN_A_WORD.sub("", text)) if _UNSEEN.search(text) else text


class Spelling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one script is written in several ways, see the head of `spellings.toml`."""

    drop: str = ""
    letters: tuple[str, str] = ("", "")
    rules: tuple[tuple[str, str], ...] = ()
    examples: tuple[tuple[str, ...], ...] = ()
    apart: tuple[tuple[str, ...], ...] = ()


def read_spellings() -> dict[str, Spelling]:
    """The spellings of each script, by its name."""
    text = (_FOLDER / "spellings.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Spelling])


def _characters(ranges: str) -> str:
    """The characters that brackets of a pattern stand for."""
    spans = re.findall("(.)-(.)|(.)", ranges)
    return "".join(single or "".join(map(chr, range(ord(first), ord(last) + 1))) for first, last, single in spans)


_SPELLINGS = read_spellings().values()
_LETTERS: dict[int, int | None] = {
    **{code: one for spelling in _SPELLINGS for code, one in str.maketrans(*spelling.letters).items()},
    **{ord(character): None for spelling in _SPELLINGS for character in _characters(spelling.drop)},
}
_ANY_LETTER = re.compile(f"[{''.join(map(chr, _LETTERS))}]")
_RULES = [(re.compile(pattern), instead) for spelling in _SPELLINGS for pattern, instead in spelling.rules]
_HAS_RULES = re.compile("[\u0400-\u0fff]")
"""A letter of a script that may have rules; other texts, the most, are passed over."""


def one_spelling(text: str) -> str:
    """A text, composed, in the one spelling of each of its words."""
    if _ANY_LETTER.search(text):
        text = text.translate(_LETTERS)
    if _HAS_RULES.search(text):
        for pattern, instead in _RULES:
            text = pattern.sub(instead, text)
    return text


_HAN = (_FOLDER / "han.txt").read_bytes()  # with the program: after an update, another version's would stand there


@cache
def _one_of_each() -> dict[int, str]:
    """What Chinese characters and kana are taken for, one for one: half a megabyte, for who has any."""
    table = {code: chr(code - 0x60) for code in range(0x30A1, 0x30F7)}
    for line in _HAN.decode().splitlines():
        if not line.startswith("#"):
            character, variants = line.split("\t")
            table.update(dict.fromkeys(map(ord, variants), character))
    return table


def one_character(run: str) -> str:
    """Chinese characters and kana, composed, as they are indexed: simplified, and hiragana; as long as before."""
    return run.translate(_one_of_each())
