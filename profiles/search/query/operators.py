"""Operators of the query language, and what each asks of a note. Pure."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Literal

from scrubjay.profiles.kinds import FILE_KINDS, NOTE
from scrubjay.profiles.search.query.dates import parse_span
from scrubjay.profiles.search.words.note_parts import Part, PartCondition, check_pattern
from scrubjay.profiles.search.words.spellings import DIRECTIONS, INVISIBLE, without_unseen
from scrubjay.profiles.store.filters import (
    AnyOf,
    CreatedBetween,
    FileHas,
    HasKind,
    HasLang,
    HasPart,
    HasProperty,
    HasTag,
    InVault,
    ModifiedBetween,
    NoteFilter,
    PathHas,
)

SORTS = ("relevance", "modified", "created", "title", "path")
"""What `sort:` takes; all but the first with "-" before them too, for the other direction."""

UNSUPPORTED = frozenset({"content", "ignore-case"})
"""Operators of Obsidian that change nothing here: what follows them is searched."""
PARTS: Mapping[str, Part] = {
    "line": "line",
    "block": "block",
    "section": "section",
    "task": "task",
    "task-todo": "task-todo",
    "task-done": "task-done",
    "match-case": "text",
}
"""Operators that look into parts of a note, as Obsidian's do."""
_ITEM = re.compile(r'"(?P<phrase>[^"]*)"|/(?P<pattern>(?:[^/\\\n]|\\.)+)/|(?P<word>\S+)')


def part_condition(name: str, value: str) -> tuple[HasPart, tuple[str, ...]]:
    """What `name:(value)` asks of a note, and the words in it. `match-case:` before a word inside holds for all of it.

    Raises ValueError for a pattern that is none.
    """
    match_case = name == "match-case" or "match-case:" in value
    items = list(_ITEM.finditer(value.replace("match-case:", "")))
    patterns = tuple(item["pattern"] for item in items if item["pattern"])
    for pattern in patterns:
        check_pattern(pattern)
    phrases = tuple(text for item in items if (text := (item["phrase"] or item["word"] or "").strip()))
    return HasPart(PARTS[name], PartCondition(phrases, patterns, match_case)), phrases


_UNSEEN = f"[{INVISIBLE}{DIRECTIONS}]*"


def whole_word_pattern(text: str) -> str:
    """A pattern of what says `text` with no letter, digit or underscore on either side, such as `C++` or `fast`.

    What no reader sees may stand within the text.
    """
    escaped = _UNSEEN.join(re.sub(r"([!-/:-@\[-^`{-~])", r"\\\1", character) for character in without_unseen(text))
    return rf"(?:^|[^\pL\pM\pN_]){escaped}(?:[^\pL\pM\pN_]|$)"


_LANGUAGE = re.compile(r"([a-z]{2})(?:[-_][a-z0-9_-]+)?")
_COMPARISON = re.compile(r"(<=|>=|<|>)\s*(.+)")
_COMPARE: Mapping[str, Literal["<", "<=", ">", ">="]] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}


def property_condition(name: str, values: str) -> NoteFilter:
    """`[name:values]`; of no values, `[name]`. Values may be alternatives, `a OR b`, and comparisons, `>=4`."""
    if not values.strip():
        return HasProperty(name)
    alternatives = [_has_value(name, value.strip()) for value in re.split(r"\s+OR\s+", values.strip())]
    return alternatives[0] if len(alternatives) == 1 else AnyOf(tuple(alternatives))


def _has_value(name: str, value: str) -> HasProperty:
    match = _COMPARISON.fullmatch(value)
    if match is None:
        return HasProperty(name, value.strip('"'))
    return HasProperty(name, match[2].strip('" '), _COMPARE[match[1]])


def _language(value: str) -> HasLang:
    match = _LANGUAGE.fullmatch(value.lower())
    if match is None:
        raise ValueError("not a language's code of two letters, such as de")
    return HasLang(match[1])


def _kind(value: str) -> HasKind:
    kind = value.lower()
    if kind not in (NOTE, *FILE_KINDS):
        raise ValueError(f"not a kind; they are {NOTE}, {', '.join(FILE_KINDS)}")
    return HasKind(kind)


CONDITIONS: Mapping[str, Callable[[str, datetime], NoteFilter]] = {
    "path": lambda value, _now: PathHas(value.removeprefix("/")),
    "file": lambda value, _now: FileHas(value),
    "ext": lambda value, _now: FileHas(f"*.{value.lstrip('*.')}"),
    "kind": lambda value, _now: _kind(value),
    "tag": lambda value, _now: HasTag(value.lstrip("#").strip("/")),
    "lang": lambda value, _now: _language(value),
    "modified": lambda value, now: ModifiedBetween(*parse_span(value, now)),
    "created": lambda value, now: CreatedBetween(*parse_span(value, now)),
    "vault": lambda value, _now: InVault(value),
}
"""By operator: the condition that a value names, now being an aware time. They raise ValueError without the value."""


# Every operator, from which all other lists of them derive.

OPERATORS = (*CONDITIONS, "profile", *PARTS, "sort")
"""What narrows a search down or orders it, written before a colon."""
READ_AS_OPERATORS = frozenset((*OPERATORS, *UNSUPPORTED, "size"))
"""What is no word of the query before a colon: those, and the ones of Obsidian that do nothing here."""


def is_own_value(operator: str, value: str, now: datetime) -> bool:
    """Whether the value is one of the language's own, such as a kind or a date: it holds no word of the user's."""
    match operator:
        case "sort":
            return value.removeprefix("-") in SORTS
        case "lang":
            return _LANGUAGE.fullmatch(value) is not None and len(value) == 2
        case "kind" | "modified" | "created":
            try:
                CONDITIONS[operator](value, now)
            except ValueError:
                return False
            return True
        case _:
            return False
