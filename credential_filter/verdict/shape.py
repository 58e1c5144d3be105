"""How unlike words a string is, and whether it only stands where a secret would be."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import groupby, product
from math import log2

from ahocorasick_rs import AhoCorasick

from scrubjay.credential_filter import data
from scrubjay.credential_filter.text.scanned_note import encodable
from scrubjay.credential_filter.text.unicode import lowered

# How unlike words a string is, in bits: the shape of a secret, whatever its vendor.
#
# A string is priced twice. As words: letter trigrams of ordinary words and identifiers, plus what the changes of case
# and the digits cost. As chance: every character drawn evenly from the smallest alphabet that holds them all. The
# difference is the evidence that somebody generated the string rather than named something with it.

_DIGIT, _OTHER = 26, 27  # symbols; a letter of either case is 0 to 25
_DIGIT_BITS = log2(10)
_OTHER_BITS = 2.5  # which of the few joiners that identifiers use
_DIGIT_GROUP_BITS = 4.0  # names have one group of digits; each further one is odd
_CHANCE_OTHER_BITS = 6.0
_CHANCE_START_BITS = 4.0  # which alphabet it is
_FOREIGN_BITS = -4.0  # a letter of another script speaks for words

# What a step from one class of character to the next costs inside words: a lower, A upper, 0 digit, - anything else.
_STEP_BITS = ((b"aA", 4.0), (b"AAa", 4.0), (b"0a", 1.2), (b"0A", 1.5), (b"-A", 1.5), (b"-a", 0.6))
_STEP_BITS_OF_SMALL = tuple((step, cost) for step, cost in _STEP_BITS if b"A" not in step)

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_UUID_SIZE = 36
_WORDS_BEFORE = re.compile(r"(?:[A-Za-z/_\-:]{0,96}[_\-/:])?")
_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)")
_HEX_BYTES = re.compile(_HEX.pattern.encode())
# What a character drawn from an alphabet costs: whether it has small letters, capitals, digits.
_ALPHABET_BITS = {
    (lower, upper, digits): log2(max(10, 26 * lower + 26 * upper + 10 * digits))
    for lower, upper, digits in product((False, True), repeat=3)
}


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
_WITHOUT_LETTERS = _table(ord(" "), {"0": ord("0")})  # of classes


@cache
def _trigram_bits() -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Cost in bits of the third symbol after the first two: `[first][second][third]`."""
    text = data.read("letters.txt").replace("\n", "")
    bits = [(ord(char) - 48) / 4 for char in text]
    rows = [tuple(bits[row : row + 28]) for row in range(0, len(bits), 28)]
    return tuple(tuple(rows[first : first + 28]) for first in range(0, len(rows), 28))


def has_uuid(value: str) -> bool:
    """Whether the value is a UUID in its usual notation, perhaps behind words and a joiner."""
    words, uuid = value[:-_UUID_SIZE], value[-_UUID_SIZE:]
    return _UUID.fullmatch(uuid) is not None and _WORDS_BEFORE.fullmatch(words) is not None


def is_hex(value: str) -> bool:
    """Whether the whole value is hexadecimal digits of one case."""
    return _HEX.fullmatch(value) is not None


@lru_cache(maxsize=16_384)  # as many values as a note names that is nothing but names
def surprise(value: str) -> float:
    """Bits of evidence that `value` was generated: above about 20 it is no word, below 0 it reads like words."""
    plain = value.encode("ascii", "ignore")
    classes = plain.translate(_CLASSES)
    digits = classes.count(b"0")
    return (
        _word_bits(plain, classes, digits)
        - _chance_bits(plain, classes, digits)
        + (len(value) - len(plain)) * _FOREIGN_BITS
    )


def _word_bits(plain: bytes, classes: bytes, digits: int) -> float:
    symbols = b"\x1b\x1b" + plain.translate(_SYMBOLS)
    table = _trigram_bits()
    bits = sum([table[a][b][c] for a, b, c in zip(symbols, symbols[1:], symbols[2:], strict=False)])
    begun = b"-" + classes
    steps = _STEP_BITS if b"A" in classes else _STEP_BITS_OF_SMALL
    bits += sum([begun.count(step) * cost for step, cost in steps])
    if digits:
        groups = len(classes.translate(_WITHOUT_LETTERS, b"-").split())
        bits += (groups - 1) * _DIGIT_GROUP_BITS
    return bits + digits * _DIGIT_BITS + classes.count(b"-") * _OTHER_BITS


def _chance_bits(plain: bytes, classes: bytes, digits: int) -> float:
    lower, upper = classes.count(b"a"), classes.count(b"A")
    known = lower + upper + digits
    bits = (
        4.0 if digits and _HEX_BYTES.fullmatch(plain) is not None else _ALPHABET_BITS[lower > 0, upper > 0, digits > 0]
    )
    return _CHANCE_START_BITS + known * bits + (len(plain) - known) * _CHANCE_OTHER_BITS


# Values that stand where a secret would: templates, masks, look-ups and code. They are kept.

# Words that say so, and marks of templates, anywhere in a value in lower case.
_STANDS_IN = AhoCorasick((
    "redacted", "removed", "masked", "example", "placeholder", "dummy", "sample", "lorem", "foobar", "foo_bar", "foo-bar",
    *(f"change{joiner}{what}" for joiner in ("", "_", "-") for what in ("me", "this", "it")),
    "insert_", "insert-", "enter_", "enter-", "to_do", "to-do",
    *(f"fill{joiner}{what}" for joiner in ("", "_", "-", " ") for what in ("me", "in")),
    *(f"replace{joiner}{what}" for joiner in ("", "_", "-", " ") for what in ("me", "this", "with")),
    "goes_here", "goes-here", "goes here", "secrethere", "tokenhere", "keyhere",
    "xxxxx", "####", "****", "••", "...", "…",
    "${", "$(", "{{", "}}", "<%=", "#{", "[a-z", "\\d", "\\w", "\\s",
))  # fmt: skip
_YOURS = re.compile(r"(?i)(?:^|[_\-.\s<\[{/])(?:your|my)[_\-.\s]")
_HERE = re.compile(r"(?:(?i:[_\-.\s]here)\W{0,96}|[A-Z]HERE)$")
# Values that are nothing else: the kind of thing, the type of thing, the user that every manual has.
_TRIVIAL = re.compile(
    r"""(?xi)
      (?:[a-z]{1,16}[_\-]){0,3} (?:my|your|the|a|some|test|new|old|db|user|root|admin|super|default)?
      (?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|api[_\-]?key|key|creds?) [_\-]?(?:\d{0,2}|123)(?::[a-z]+)?
    | test[_\-]?\d{0,4} | root | admin | user | guest | postgres | mysql | default
    | string | text | varchar | value | none | null | nil | true | false | undefined | empty | blank | unknown | n/a
    | required | optional | hidden | secure | strong
    """
)
# Variables, templates and patterns: how they start.
_TEMPLATE = re.compile(
    r"""(?xi)
      \\?\$+\w+(?:-(?:>.*)?)?$ | \\?\$env: | \\?\$_[A-Z]+ | %\w+%?$ | @[\w.:\-]*@?$ | [#.][a-z]+(?:-[a-z]+)*$ | !\w+(?:\s|$)
    | <[^<>]*>?$ | \[[^\[\]]*\]?$ | \[\[[^\[\]]*\]\]$ | \{[^{}]*\}?$ | \( | \\?$ | [&*]\w+$ | -{1,2}\w+$ | \^ | -----BEGIN | [a-z_]+:[\d,]+$
    """
)
_GUID = re.compile(r"\{[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}")
_FORMAT = re.compile(r"%\(\w+\)[sd]|(?<!\w)%[sdv](?!\w)", re.IGNORECASE)
# Where the secret is to be found: addresses, paths, calls, fields of objects.
_LOOK_UP = re.compile(
    r"""(?xi)
      (?:https?|file|op|env|vault|ref\+\w+|arn|ssh|git|s3|gs|urn|data|aws|gcp|az|keyring|pass):
    | (?:~|\.{1,2}|[A-Z]:)[/\\][\w.~-] | (?:/[a-z][\w.@\-]{0,48}){2,}$
    | [\w.$>-]+(?:\(|\[["'\w]) | ENV\[ | secrets?\.
    | (?:self|this|config|settings|args?|opts?|options|params?|props|ctx|context|req|request|res|response|data|env|os
        |user|app|vars?|local|module|import|client|state)\.
    """
)
_FIELD = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\(?")
_FIELD_MOST_BITS = 12.0  # names of fields read like words
_LOOK_UP_WORDS = ("process.env", "environ", "getenv")
_CUT_SHORT = re.compile(r"[-_.:!]?(?:[#*•]{3}|[xX]{4}|\.{3}|…)")
_CONSTANT = re.compile(r"[A-Z]+(?:_[A-Z]+)+")
_SHORTEST_RUN = 4
_FEW_KINDS = 4  # of characters in lower case, where there may be three: one is two in lower case
_BY_CHANCE = 5  # letters of a word that a drawn string may hold
_RANDOM_BITS = 24.0  # a string with so many is no template, however it begins
_DRAWN_BITS = 100.0
_ENOUGH_CHARS = 96


def is_placeholder(value: str) -> bool:
    """Whether `value` only holds a secret's place: `<token>`, `${KEY}`, `xxxx`, `YOUR_KEY`, `os.getenv("KEY")`."""
    return (
        is_example(value)
        or _LOOK_UP.match(value) is not None
        or _CONSTANT.fullmatch(value) is not None
        or (_FIELD.fullmatch(value) is not None and surprise(value) <= _FIELD_MOST_BITS)
        or any(map(value.lower().__contains__, _LOOK_UP_WORDS))
    )


def contains_example_word(value: str) -> bool:
    """Whether a word such as EXAMPLE, or a mark of a template, is anywhere in the value.

    One so short that chance makes it says nothing in a string that is random without it.
    """
    found = _STANDS_IN.find_matches_as_indexes(encodable(lowered(value)))
    return any(
        stop - start > _BY_CHANCE
        or not value[start:stop].isalpha()
        or surprise((value[:start] + value[stop:])[:_ENOUGH_CHARS]) < _RANDOM_BITS
        for _, start, stop in found
    )


def is_example(value: str) -> bool:
    """Whether a string in a vendor's own format says that it is none: a mask, a template, words such as EXAMPLE."""
    folded = value.lower()
    return (
        is_mask(value)
        or _TRIVIAL.fullmatch(value) is not None
        or _GUID.fullmatch(value) is not None
        or (_TEMPLATE.match(value) is not None and surprise(value[:_ENOUGH_CHARS]) < _RANDOM_BITS)
        or contains_example_word(value)
        or ("%" in value and _FORMAT.search(value) is not None)
        or ("here" in folded and _HERE.search(value) is not None)
        or (("your" in folded or "my" in folded) and _YOURS.search(value) is not None and not _is_drawn(value))
    )


def _is_drawn(value: str) -> bool:
    """Whether it is so long and random that chance makes a short word between two marks."""
    return surprise(value[:_ENOUGH_CHARS]) >= _DRAWN_BITS


def is_cut_short(text: str, stop: int) -> bool:
    """Whether a mask takes the place of what should follow here, as in `xoxp-5723-####`."""
    return _CUT_SHORT.match(text, stop) is not None


def is_mask(value: str) -> bool:
    """Whether `value` is mostly one character, or a handful of them: `****`, `XXXX-XXXX`, `00000000`."""
    folded = value.lower()
    kinds = set(folded)
    if len(value) > 3 and (len(kinds) <= 2 or (len(kinds) <= _FEW_KINDS and len(set(value)) <= 3)):
        return True
    if len(kinds) > len(value) / 2:
        return False
    most = max(map(folded.count, kinds))
    return most > len(value) / 2 or (most > _SHORTEST_RUN and _without_runs(folded) < len(value) / 2)


def _without_runs(folded: str) -> int:
    """How many characters are left without the runs of one and the same."""
    runs = (sum(1 for _ in same) for _, same in groupby(folded))
    return sum(size for size in runs if size <= _SHORTEST_RUN)


# Words that tell a remark from a password: what people note about a password, and what sentences consist of.

_FEWEST, _MOST = 3, 12  # words of a passphrase; three only with a number
_WORD = re.compile(r"[^\W\d_]{3,12}")
_PIECE = re.compile(r"[^\W\d_]{3,12}|\d{1,6}|[^\W\d_]{3,12}\d{1,4}")
# How participles end, of which remarks consist in many languages: expired, geändert, changé, olvidada, cambiato; and begin.
_PARTICIPLES = (
    "ed", "iert", "é", "ée", "és", "ées", "ado", "ada", "ido", "ida", "ato", "ata", "ito", "ita", "uto", "uta", "ané", "ené",
    "ane", "ene", "ano", "ено", "ан", "ен",
)  # fmt: skip
_GERMAN_BEGINNINGS = ("ge", "ver", "be", "ent", "er", "zer", "ab", "an", "auf", "aus", "ein", "zurück")
_SHORTEST_PARTICIPLE = 6


@cache
def remarks() -> frozenset[str]:
    """What stands behind "password:" and is none."""
    return _words("remarks.txt")


@cache
def function_words() -> frozenset[str]:
    """Articles, prepositions, pronouns and the like, of some twenty languages."""
    return _words("function_words.txt")


def is_remark(word: str) -> bool:
    """Whether a single word says how it stands with a password rather than what it is."""
    folded = word.lower().strip(".,;:!?()[]\"'*_")
    if folded in remarks() or folded in function_words():
        return True
    if len(folded) < _SHORTEST_PARTICIPLE or not folded.isalpha() or surprise(folded) >= 0:
        return False
    return folded.endswith(_PARTICIPLES) or (folded.endswith(("t", "en")) and folded.startswith(_GERMAN_BEGINNINGS))


def is_passphrase(text: str) -> bool:
    """Whether words follow one another as they are drawn from a list, three to twelve: no sentence, no enumeration."""
    if not _FEWEST <= text.count(" ") < _MOST:
        return False
    pieces = text.rstrip(".").split(" ")
    if not all(map(_PIECE.fullmatch, pieces)):
        return False
    words = [piece for piece in pieces if _WORD.fullmatch(piece)]
    if (
        len(words) < _FEWEST
        or not all(word.islower() for word in words[1:])
        or any(word.lower() in function_words() for word in words)
    ):
        return False
    return not any(word.lower() in remarks() for word in words)


_MOST_REMARKS, _LEAST_WITH_REMARK = 1, 4
_NUMBER, _ANY_WORD = re.compile(r"\d{2,6}"), re.compile(r"[^\W\d_]{3,14}")
_COUNTED_THINGS = (
    "char",
    "zeichen",
    "letter",
    "digit",
    "symbol",
    "day",
    "tag",
    "minute",
    "hour",
    "caract",
    "carat",
    "znak",
    "tecken",
    "teken",
    "symbol",
)


def is_words(pieces: Sequence[str]) -> bool:
    """Whether words behind a label for passwords are one: at least four that no sentence has, or two with a number."""
    words = [piece.lower() for piece in pieces if not _NUMBER.fullmatch(piece)]
    numbers = len(pieces) - len(words)
    if not _FEWEST <= len(pieces) <= _MOST or numbers > 1 or not all(map(_ANY_WORD.fullmatch, words)):
        return False
    if any(word in function_words() or word.startswith(_COUNTED_THINGS) for word in words):
        return False
    remarked = sum(word in remarks() for word in words)
    if numbers:
        return not remarked and not any(map(is_remark, words))
    return (
        len(words) >= _LEAST_WITH_REMARK and remarked <= _MOST_REMARKS and all(piece.islower() for piece in pieces[1:])
    )


def _words(name: str) -> frozenset[str]:
    lines = (line for line in data.read(name).splitlines() if not line.startswith("#"))
    return frozenset(word.replace("_", " ") for line in lines for word in line.split())
