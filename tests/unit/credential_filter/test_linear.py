"""No regex and no text makes the filter's work grow faster than the text: shown by structure and by counting."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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


@pytest.mark.parametrize(
    "regex",
    [
        "(a+)+b",
        "(a|a)*b",
        "(a|ab)*c",
        ".*.*.*x",
        r"(\w+\s?)*$",
        "([a-z]+)*@",
        "a*a*a*a*b",
        "(?:x{0,50}){0,50}y",
        r"(\d+|\w+)+!",
        "(?=(a+)+b)x",
        "(?!(a+)+b)x",
        "(?<=x)(a*)*b",
        "(?>(a+)+b)x",
        "((a+)+b)?+x",
        r"^(([a-z])+.)+[A-Z]([a-z])+$",
        "(?:a?){40}a{40}",
        r"(?i)(?:key|secret)\s*[:=]\s*(\S+\s*)+;",
        "(?:(?:a{1,100}){1,100}){1,100}b",
        r"(a)\1*b",
        r"(?x) (a +) + b  # spaces do not hide it",
    ],
)
def test_a_regex_that_could_take_very_long_is_told(regex: str) -> None:
    assert why_not_linear(regex) is not None


@pytest.mark.parametrize(
    "regex",
    [
        "ghp_[A-Za-z0-9]{36}",
        r"\bkey\s{0,4}[:=]\s{0,4}(?P<secret>[a-z0-9]{32})",
        r"(?i)acme[_-](?:live|test)[_-][a-z0-9]{20,}",
        r"-{5}BEGIN [A-Z ]{1,40}-{5}",
        r"[^\s:]{1,128}:[^\s@]{1,64}@",
        "(?:[0-9a-f]{2}:){15}[0-9a-f]{2}",
        "(?:a+)++b",
    ],
)
def test_an_ordinary_regex_is_not(regex: str) -> None:
    assert why_not_linear(regex) is None


ATOMS = st.sampled_from(["a", "b", "[ab]", "c"])
REPEATS = st.sampled_from(["", "", "?", "*", "+", "{0,3}", "{2}", "{1,2}", "*+", "?+"])


def _grown(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(parts, min_size=1, max_size=3)
    group = several.map("".join) | several.map("|".join)
    return st.builds("(?:{}){}".format, group, REPEATS)


REGEXES = st.recursive(st.builds("{}{}".format, ATOMS, REPEATS), _grown, max_leaves=6)


@settings(deadline=None, max_examples=200)
@given(REGEXES, st.text("abc", max_size=9))
def test_the_bound_holds_when_the_ways_are_counted(regex: str, text: str) -> None:
    bound = most_ways(regex)
    assume(bound < 2000)
    assert paths(regex, text, bound + 1) <= bound


def hostile(rule: Rule) -> Iterator[str]:
    """Texts that are all needles, and examples cut off, run together or repeated without an end."""
    for needle in rule.needles or ("4", "DE"):
        yield from (needle * 300, f"{needle} " * 300, f"{needle}{'a1' * 2000}")
    for template in rule.must_hide:
        example = expand(template)
        yield from (example[: len(example) * 2 // 3] * 30, f"{example}\n" * 20)


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
HOSTILE: dict[str, Callable[[int], str]] = {
    "one letter": lambda size: "a" * size,
    "spaces": lambda size: " " * size,
    "names": lambda size: "password " * (size // 9),
    "names within names": lambda size: "api_key=" * (size // 8),
    "assignments": lambda size: "\n".join(f"secret: value{number}" for number in range(size // 16)),
    "passwords": lambda size: "\n".join(f"password: {LETTERS}{number}" for number in range(size // 32)),
    "tokens in one line": lambda size: " ".join(f"token {LETTERS}{number}" for number in range(size // 32)),
    "users and passwords": lambda size: "".join(
        f"user: u\n{LETTERS * 8}\npassword: p{n}\n" for n in range(size // 190)
    ),
    "random text": lambda size: "".join(LETTERS[number * number % 21] for number in range(size)),
    "at signs": lambda size: "a@" * (size // 2),
    "schemes": lambda size: "x://a:" * (size // 6),
    "keys without an end": lambda size: f"-----BEGIN PRIVATE KEY-----\n{LETTERS * 3}\n" * (size // 92),
    "one key without an end": lambda size: "-----BEGIN PRIVATE KEY-----\n" + f"{LETTERS * 3}\n!\n" * (size // 66),
    "percent signs": lambda size: "%41" * (size // 3),
    "base64": lambda size: "cGFzc3dvcmQ6IGh1bnRlcjI" * (size // 23),
    "tables": lambda size: "| Password | Token |\n| --- | --- |\n" + "| a1b2c3d4e5 | x |\n" * (size // 19),
    "table heads": lambda size: "| Password |\n| --- |\n" * (size // 21),
    "manifests": lambda size: "kind: Secret\ndata:\n  a: x\n" * (size // 27),
    "seed words": lambda size: "seed " + "abandon ability able about above absent " * (size // 40),
    "zero width": lambda size: "a\u200b" * (size // 2),
    "wrapped lines": lambda size: "```\n" + f"{LETTERS * 2}\n" * (size // 43),
    "marks": lambda size: "[REDACTED:named-password] " * (size // 26),
    "allowed lines": lambda size: "password: hunter2 <!-- scrubjay:allow -->\n" * (size // 42),
    "names without blanks": lambda size: "密码是" * (size // 3),
    "openings": lambda size: '(["<{' * (size // 5),
    "names before openings": lambda size: 'password: "' * (size // 11),
    "wide letters": lambda size: "ａ" * size,
    "wide and narrow letters": lambda size: "ａb" * (size // 2),
    "wide names": lambda size: "ｐａｓｓ " * (size // 5),
    "letters with marks": lambda size: "e\u0301" * (size // 2),
    "dotted capitals": lambda size: "İ" * size,
    "one endless line": lambda size: "password " + "x1" * (size // 2),
    "passwords in one line": lambda size: "".join(f"password {LETTERS}{number} " for number in range(size // 34)),
    "lines below names": lambda size: "password:\n" * (size // 10),
    "headers of exports": lambda size: "password,a\n" * (size // 11),
    "an export": lambda size: "name,password\n" + f"a,{LETTERS}\n" * (size // 24),
    "names of codes": lambda size: "PIN: " * (size // 5),
    "lists of codes": lambda size: "backup codes:\n" * (size // 14),
    "codes": lambda size: "backup codes\n" + "12345678\n" * (size // 9),
    "users": lambda size: "user: admin / " * (size // 14),
    "addresses": lambda size: "a@b.c / " * (size // 8),
    "signs": lambda size: "🔑 " * (size // 2),
    "cells": lambda size: "<td>Password</td><td>" * (size // 21),
    "headings of tables": lambda size: "<tr><th>Password</th>" * (size // 21),
    "values before names": lambda size: f"{LETTERS} is the password\n" * (size // 38),
    "words before names": lambda size: "x1y2z3 password " * (size // 16),
    "entities": lambda size: "&#65;" * (size // 5),
    "escapes": lambda size: "\\u0041" * (size // 6),
    "escaped marks": lambda size: "a\\_" * (size // 3),
    "lines of strings": lambda size: "> abcd1234\n" * (size // 11),
    "strings": lambda size: '"abc12345" + ' * (size // 13),
    "phrases": lambda size: "password: heron weir basalt tansy " * (size // 34),
    "names and numbers without blanks": lambda size: "密码1" * (size // 3),
    "generated strings": lambda size: "".join(
        LETTERS[number * number % 21] if number % 17 else " " for number in range(size)
    ),
    "halves of strings": lambda size: f'"{LETTERS[:16]}" + ' * (size // 21),
    "passwords in sentences": lambda size: "".join(
        f"the password is {LETTERS[:8]}{number} and " for number in range(size // 33)
    ),
    "logins in one line": lambda size: "logins: admin/soleil3285, " * (size // 26),
    "logins below a heading": lambda size: "## Passwords\n" + "- admin: soleil3285\n" * (size // 20),
    "headings above logins": lambda size: "## Passwords\n- a1\n" * (size // 18),
    "lists within lists": lambda size: "users:\nlogins:\npasswords:\n- a/b1c2d3e4\n" * (size // 40),
    "users with passwords": lambda size: "root:a1b2c3d4, " * (size // 15),
    "tables of logins": lambda size: "## Logins\n| admin | a1b2c3d4 |\n| - | - |\n" * (size // 42),
    "services and addresses": lambda size: "shop: a@b.c / a1b2c3d4\n" * (size // 23),
    "other scripts": lambda size: "пароль: ключ " * (size // 13),
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


@pytest.mark.parametrize("make", list(HOSTILE.values()), ids=list(HOSTILE))
def test_a_text_twice_as_long_is_twice_the_work(make: Callable[[int], str]) -> None:
    redact("warm up: password, token")
    small, large = calls(make(8_000)), calls(make(16_000))
    assert large <= 2.4 * small + 500
