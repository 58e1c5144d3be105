"""JSON text edited in place: a value is put in or taken out, and every other character stays. Pure.

Comments, and a comma behind the last member, which many programs allow in their settings, are read and kept. What was
put in and is taken out again leaves the very same text.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

Place: TypeAlias = Sequence[str | int]
"""The names and positions that lead to a value; none is the whole document."""

_BLANKS: Final = " \t\r\n"
_STRING: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_COMMENTS: Final = re.compile(rf"{_STRING}|(?P<comment>//[^\r\n]*|/\*.*?\*/)", re.DOTALL)
_LAST_COMMAS: Final = re.compile(rf"{_STRING}|(?P<comma>,(?=[ \t\r\n]*[\]}}]))", re.DOTALL)
_TOKENS: Final = re.compile(rf"{_STRING}|[{{}}\[\],:]|[^ \t\r\n{{}}\[\],:\"]+", re.DOTALL)
_INDENT: Final = re.compile(r"\n([ \t]+)[^ \t\r\n]")


class NotJson(ValueError):
    """The text is not JSON, or says a name twice where it must be clear which is meant."""


@dataclass(slots=True)
class _Node:
    """A value, as offsets into the text; `start` of a member is where its name begins."""

    start: int
    value: int
    end: int = 0
    name: str | None = None
    opener: str = ""  # what it begins with, where it holds others
    held: "list[_Node]" = field(default_factory=list["_Node"])


def value_of(text: str) -> Any:
    """What the text says; an empty object where it is blank. Raises NotJson."""
    plain = _without_commas(_without_comments(text))
    if not plain.strip(_BLANKS):
        return {}
    try:
        return json.loads(plain)
    except (ValueError, RecursionError):
        raise NotJson from None


def missing(text: str, place: Place) -> tuple[tuple[str | int, ...], ...]:
    """Those of the places around `place` and itself that hold nothing yet, the outermost first. Raises NotJson."""
    value_of(text)
    return tuple(tuple(place[:depth]) for depth in range(len(place) + 1) if _found(text, place[:depth]) is None)


def put(text: str, place: Place, value: Any) -> str:
    """The text with `value` at this place: in place of what is there, or as the last of what surrounds it.

    Objects around it are made where they are missing. A place behind the end of a list adds to it. Raises NotJson.
    """
    absent = missing(text, place)
    if not absent:
        node = cast("_Node", _found(text, place))
        return text[: node.value] + _rendered(text, value, _indent_before(text, node.start)) + text[node.end :]
    outer = absent[0]
    for name in reversed(place[len(outer) :]):
        value = {name: value} if isinstance(name, str) else [value]
    if not outer:
        at = len(text) - len(text.removeprefix("\ufeff"))
        return text[:at] + _rendered(text, value, "") + text[at:]
    around = cast("_Node", _found(text, outer[:-1]))
    if around.opener != ("{" if isinstance(outer[-1], str) else "["):
        raise NotJson
    return _with_last(text, around, outer[-1] if isinstance(outer[-1], str) else None, value)


def take_out(text: str, place: Place) -> str:
    """The text without the value at this place, its name and its comma; as it is where nothing is. Raises NotJson."""
    value_of(text)
    node = _found(text, place)
    if node is None:
        return text
    if not place:
        return text[: node.start] + text[node.end :]
    around = cast("_Node", _found(text, place[:-1]))
    nth = next(index for index, each in enumerate(around.held) if each.start == node.start)
    bare = _without_comments(text)
    behind = around.held[nth + 1].start if nth + 1 < len(around.held) else around.end - 1
    start, end = len(text[: node.start].rstrip(_BLANKS)), node.end
    if (comma := bare.find(",", end, behind)) >= 0:
        rest = text[end:comma] + text[comma + 1 :]
    else:
        rest = text[end:]
        if nth:
            comma = bare.index(",", around.held[nth - 1].end, node.start)
            text, start = text[:comma] + text[comma + 1 :], start - 1
    if _is_in_line_comment(text, start) and not rest.lstrip(" \t").startswith(("\r", "\n")):
        rest = "\n" + rest  # or it would become part of the comment before
    return text[:start] + rest


def pruned(text: str, places: Iterable[Place]) -> str:
    """The text without those of the places that hold nothing, no comment either. Raises NotJson."""
    for place in sorted(places, key=len, reverse=True):
        node = _found(text, place)
        if node and node.opener and not text[node.value + 1 : node.end - 1].strip(_BLANKS):
            text = take_out(text, place)
    return text


def _without_comments(text: str) -> str:
    """The text with blanks for comments and for a mark of the byte order: offsets stay."""
    return _blanked(_COMMENTS, "comment", text.replace("\ufeff", " ", 1) if text.startswith("\ufeff") else text)


def _without_commas(text: str) -> str:
    return _blanked(_LAST_COMMAS, "comma", text)


def _blanked(pattern: re.Pattern[str], group: str, text: str) -> str:
    return pattern.sub(lambda found: " " * len(found[0]) if found[group] else found[0], text)


def _found(text: str, place: Place) -> _Node | None:
    """Where the value is. The text must have been read. Raises NotJson where a name on the way is there twice."""
    node = _document(_without_commas(_without_comments(text)))
    for step in place:
        if node is None:
            return None
        if isinstance(step, int):
            node = node.held[step] if node.opener == "[" and step < len(node.held) else None
            continue
        named = [each for each in node.held if each.name == step]
        if len(named) > 1:
            raise NotJson
        node = named[0] if named else None
    return node


def _document(plain: str) -> _Node | None:
    """The document as nodes; None where it is blank. plain: JSON that was read well, without comments."""
    top = _Node(0, 0, opener="[")
    around = [top]
    name: re.Match[str] | None = None
    last: re.Match[str] | None = None
    for token in _TOKENS.finditer(plain):
        mark = token[0]
        if mark == ":":
            name = last
        elif mark in "]}":
            around.pop().end = token.end()
        elif mark != ",":
            is_name = around[-1].opener == "{" and name is None
            if not is_name:
                node = _Node(name.start() if name else token.start(), token.start(), token.end())
                node.name = json.loads(name[0]) if name else None
                around[-1].held.append(node)
                name = None
                if mark in "[{":
                    node.opener = mark
                    around.append(node)
        last = token
    return top.held[0] if top.held else None


def _with_last(text: str, around: _Node, name: str | None, value: Any) -> str:
    """The text with one more in this object or list."""
    close = around.end - 1
    held = around.held
    begin = held[-1].end if held else around.value + 1
    at = begin + len(text[begin:close].rstrip(_BLANKS))  # behind comments
    has_comma = "," in _without_comments(text)[begin:close]
    if held:
        lead = text[len(text[: held[-1].start].rstrip(_BLANKS)) : held[-1].start]
        if "\n" in lead or _is_in_line_comment(text, at):
            lead = _newline(text) + _indent_before(text, held[-1].start)
        elif len(held) == 1:
            lead = " "
    else:
        _, is_open, indent = text[at:close].rpartition("\n")
        lead = _newline(text) + indent + _unit(text) if is_open else ""
    said = f"{json.dumps(name, ensure_ascii=False)}: " if name is not None else ""
    said += _rendered(text, value, lead.rpartition("\n")[2]) if "\n" in lead else json.dumps(value, ensure_ascii=False)
    comma = "," if held and not has_comma else ""
    return text[:begin] + comma + text[begin:at] + lead + said + ("," if has_comma else "") + text[at:]


def _is_in_line_comment(text: str, at: int) -> bool:
    """Whether what follows this offset, on its line, would belong to a comment."""
    comments = (found for found in _COMMENTS.finditer(text) if (found["comment"] or "").startswith("//"))
    return any(found.start() < at <= found.end() for found in comments)


def _rendered(text: str, value: Any, indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return f"{_newline(text)}{indent}".join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _indent_before(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
