"""No regex and no text makes the filter's work grow faster than the text: shown by structure and by counting."""

# ruff: noqa: E501 - tables of texts

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import cast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import scrubjay.credential_filter
from scrubjay.credential_filter import redact
from scrubjay.credential_filter.rules import known_formats
from scrubjay.credential_filter.rules.linear_regex import most_ways, why_not_linear
from scrubjay.credential_filter.rules.rule import Rule, shipped_rules
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.credential_filter.text.scanned_note import Note
from tests.unit.credential_filter.backtracking import paths

WITH_REGEX = [rule for rule in shipped_rules() if rule.regex]


def regexes_in_code() -> Iterator[tuple[str, str | bytes]]:
    """With where each stands."""
    for module in pkgutil.walk_packages(scrubjay.credential_filter.__path__, f"{scrubjay.credential_filter.__name__}."):
        for name, value in vars(importlib.import_module(module.name)).items():
            for part, pattern in enumerate(patterns(value)):
                yield f"{module.name.rpartition('.')[2]}.{name}.{part}", pattern


def patterns(value: object) -> list[str | bytes]:
    """The regexes in a module's constant: itself, or what a tuple or a table holds."""
    if isinstance(value, re.Pattern):
        return [cast("re.Pattern[str] | re.Pattern[bytes]", value).pattern]
    if isinstance(value, dict):
        return patterns(tuple(cast("dict[object, object]", value).values()))
    if isinstance(value, tuple):
        return [pattern for part in cast("tuple[object, ...]", value) for pattern in patterns(part)]
    return []


def not_linear(regexes: Iterable[tuple[str, str | bytes]]) -> list[tuple[str, str]]:
    """Which could take very long, and why."""
    read = ((where, regex if isinstance(regex, str) else regex.decode("ascii")) for where, regex in regexes)
    return [(where, why) for where, regex in read if (why := why_not_linear(regex)) is not None]


def test_every_rule_is_linear_by_its_structure() -> None:
    assert len(WITH_REGEX) > 300
    assert not_linear((rule.id, regex) for rule in WITH_REGEX for regex in (rule.regex, *rule.allow)) == []


def test_every_regex_in_the_engine_is_linear_by_its_structure() -> None:
    found = list(regexes_in_code())
    assert len(found) > 200
    assert not_linear(found) == []


SLOW = (
    "(a+)+b", "(a|a)*b", "(a|ab)*c", ".*.*.*x", r"(\w+\s?)*$", "([a-z]+)*@", "a*a*a*a*b", "(?:x{0,50}){0,50}y", r"(\d+|\w+)+!", "(?=(a+)+b)x",
    "(?!(a+)+b)x", "(?<=x)(a*)*b", "(?>(a+)+b)x", "((a+)+b)?+x", r"^(([a-z])+.)+[A-Z]([a-z])+$", "(?:a?){40}a{40}",
    r"(?i)(?:key|secret)\s*[:=]\s*(\S+\s*)+;", "(?:(?:a{1,100}){1,100}){1,100}b", r"(a)\1*b", r"(?x) (a +) + b  # spaces do not hide it",
)  # fmt: skip
LINEAR = (
    "ghp_[A-Za-z0-9]{36}", r"\bkey\s{0,4}[:=]\s{0,4}(?P<secret>[a-z0-9]{32})", r"(?i)acme[_-](?:live|test)[_-][a-z0-9]{20,}",
    r"-{5}BEGIN [A-Z ]{1,40}-{5}", r"[^\s:]{1,128}:[^\s@]{1,64}@", "(?:[0-9a-f]{2}:){15}[0-9a-f]{2}", "(?:a+)++b",
)  # fmt: skip


def test_a_regex_that_could_take_very_long_is_told_from_an_ordinary_one() -> None:
    assert [regex for regex in (*SLOW, *LINEAR) if why_not_linear(regex)] == list(SLOW)


ATOMS = st.sampled_from(["a", "b", "[ab]", "c"])
REPEATS = st.sampled_from(["", "", "?", "*", "+", "{0,3}", "{2}", "{1,2}", "*+", "?+"])


def _grown(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(parts, min_size=1, max_size=3)
    group = several.map("".join) | several.map("|".join)
    return st.builds("(?:{}){}".format, group, REPEATS)


REGEXES = st.recursive(st.builds("{}{}".format, ATOMS, REPEATS), _grown, max_leaves=6)


@settings(deadline=None, max_examples=100)
@given(REGEXES, st.text("abc", max_size=9))
def test_the_bound_holds_when_the_ways_are_counted(regex: str, text: str) -> None:
    bound = most_ways(regex)
    assume(bound < 2000)
    assert paths(regex, text, bound + 1) <= bound


def hostile(rule: Rule) -> Iterator[str]:
    """Texts that are all needles, and examples cut off, run together or repeated without an end."""
    for needle in rule.needles or ("4", "DE"):
        yield from (needle * 100, f"{needle} " * 100, f"{needle}{'a1' * 500}")
    for template in rule.must_hide:
        example = expand(template)
        yield from (example[: len(example) * 2 // 3] * 10, f"{example}\n" * 5)


@dataclass
class Recorded:
    """Stands for a compiled regex that finds nothing; counts how often each part of the text is given to it."""

    read: list[int]

    def instead(self, _regex: str) -> Recorded:
        return self

    def finditer(self, text: str, start: int, stop: int) -> Iterator[re.Match[str]]:
        for place in range(start, stop):
            self.read[place] += 1
        return iter(())


def reads_twice(rule: Rule, text: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    recorded = Recorded([0] * len(text))
    monkeypatch.setattr(known_formats, "compiled", recorded.instead)
    places = sorted({hit.start() for needle in rule.needles for hit in re.finditer(re.escape(needle), text)})
    assert list(known_formats.known(Note.of(text), rule, places)) == []
    return max(recorded.read) > 1


def test_a_rule_reads_no_part_of_a_text_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = {rule.id for rule in WITH_REGEX for text in hostile(rule) if reads_twice(rule, text, monkeypatch)}
    assert twice == set()


LETTERS = "kq7Zx9Wm2Tb8Rv4Yd6Hn3"
NUMBERED = "\0"
"""Stands for a number that is another each time."""
REPEATED = {
    "one letter": "a", "spaces": " ", "names": "password ", "names within names": "api_key=", "assignments": f"secret: value{NUMBERED}\n",
    "passwords": f"password: {LETTERS}{NUMBERED}\n", "tokens in one line": f"token {LETTERS}{NUMBERED} ", "at signs": "a@", "schemes": "x://a:",
    "users and passwords": f"user: u\n{LETTERS * 8}\npassword: p{NUMBERED}\n", "keys without an end": f"-----BEGIN PRIVATE KEY-----\n{LETTERS * 3}\n",
    "percent signs": "%41", "base64": "cGFzc3dvcmQ6IGh1bnRlcjI", "table heads": "| Password |\n| --- |\n", "manifests": "kind: Secret\ndata:\n  a: x\n",
    "zero width": "a\u200b", "marks": "[REDACTED:named-password] ", "allowed lines": "password: hunter2 <!-- scrubjay:allow -->\n",
    "names without blanks": "密码是", "openings": '(["<{', "names before openings": 'password: "', "wide letters": "ａ", "wide and narrow letters": "ａb",
    "wide names": "ｐａｓｓ ", "letters with marks": "e\u0301", "dotted capitals": "İ", "passwords in one line": f"password {LETTERS}{NUMBERED} ",
    "lines below names": "password:\n", "headers of exports": "password,a\n", "names of codes": "PIN: ", "lists of codes": "backup codes:\n",
    "users": "user: admin / ", "addresses": "a@b.c / ", "signs": "🔑 ", "cells": "<td>Password</td><td>", "headings of tables": "<tr><th>Password</th>",
    "values before names": f"{LETTERS} is the password\n", "words before names": "x1y2z3 password ", "entities": "&#65;", "escapes": "\\u0041",
    "escaped marks": "a\\_", "lines of strings": "> abcd1234\n", "strings": '"abc12345" + ', "phrases": "password: heron weir basalt tansy ",
    "names and numbers without blanks": "密码1", "halves of strings": f'"{LETTERS[:16]}" + ',
    "passwords in sentences": f"the password is {LETTERS[:8]}{NUMBERED} and ", "logins in one line": "logins: admin/soleil3285, ",
    "headings above logins": "## Passwords\n- a1\n", "lists within lists": "users:\nlogins:\npasswords:\n- a/b1c2d3e4\n",
    "users with passwords": "root:a1b2c3d4, ", "tables of logins": "## Logins\n| admin | a1b2c3d4 |\n| - | - |\n",
    "services and addresses": "shop: a@b.c / a1b2c3d4\n", "other scripts": "пароль: ключ ",
}  # fmt: skip
BELOW_ONE = {
    "one key without an end": ("-----BEGIN PRIVATE KEY-----\n", f"{LETTERS * 3}\n!\n"), "seed words": ("seed ", "abandon ability able about above absent "),
    "tables": ("| Password | Token |\n| --- | --- |\n", "| a1b2c3d4e5 | x |\n"), "wrapped lines": ("```\n", f"{LETTERS * 2}\n"),
    "one endless line": ("password ", "x1"), "an export": ("name,password\n", f"a,{LETTERS}\n"), "codes": ("backup codes\n", "12345678\n"),
    "logins below a heading": ("## Passwords\n", "- admin: soleil3285\n"),
}  # fmt: skip


def repeated(head: str, part: str, size: int) -> str:
    """A head, and a part as often as there is room for it."""
    times = size // (len(part) + 3 * part.count(NUMBERED))
    return head + (
        part * times if NUMBERED not in part else "".join(part.replace(NUMBERED, str(n)) for n in range(times))
    )


HOSTILE: dict[str, Callable[[int], str]] = {
    **{name: partial(repeated, "", part) for name, part in REPEATED.items()},
    **{name: partial(repeated, *parts) for name, parts in BELOW_ONE.items()},
    "random text": lambda size: "".join(LETTERS[number * number % 21] for number in range(size)),
    "generated strings": lambda size: "".join(LETTERS[n * n % 21] if n % 17 else " " for n in range(size)),
}


def calls(text: str) -> int:
    """How many functions run, in Python and C, while a text is redacted."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        redact(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("size", [3_000, pytest.param(16_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_text_twice_as_long_is_twice_the_work(kind: str, size: int) -> None:
    redact("warm up: password, token")
    small, large = (calls(HOSTILE[kind](each)) for each in (size, 2 * size))  # the small one fills the caches
    assert large <= 2.4 * small + 500
