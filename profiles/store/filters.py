"""Filters on notes, applied by the store before any cut.

A small algebra that a query parser builds and `profiles` turns into SQL with bound parameters.
Text comparisons fold case and diacritics.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from scrubjay.profiles.search.words.note_parts import Part, PartCondition


@dataclass(frozen=True, slots=True)
class PathHas:
    """The vault-relative path contains `text`; with `*` or `?` in it, the whole path matches that glob."""

    text: str


@dataclass(frozen=True, slots=True)
class FileHas:
    """The file name (last part of the path, with extension) contains or globs `text`."""

    text: str


@dataclass(frozen=True, slots=True)
class HasTag:
    """The note has this tag or one nested below it (`project` matches `project/atlas`)."""

    tag: str


@dataclass(frozen=True, slots=True)
class HasProperty:
    """A frontmatter property exists, or (value given) equals or contains the value."""

    name: str
    value: str | None = None
    compare: Literal["has", "<", "<=", ">", ">="] = "has"


@dataclass(frozen=True, slots=True)
class InVault:
    """The note lies in the vault with this id."""

    vault: str


@dataclass(frozen=True, slots=True)
class ModifiedBetween:
    """Modified at or after `since_ns` and before `until_ns` (Unix nanoseconds; None = open)."""

    since_ns: int | None
    until_ns: int | None


@dataclass(frozen=True, slots=True)
class CreatedBetween:
    """Created (frontmatter date or daily note's name) at or after `since_ns` and before `until_ns`."""

    since_ns: int | None
    until_ns: int | None


@dataclass(frozen=True, slots=True)
class HasLang:
    """The note's language, ISO 639-1."""

    lang: str


@dataclass(frozen=True, slots=True)
class HasKind:
    """The kind of file: "note", or one of `profiles/kinds.py`."""

    kind: str


@dataclass(frozen=True, slots=True)
class HasText:
    """The note holds `text` as a phrase: in a chunk, a heading, its title, aliases, tags or path.

    Compared as words are indexed (stems, without diacritics). Text without a single word holds everywhere.
    """

    text: str


@dataclass(frozen=True, slots=True)
class HasPart:
    """One line, paragraph, section or task of the note holds all that is wanted; `text`: the note as a whole does."""

    part: Part
    wanted: PartCondition


@dataclass(frozen=True, slots=True)
class AmongNotes:
    """The note is one of these, by its id."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    part: "NoteFilter"


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; of no parts, always true."""

    parts: tuple["NoteFilter", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds; of no parts, never true."""

    parts: tuple["NoteFilter", ...]


NoteFilter: TypeAlias = (
    PathHas
    | FileHas
    | HasTag
    | HasProperty
    | InVault
    | ModifiedBetween
    | CreatedBetween
    | HasLang
    | HasKind
    | HasText
    | HasPart
    | AmongNotes
    | Not
    | AllOf
    | AnyOf
)
