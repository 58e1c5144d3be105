"""What a parsed query is made of: a tree of words and conditions.

`span` is where a part stands in the query: code points, end exclusive. It is left out of comparisons.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from scrubjay.profiles.store.filters import (
    NoteFilter,
)

WarningCode: TypeAlias = Literal[
    "unclosed-quote",
    "unclosed-parenthesis",
    "unclosed-bracket",
    "unopened-parenthesis",
    "too-deep",
    "too-many",
    "empty-value",
    "bad-date",
    "bad-language",
    "bad-kind",
    "unsupported-operator",
    "profile-in-or",
    "unknown-profile",
    "unknown-vault",
    "unsupported-regex",
    "bad-regex",
    "bad-sort",
    "date-in-words",
    "unknown-filter",
    "and-in-words",
    "not-in-words",
    "option-in-words",
]

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class QueryWarning:
    """Something in the query was not taken as written. Offsets are code points in the query, end exclusive.

    instead: a query that may be meant; "" where there is none to offer.
    """

    code: WarningCode
    message: str
    start: int
    end: int
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A plain word, as typed."""

    text: str
    span: Span = field(default=(0, 0), compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this order, side by side."""

    text: str
    span: Span = field(default=(0, 0), compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Where:
    """A condition on the note. `InVault` holds the name as typed until the query is planned."""

    condition: NoteFilter
    span: Span = field(default=(0, 0), compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class InProfile:
    """Only this profile, by the name as typed."""

    name: str
    span: Span = field(default=(0, 0), compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Exclude:
    """Whatever `part` describes is not wanted."""

    part: "Node"
    span: Span = field(default=(0, 0), compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Every:
    """All parts are wanted, in the order typed; of no parts, anything."""

    parts: tuple["Node", ...]
    span: Span = field(default=(0, 0), compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Either:
    """One of the parts is enough; at least two."""

    parts: tuple["Node", ...]
    span: Span = field(default=(0, 0), compare=False, kw_only=True)


Node: TypeAlias = Word | Phrase | Where | InProfile | Exclude | Every | Either


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query."""

    text: str
    tree: Every
    warnings: tuple[QueryWarning, ...] = ()
    sort: str = ""  # as `sort:` names it, one of SORTS; "" where it does not
