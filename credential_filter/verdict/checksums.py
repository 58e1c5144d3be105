"""What a rule may want of a secret beyond its form: check digits, or that it looks like a password.

A rule's `check` must hold; its `proof`, where it holds, overrules all that looks like an example.
"""

from __future__ import annotations

import string
import zlib
from collections.abc import Callable, Mapping

from scrubjay.credential_filter.verdict.passwords import is_password

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_CARD_STARTS = ("4", "51", "52", "53", "54", "55", "2", "34", "37", "36", "38", "30", "6", "35")
_IBAN_LENGTHS = {
    "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18,
    "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "SE": 24, "SI": 19, "SK": 24,
    "SM": 27, "AE": 23, "AL": 28, "AZ": 28, "BA": 20, "BH": 22, "BR": 29, "BY": 28, "CR": 22, "DO": 28, "EG": 29,
    "FO": 18, "GE": 22, "GI": 23, "GL": 18, "GT": 28, "IL": 23, "IQ": 23, "JO": 30, "KW": 30, "KZ": 20, "LB": 28,
    "LC": 32, "LY": 25, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MU": 30, "PK": 24, "PS": 29, "QA": 29, "RS": 22,
    "SA": 24, "SC": 31, "SD": 18, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24,
    "XK": 20,
}  # fmt: skip


def luhn(value: str) -> bool:
    """Whether `value` is a payment card number: a known first digit, 13 to 19 digits, and the Luhn sum is right."""
    digits = [int(char) for char in value if char.isdigit()]
    if not 13 <= len(digits) <= 19 or not "".join(map(str, digits)).startswith(_CARD_STARTS) or len(set(digits)) < 3:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def iban(value: str) -> bool:
    """Whether `value` is an IBAN: its country's length, and 1 modulo 97 (ISO 13616)."""
    plain = value.replace(" ", "").upper()
    if _IBAN_LENGTHS.get(plain[:2]) != len(plain):
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def base62_crc(value: str) -> bool:
    """Whether a token ends in the CRC-32 of its body, as GitHub's and npm's do: prefix, 30 characters, 6 of checksum."""
    body = value[value.rfind("_") + 1 :]
    if len(body) != 36:
        return False
    number, digits = zlib.crc32(body[:30].encode()), ""
    while number:
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits.rjust(6, "0") == body[30:]


CHECKS: Mapping[str, Callable[[str], bool]] = {"luhn": luhn, "iban": iban, "password": is_password}
PROOFS: Mapping[str, Callable[[str], bool]] = {"base62-crc": base62_crc, "iban": iban, "password": is_password}
