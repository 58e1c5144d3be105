"""Examples of credentials without a credential: `ghp_{alnum:36}` becomes one only when it is needed.

Slots: `{kind:length}` with a kind of `_ALPHABETS`, `{uuid}`, `{seed:12}` (a valid seed phrase), `{card}`, `{iban}`.
`base64({…})`, `hex({…})` and `percent({…})` encode what they hold. Anything else stands for itself.
"""

from __future__ import annotations

import base64
import hashlib
import random
import re
import string
from collections.abc import Callable

from scrubjay.credential_filter.finders.seed_phrases import SIZES, is_phrase, word
from scrubjay.credential_filter.verdict.checksums import iban, luhn

_ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "lower": string.ascii_lowercase,
    "upper": string.ascii_uppercase,
    "digit": string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "base32": string.ascii_uppercase + "234567",
    "base58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "base64": string.ascii_letters + string.digits + "+/",
    "base64url": string.ascii_letters + string.digits + "-_",
    "lowdigit": string.ascii_lowercase + string.digits,
    "updigit": string.ascii_uppercase + string.digits,
}
_SLOT = re.compile(r"\{(?P<kind>[A-Za-z0-9]+)(?::(?P<size>[0-9]{1,4}))?\}")
_CODED = re.compile(r"(?P<coding>base64|hex|percent)\(\{(?P<text>(?:[^{}]|\{[A-Za-z0-9]+(?::[0-9]{1,4})?\})*)\}\)")
_CODINGS: dict[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
}


def expand(template: str, seed: str = "") -> str:
    """The template with every slot filled; the same template and seed give the same text in every process.

    Raises ValueError for a seed phrase of a length that there is not.
    """
    return expanded(template, seed)[0]


def expanded(template: str, seed: str = "") -> tuple[str, tuple[str, ...]]:
    """As `expand`, with what stands in the slots, in order: what is drawn and so in no other text. Raises as it does."""
    digest = hashlib.blake2b(f"{seed}\0{template}".encode(), digest_size=8).digest()
    chance = random.Random(int.from_bytes(digest, "big"))  # noqa: S311 - examples, not keys
    filled: list[str] = []

    def fill(slot: re.Match[str]) -> str:
        filled.append(_fill(chance, slot))
        return filled[-1]

    coded = _CODED.sub(lambda part: _CODINGS[part["coding"]](_SLOT.sub(fill, part["text"])), template)
    return _SLOT.sub(fill, coded), tuple(filled)


def _fill(chance: random.Random, slot: re.Match[str]) -> str:
    kind, size = slot["kind"], int(slot["size"] or 0)
    if kind in _ALPHABETS and size:
        return _draw(chance, kind, size)
    return _SPECIAL[kind](chance, size) if kind in _SPECIAL else slot[0]


def _draw(chance: random.Random, kind: str, size: int) -> str:
    return "".join(chance.choices(_ALPHABETS[kind], k=size))


def _uuid(chance: random.Random, _: int) -> str:
    return "-".join(_draw(chance, "hex", size) for size in (8, 4, 4, 4, 12))


def _seed(chance: random.Random, size: int) -> str:
    if size not in SIZES:
        raise ValueError(
            f"there is no seed phrase of {size} words; there are some of {', '.join(map(str, SIZES[::-1]))}"
        )
    numbers = chance.choices(range(2048), k=size)
    while not is_phrase(numbers):
        numbers = [*numbers[:-1], chance.randrange(2048)]
    return " ".join(map(word, numbers))


def _card(chance: random.Random, _: int) -> str:
    body = "4" + _draw(chance, "digit", 14)
    return next(number for digit in range(10) if luhn(number := f"{body}{digit}"))


def _iban(chance: random.Random, _: int) -> str:
    account = _draw(chance, "digit", 18)
    return next(number for check in range(2, 99) if iban(number := f"DE{check:02}{account}"))


_SPECIAL: dict[str, Callable[[random.Random, int], str]] = {
    "uuid": _uuid,
    "seed": _seed,
    "card": _card,
    "iban": _iban,
}
