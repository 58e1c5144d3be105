"""Tokens drawn from each rule's own examples are hidden in whatever surrounding they stand: all of them, not most."""

# ruff: noqa: E501 - tables of surroundings
import base64
import re
from collections.abc import Iterator
from itertools import product

import pytest

from scrubjay.credential_filter import BUILT_IN, redact
from scrubjay.credential_filter.rules.rule import Rule, shipped_rules
from scrubjay.credential_filter.rules.templates import expand

SURROUNDINGS = (
    "{}", "- {}", "It is {} for now.", "`{}`", '"{}"', "({})", "> {}", "| prod | {} | x |", "**{}**", "_{}_", "令牌{}已过期", "<!-- {} -->",
)  # fmt: skip
GROUPS = BUILT_IN.with_groups({rule.group for rule in shipped_rules() if rule.group})
A_NOTE = 40  # tokens; more of them in one note say nothing more, and it is read faster than as many notes


def tokens(rule: Rule) -> list[str]:
    """The rule's examples that are one token, not a line of code or a sentence around it."""
    return [
        template
        for template in rule.must_hide
        if expand(template, "seed") != template and re.fullmatch(r"[^\s\"'(){}]*\{.*", template) and " " not in template
    ]


RULES = [rule for rule in shipped_rules() if rule.regex and not rule.group and tokens(rule)]


def notes(rule: Rule, count: int) -> Iterator[tuple[list[str], str]]:
    """Notes with different tokens of the rule, one a paragraph, in all surroundings by turns; and those tokens."""
    drawn = [expand(template, f"{seed}") for template in tokens(rule) for seed in range(count)]
    for start in range(0, len(drawn), A_NOTE):
        part = drawn[start : start + A_NOTE]
        lines = [SURROUNDINGS[(start + number) % len(SURROUNDINGS)].format(token) for number, token in enumerate(part)]
        yield part, "\n\n".join(lines)


def leaked(rule: Rule, count: int) -> list[str]:
    read = ((part, redact(note, GROUPS).text) for part, note in notes(rule, count))
    return [token for part, found in read for token in part if token in found]


def test_most_rules_are_tried() -> None:
    assert len(RULES) > 250


def test_a_few_tokens_of_each_rule_are_hidden_in_every_surrounding() -> None:
    found = {rule.id: leaked(rule, len(SURROUNDINGS)) for rule in RULES}
    assert {rule: tokens for rule, tokens in found.items() if tokens} == {}


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_hundreds_of_tokens_of_each_rule_are_hidden(rule: Rule) -> None:
    assert leaked(rule, 500) == []


@pytest.mark.parametrize("inside", ["k__7", "k-_7", "_k_7_" * 9, "k7__"])
def test_underscores_inside_a_token_do_not_end_the_emphasis_around_it(inside: str) -> None:
    token = "BQ" + "D" + "q7Zx9Wm2Tb8Rv4Yd" * 7 + inside
    assert token.rstrip("_") not in redact(f"It is _{token}_ for now.").text


def test_a_token_without_digits_is_hidden_by_its_form() -> None:
    token = "6313349480:" + "AAYwFk_OIYbKhreiw_JLoDfxWmfwjISgjFD"
    assert token not in redact(f"`{token}`").text


def of_base64(data: str) -> str:
    return base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")


@pytest.mark.parametrize("payload", ['{"sub":"anna"}', ' {"sub": "anna"}'])
def test_a_web_token_is_hidden_however_its_header_is_set(payload: str) -> None:
    headers = (
        '{"alg":"HS256"}', ' {"alg":"HS256"}', '{\n  "alg": "RS256"\n}', '{\r\n "typ":"JWT", "alg":"RS256"}', '{\t"alg":"HS256"}',
        '\n{"typ":"JWT","alg":"ES256"}', '{ "kid":"1", "alg":"none"}',
    )  # fmt: skip
    surroundings = (*SURROUNDINGS, "x={}", "https://heron.example/?access_token={}&b=1")
    for header, surrounding in product(headers, surroundings):
        parts = [of_base64(header), of_base64(payload), expand("{base64url:42}a", "seed")]
        said = redact(surrounding.format(".".join(parts))).text
        assert [part for part in parts if part in said] == [], (header, surrounding)


def test_what_has_a_web_tokens_form_and_no_algorithm_stays() -> None:
    line = f"{of_base64('the quick brown fox, 2024')}.readme_of_the_project.md"
    assert redact(line).text == line
