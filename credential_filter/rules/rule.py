"""A rule is data: which plain words make it worth trying, which regex decides, which part is the secret."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import cast

from scrubjay.credential_filter import data

LISTS = frozenset(("needles", "allow", "must_hide", "must_keep"))  # the fields that hold lists of texts


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of credential. The regex is tried on a line only where one of its needles stands.

    id:          kebab-case; shown in place of what the rule hides
    needles:     plain strings, compared as they are
    regex:       "" for what a detector in code finds
    detector:    name of the detector that runs where a needle stands (`scan.DETECTORS`); "" for those that always run
    hides:       name of the regex group that is the secret; "match" for the whole match
    min_entropy: bits a character that the secret must have (Shannon, over its own characters)
    unlike_words: whether the secret must not read like words (`shape.surprise`)
    check:       name of a check digit that must be right (`checks.CHECKS`)
    proof:       name of one that, where it is right, overrules everything that looks like an example (`checks.PROOFS`)
    group:       "" is always on; another name must be asked for with `Rules.with_groups`
    multiline:   whether a match may span lines
    everywhere:  whether the needles are looked for in the whole note; otherwise only around generated strings (16 or
                 more characters, letters and digits mixed) and words such as "password" and "token"
    allow:       regexes; a secret that one of them matches in full is kept
    must_hide:   examples as templates (`templates.expand`), the tests of the rule
    must_keep:   near misses
    """

    id: str
    about: str
    vendor: str
    needles: tuple[str, ...] = ()
    regex: str = ""
    detector: str = ""
    hides: str = "match"
    min_entropy: float = 0.0
    unlike_words: bool = False
    check: str = ""
    proof: str = ""
    group: str = ""
    multiline: bool = False
    everywhere: bool = False
    allow: tuple[str, ...] = ()
    must_hide: tuple[str, ...] = ()
    must_keep: tuple[str, ...] = ()


@cache
def compiled(regex: str) -> re.Pattern[str]:
    """The regex, compiled once a process. Raises re.error."""
    return re.compile(regex)


def rule_of(entry: Mapping[str, object]) -> Rule:
    """The rule of a TOML table whose fields have been checked, or are known to be right."""
    values = {name: tuple(cast(list[str], value)) if name in LISTS else value for name, value in entry.items()}
    return Rule(**values)  # type: ignore[arg-type] - a table's values have no types of their own


@cache
def shipped_rules() -> tuple[Rule, ...]:
    """The rules in the package, in the order of their files' names."""
    folder = resources.files(data.PACKAGE) / "rules" / "shipped"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(rule_of(entry) for file in files for entry in tomllib.loads(file.read_text("utf-8"))["rule"])
