"""What a parsed query is made of."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from profiles.filters import NoteFilter

WarningCode: TypeAlias = Literal[
    "unclosed-quote",
    "unclosed-parenthesis",
    "unopened-parenthesis",
    "too-deep",
    "empty-value",
    "bad-date",
    "unsupported-operator",
    "narrower-exclusion",
    "unknown-profile",
    "unknown-vault",
]


@dataclass(frozen=True, slots=True)
class QueryWarning:
    """Something in the query was not taken as written. Offsets are code points in the query, end exclusive."""

    code: WarningCode
    message: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A plain word, as typed."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this order, side by side."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Where:
    """A condition on the note. `InVault` holds the name as typed until the query is planned."""

    condition: NoteFilter


@dataclass(frozen=True, slots=True)
class InProfile:
    """Only this profile, by the name as typed."""

    name: str


@dataclass(frozen=True, slots=True)
class Exclude:
    """Whatever `part` describes is not wanted."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class Every:
    """All parts are wanted, in the order typed; of no parts, anything."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of the parts is enough; at least two."""

    parts: tuple["Node", ...]


Node: TypeAlias = Word | Phrase | Where | InProfile | Exclude | Every | Either


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query."""

    text: str
    tree: Every
    warnings: tuple[QueryWarning, ...] = ()
