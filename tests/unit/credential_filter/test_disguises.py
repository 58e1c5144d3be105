"""What the index would read is what the filter reads: no spelling of a token brings it past the filter."""

import gc
import tracemalloc
import unicodedata
from collections.abc import Callable
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.credential_filter import redact
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.credential_filter.text.unicode import lowered

TOKENS = {
    "github": expand("ghp_{alnum:36}", "disguise"),
    "gitlab": expand("glpat-{base64url:20}", "disguise"),
    "slack": expand("xoxb-{digit:12}-{digit:12}-{alnum:24}", "disguise"),
    "stripe": expand("sk_live_{alnum:24}", "disguise"),
    "google": expand("AIza{base64url:35}", "disguise"),
    "sendgrid": expand("SG.{base64url:22}.{base64url:43}", "disguise"),
    "huggingface": expand("hf_{alpha:34}", "disguise"),
    "airtable": expand("pat{alnum:14}.{hex:64}", "disguise"),
}
HALF = 16


def shifted(token: str, letters: int, digits: int) -> str:
    """The token with its letters and digits taken from another block of Unicode."""
    blocks = {ord(low) + of: chr(letters + n) for n, low in enumerate(ascii_lowercase) for of in (0, -32)}
    return token.translate(blocks | {ord("0") + n: chr(digits + n) for n in range(10)})


def split(mark: str) -> Callable[[str], str]:
    return lambda token: f"{token[:HALF]}{mark}{token[HALF:]}"


SPELLINGS: dict[str, Callable[[str], str]] = {
    "escaped": lambda token: "".join(f"\\{char}" if char in "_-." else char for char in token),
    "full width": lambda token: "".join(chr(ord(char) + 0xFEE0) for char in token),
    "entities": lambda token: "".join(f"&#{ord(char)};" if char in "_-." else char for char in token),
    "hexadecimal entities": lambda token: "".join(f"&#x{ord(char):x};" if char in "_-." else char for char in token),
    "code points": lambda token: "".join(f"\\u{ord(char):04x}" if char in "_-." else char for char in token),
    "bytes": lambda token: "".join(f"\\x{ord(char):02x}" if char in "_-." else char for char in token),
    # zero width space, left-to-right mark, isolate, invisible separator, variation selector, grapheme joiner, Mongolian
    # vowel separator, tag character, soft hyphen
    **{f"U+{ord(mark):04X}": split(mark) for mark in "\u200b\u200e\u2066\u2063\ufe0f\u034f\u180e\U000e0041\u00ad"},
    **{mark: split(mark) for mark in ("<wbr>", "<br>", "**")},
    "quotation": lambda token: f"> {token[:HALF]}\n> {token[HALF:]}",
    "code block": lambda token: f"```\n{token[:HALF]}\n{token[HALF:]}\n```",
    "two strings": lambda token: f'"{token[:HALF]}" + "{token[HALF:]}"',
    "two strings on two lines": lambda token: f'("{token[:HALF]}"\n    "{token[HALF:]}")',
    "underlined": lambda token: f"_{token}_",
    "crossed out": lambda token: f"~~{token}~~",
    "highlighted": lambda token: f"=={token}==",
    "wikilink": lambda token: f"[[Keys|{token}]]",
    "between Chinese": lambda token: f"令牌{token}已过期",
}


def left(text: str, token: str) -> bool:
    """Whether eight characters of the token in a row can still be read in the text, as the index reads it."""
    read = unicodedata.normalize("NFKC", text).lower()
    return (
        any(token[start : start + 8].lower() in read for start in range(HALF + 1, len(token) - 7))
        or token[:HALF].lower() in read
    )


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_a_token_is_hidden_however_it_is_spelt(token: str) -> None:
    found = {name: redact(f"{spell(token)}\n") for name, spell in SPELLINGS.items()}
    assert [name for name, each in found.items() if not each.findings or left(each.text, token)] == []


@pytest.mark.parametrize(("letters", "digits"), [(0x1D5BA, 0x1D7E2), (0x1D41A, 0x1D7CE), (0xFF41, 0xFF10)])
def test_what_the_index_reads_in_letters_of_other_blocks_is_hidden(letters: int, digits: int) -> None:
    token = expand("ghp_{lowdigit:36}", "block")
    found = redact(f"{shifted(token, letters, digits)}\n").text
    assert token not in unicodedata.normalize("NFKC", found).lower()


@settings(deadline=None)
@given(st.text(max_size=200))
def test_lower_case_is_as_long_as_the_text(text: str) -> None:
    assert len(lowered(text)) == len(text)


def test_lower_case_changes_each_character_by_itself() -> None:
    texts = ["İ", "ŞİFRE", "İSTANBUL ß", "ПАРОЛЬ"]
    assert [lowered(text) for text in texts] == ["".join(small.lower()[:1] for small in text) for text in texts]


def test_nothing_of_a_text_that_is_one_long_run_of_look_alikes_is_kept() -> None:
    def read(number: int) -> None:
        redact("Ａ" * 4_000 + "ＢＣ" * number)

    read(0)
    tracemalloc.start()
    try:
        for number in range(1, 5):
            read(number)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 8_000
