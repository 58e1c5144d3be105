"""A note's frontmatter as plain values: strings and lists of strings, whatever the YAML in it tries.

Values stay as they are written ("007", "2024-03-05", "yes" are what the person sees), so no number, date or object of
YAML is ever built. They are made from the parser's events without recursion, since the usual way overflows the C stack
on some thousand brackets, and an alias repeats a single value only, so nothing can multiply.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import yaml
from frontmatter.default_handlers import YAMLHandler
from yaml import CBaseLoader
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    MappingEndEvent,
    ScalarEvent,
)

from scrubjay.credential_filter import MARK_START

Properties: TypeAlias = dict[str, str | tuple[str, ...]]
_Value: TypeAlias = "str | list[_Value] | dict[str, _Value]"

_MAX_LENGTH = 64_000  # code points
_MAX_EVENTS = 10_000
_MAX_DEPTH = 16

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_FALSE = frozenset({"false", "no", "off", "0"})
_OPT_OUT = re.compile(r"^scrubjay[ \t]*:[ \t]*[\"']?(?:false|no|off|0)\b", re.IGNORECASE | re.MULTILINE)

# The filter's "[REDACTED:rule]" would be a YAML list, or an error in the middle of a value: it passes as a plain word.
_PLACEHOLDER = re.compile(r"\[(REDACTED:[\w-]+)\]")
_HIDDEN, _SHOWN = "\ue000\\1\ue001", {0xE000: "[", 0xE001: "]"}

_HANDLER = YAMLHandler()


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """What stands before the body. Names of properties are as written; nested ones are joined with "."."""

    properties: Properties = field(default_factory=Properties)
    length: int = 0  # code points up to the body, fences included
    lines: int = 0  # lines up to the body
    problem: str = ""  # why it could not be read, as a sentence without note text; "" if all is well
    opted_out: bool = False  # `scrubjay: false`, even where the rest can't be read


def read_frontmatter(text: str) -> Frontmatter:
    """The frontmatter at the beginning of `text`, between two lines of "---"; an empty one where there is none.

    What can't be read gives a problem and no properties, never an error.
    """
    end = _end(text)
    if end is None:
        return Frontmatter()
    start, stop, length = end
    inner = text[start:stop]
    lines = text.count("\n", 0, length) + (length == len(text) and not text.endswith("\n"))
    try:
        loaded = _load(inner)
    except yaml.YAMLError as error:
        return Frontmatter({}, length, lines, _problem(error), bool(_OPT_OUT.search(inner)))
    if not isinstance(loaded, dict):
        # Two rulers with text between them, not frontmatter.
        return Frontmatter({}, length, lines) if not inner.strip() else Frontmatter()
    properties = dict(_flat("", loaded))
    opted_out = str(properties.get("scrubjay", "")).strip().casefold() in _FALSE
    return Frontmatter(properties, length, lines, "", opted_out)


def _end(text: str) -> tuple[int, int, int] | None:
    """Where the YAML starts, where it stops and where the body begins."""
    opening = text.find("\n")
    if not text.startswith("---") or text[:opening].rstrip() != "---" or opening < 0:
        return None
    at = opening
    while (at := text.find("\n---", at)) >= 0:
        line_end = text.find("\n", at + 1)
        line_end = len(text) if line_end < 0 else line_end
        if not text[at + 4 : line_end].strip():
            return opening + 1, max(at, opening + 1), min(line_end + 1, len(text))
        at += 1
    return None


def _load(inner: str) -> "_Value | None":
    """The plain value of the YAML, with the filter's placeholders back in their form. Raises yaml.YAMLError."""
    if len(inner) > _MAX_LENGTH:
        raise _TooMuch
    if MARK_START in inner:
        inner = _PLACEHOLDER.sub(_HIDDEN, inner)
    return _HANDLER.load(inner, Loader=_PlainLoader)


class _TooMuch(yaml.YAMLError):
    """Longer or deeper than any person's frontmatter."""


class _PlainLoader(CBaseLoader):
    """A loader that builds strings, lists and mappings from the parser's events, and nothing else."""

    def get_single_data(self) -> "_Value | None":
        """The first document's value; None where there is none. Raises yaml.YAMLError."""
        anchored: dict[str, str] = {}
        open_values: list[list[_Value]] = [[]]  # a mapping is a list of its keys and values until it ends
        for _ in range(_MAX_EVENTS):
            event = self.get_event()
            if isinstance(event, ScalarEvent):
                value = _text(event)
                if event.anchor:
                    anchored[event.anchor] = value
                open_values[-1].append(value)
            elif isinstance(event, AliasEvent):
                open_values[-1].append(anchored.get(event.anchor, ""))
            elif isinstance(event, CollectionStartEvent):
                if len(open_values) > _MAX_DEPTH:
                    raise _TooMuch
                open_values.append([])
            elif isinstance(event, CollectionEndEvent):
                done = open_values.pop()
                open_values[-1].append(_mapping(done) if isinstance(event, MappingEndEvent) else done)
            elif isinstance(event, DocumentEndEvent) or event is None:
                return open_values[0][0] if open_values[0] else None
        raise _TooMuch


def _mapping(keys_and_values: list[_Value]) -> dict[str, _Value]:
    pairs = zip(keys_and_values[::2], keys_and_values[1::2], strict=True)
    return {key: value for key, value in pairs if isinstance(key, str) and key}


def _text(event: ScalarEvent) -> str:
    if event.implicit[0] and event.value in _NULLS:
        return ""
    value = event.value
    return value.translate(_SHOWN) if "\ue000" in value else value


def _flat(prefix: str, value: dict[str, _Value]) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    for key, inner in value.items():
        name = f"{prefix}{key.strip()}"
        if isinstance(inner, str):
            yield name, inner.strip()
        elif isinstance(inner, list):
            yield name, tuple(text.strip() for text in _texts(inner) if text.strip())
        else:
            yield from _flat(f"{name}.", inner)


def _texts(value: _Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for inner in value if isinstance(value, list) else value.values():
            yield from _texts(inner)


def _problem(error: yaml.YAMLError) -> str:
    if isinstance(error, _TooMuch):
        return "The frontmatter is too long or nested too deeply to be read; the note is indexed without it."
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    place = f" (line {mark.line + 2})" if mark else ""
    return f"The frontmatter is not valid YAML{place}; the note is indexed without it."
