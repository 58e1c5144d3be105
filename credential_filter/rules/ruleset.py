"""A set of rules with what its user allows and has switched on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from scrubjay.credential_filter import data
from scrubjay.credential_filter.rules.linear_regex import why_not_linear
from scrubjay.credential_filter.rules.rule import Rule, shipped_rules


@dataclass(frozen=True, eq=False)
class Rules:
    """An immutable set of rules, an allow list and the opt-in groups that are on. Safe to share between threads.

    Keep a set that is used again: what finds its words in a text takes 2 MB and is made once for each object.

    own:     rules besides the shipped ones
    allow:   values to keep: regexes that match them in full, or the values themselves
    digests: keyed digests of values to keep (`value_digest`), for allowing a value without writing it down
    key:     what the digests were made with
    groups:  opt-in groups that are on
    shipped: whether the rules of the package belong to the set; they are read when they are first needed
    """

    own: tuple[Rule, ...] = ()
    allow: tuple[str, ...] = ()
    groups: frozenset[str] = frozenset()
    shipped: bool = True
    digests: frozenset[str] = frozenset()
    key: bytes = b""

    def __repr__(self) -> str:
        return f"Rules({len(self.rules)} rules, groups={sorted(self.groups)}, fingerprint={self.fingerprint})"

    def with_allow(self, allow: Iterable[str]) -> Rules:
        """These rules, keeping also every value that one of `allow` matches in full.

        An entry is a regex or the value itself. One that is no regex, or could take very long, is only the value itself.
        """
        combined = tuple(dict.fromkeys((*self.allow, *allow)))
        return self if combined == self.allow else replace(self, allow=combined)

    def with_digests(self, key: bytes, digests: Iterable[str]) -> Rules:
        """These rules, keeping also every value whose digest under `key` is among `digests`. One key a set of rules."""
        return replace(self, key=key, digests=frozenset(digests))

    def with_groups(self, groups: Iterable[str]) -> Rules:
        """These rules with the opt-in groups switched on, such as "payment" for card numbers and IBANs."""
        combined = self.groups | frozenset(groups)
        return self if combined == self.groups else replace(self, groups=combined)

    def with_rules(self, rules: Iterable[Rule]) -> Rules:
        """These rules and some more."""
        return replace(self, own=(*self.own, *rules))

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the set, those of groups that are off too."""
        return (*shipped_rules(), *self.own) if self.shipped else self.own

    @cached_property
    def active(self) -> tuple[Rule, ...]:
        """The rules that run: those without a group, and those of the groups that are on."""
        return tuple(rule for rule in self.rules if not rule.group or rule.group in self.groups)

    @cached_property
    def fingerprint(self) -> str:
        """Hex digest over everything that can change what `redact` returns."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (data.version(), *self.active, *self.allow, *sorted(self.digests)):
            digest.update(repr(part).encode("utf-8", "surrogatepass") + b"\0")
        return digest.hexdigest()

    def allows(self, value: str) -> bool:
        """Whether the allow list keeps this value."""
        return (
            value in self.allow
            or any(pattern.fullmatch(value) for pattern in self._allowed)
            or (bool(self.digests) and value_digest(value, self.key) in self.digests)
        )

    @cached_property
    def ids(self) -> frozenset[str]:
        """The id of every rule of the set: what may stand in a mark."""
        return frozenset(rule.id for rule in self.rules)

    @cached_property
    def _allowed(self) -> tuple[re.Pattern[str], ...]:
        return tuple(pattern for entry in self.allow if (pattern := _regex(entry)) is not None)


def value_digest(value: str, key: bytes) -> str:
    """The digest that allows a value without saying it: 32 hex digits of BLAKE2b, keyed with up to 64 bytes."""
    return hashlib.blake2b(value.encode("utf-8", "surrogatepass"), key=key, digest_size=16).hexdigest()


def _regex(entry: str) -> re.Pattern[str] | None:
    try:
        pattern = re.compile(entry)
    except (re.error, OverflowError, RecursionError):
        return None
    return pattern if why_not_linear(entry) is None else None


BUILT_IN = Rules()
