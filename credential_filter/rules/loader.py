"""Reads rules from TOML. A rule with a fault is refused by name and field; the others go on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from scrubjay.credential_filter.rules.known_formats import spans_in
from scrubjay.credential_filter.rules.linear_regex import why_not_linear
from scrubjay.credential_filter.rules.rule import LISTS, Rule, compiled, rule_of
from scrubjay.credential_filter.rules.ruleset import BUILT_IN, Rules
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.credential_filter.verdict.checksums import CHECKS, PROOFS

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_ID = 64
_TEXT = ("id", "about", "vendor", "regex", "hides", "check", "proof", "group")
_FLAGS = ("unlike_words", "multiline", "everywhere")
_NEEDED = ("id", "about", "needles", "regex", "must_hide", "must_keep")
_KNOWN = frozenset((*_TEXT, *LISTS, *_FLAGS, "min_entropy"))


@dataclass(frozen=True, slots=True)
class RuleError:
    """Why a rule was refused: which one, which field, and what to do about it. It quotes no example."""

    rule: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"rule {self.rule!r}, field {self.field!r}: {self.message}"


class _RefusedError(Exception):
    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def load_rules(toml_text: str, base: Rules = BUILT_IN) -> tuple[Rules, tuple[RuleError, ...]]:
    """`base` with the rules of a user's file, and why some of them were refused.

    A rule must have an id of its own, what it is about, needles, a regex that runs in linear time, and at least one
    template that it hides and one near miss that it keeps (see `templates`); both are tried here. Never raises for
    what is in the file: text that is not TOML gives `base` and one error about the rule "(file)". Needles of a user's
    rule are looked for in the whole note, unless it says `everywhere = false`.
    """
    try:
        tables = tomllib.loads(toml_text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return base, (RuleError("(file)", "toml", f"this is not valid TOML: {error}"),)
    if unknown := sorted(set(tables) - {"rule"}):
        return base, (RuleError("(file)", unknown[0], "write rules as tables below [[rule]]; there is nothing else"),)
    entries = tables.get("rule", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in cast(list[object], entries)):
        return base, (RuleError("(file)", "rule", "write each rule as a table of its own, below [[rule]]"),)
    taken = {rule.id for rule in base.rules}
    added: list[Rule] = []
    errors: list[RuleError] = []
    for number, entry in enumerate(cast(list[dict[str, object]], entries), start=1):
        name = entry.get("id")
        try:
            rule = _user_rule(entry, taken)
        except _RefusedError as refused:
            label = name if isinstance(name, str) and name else f"(number {number})"
            errors.append(RuleError(label, refused.field, str(refused)))
        else:
            taken.add(rule.id)
            added.append(rule)
    return base.with_rules(added), tuple(errors)


def _user_rule(entry: Mapping[str, object], taken: Iterable[str]) -> Rule:
    _check_types(entry)
    rule = rule_of({"vendor": "own", "everywhere": True, **entry})
    if _ID.fullmatch(rule.id) is None or len(rule.id) > _LONGEST_ID:
        raise _RefusedError("id", "use lower case letters, digits and single hyphens, at most 64 characters")
    if rule.id in taken:
        raise _RefusedError("id", "this id is taken; choose another")
    if not rule.needles or not all(rule.needles):
        raise _RefusedError("needles", "give at least one plain string that every such credential contains")
    _check_regexes(rule)
    for field, names in (("check", CHECKS), ("proof", PROOFS)):
        if (name := getattr(rule, field)) and name not in names:
            raise _RefusedError(field, f"there is no check named {name!r}; there are: {', '.join(names)}")
    _check_examples(rule)
    return rule


def _check_types(entry: Mapping[str, object]) -> None:
    unknown = sorted(set(entry) - _KNOWN)
    if unknown:
        raise _RefusedError(unknown[0], f"there is no such field; there are: {', '.join(sorted(_KNOWN))}")
    for field in _NEEDED:
        if not entry.get(field):
            raise _RefusedError(field, "this field is missing or empty")
    for field, value in entry.items():
        kind, good = _expected(field, value)
        if not good:
            raise _RefusedError(field, f"this must be {kind}")


def _expected(field: str, value: object) -> tuple[str, bool]:
    if field in _TEXT:
        return "text", isinstance(value, str)
    if field in _FLAGS:
        return "true or false", isinstance(value, bool)
    if field == "min_entropy":
        return "a number of bits, 0 to 8", isinstance(value, int | float) and not isinstance(
            value, bool
        ) and 0 <= value <= 8
    items = cast(list[object], value) if isinstance(value, list) else None
    return "a list of texts", items is not None and all(isinstance(item, str) for item in items)


def _check_regexes(rule: Rule) -> None:
    for field, regex in (("regex", rule.regex), *(("allow", entry) for entry in rule.allow)):
        try:
            pattern = compiled(regex)
        except (re.error, OverflowError, RecursionError) as error:
            raise _RefusedError(field, f"this regex does not compile: {error}") from None
        if (reason := why_not_linear(regex)) is not None:
            raise _RefusedError(field, f"this regex could take very long on some notes: {reason}")
        if field == "regex" and pattern.fullmatch("") is not None:
            raise _RefusedError(field, "this regex matches the empty text")
        if field == "regex" and rule.hides != "match" and rule.hides not in pattern.groupindex:
            raise _RefusedError("hides", f'the regex has no group named {rule.hides!r}; name one, or say "match"')


def _check_examples(rule: Rule) -> None:
    for number, template in enumerate(rule.must_hide, start=1):
        if not _is_hidden(rule, "must_hide", template):
            raise _RefusedError("must_hide", f"example {number} is not hidden by this rule")
    for number, template in enumerate(rule.must_keep, start=1):
        if _is_hidden(rule, "must_keep", template):
            raise _RefusedError("must_keep", f"near miss {number} is hidden by this rule")


def _is_hidden(rule: Rule, field: str, template: str) -> bool:
    try:
        return bool(spans_in(rule, expand(template)))
    except ValueError as error:
        raise _RefusedError(field, str(error)) from None
