"""TOML text edited in place: a table is put in or taken out, and every other character stays. Pure.

It works on statements as lines, since a library that keeps comments takes those above the next table for a part of the
table before, and takes them out with it.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_NAME: Final = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)"""
_KEY: Final = re.compile(rf"[ \t]*{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*[ \t]*=")


class NotToml(ValueError):
    """The text is not TOML, or holds the table in a way that can't be edited."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A header or a key with its value; offsets of its lines in the text."""

    start: int
    end: int
    names: tuple[str, ...]  # from the top of the document
    is_header: bool


def value_of(text: str) -> dict[str, Any]:
    """What the text says. Raises NotToml."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError):
        raise NotToml from None


def put(text: str, names: Sequence[str], table: Mapping[str, Any]) -> str:
    """The text with this table of strings, lists and tables of strings, at its end; one that is there goes.

    Where the table around it is written on one line, in braces, it is put in there. Raises NotToml.
    """
    text = take_out(text, names)
    expected = _with(value_of(text), names, dict(table))
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(names)}]", *(f"{name} = {_inline(value)}" for name, value in table.items())]
    ends = not text.strip("\ufeff") or text.endswith("\n")  # a last line without an end stays one
    before = ("" if ends else newline) + (newline if text.strip("\ufeff") else "")
    appended = text + before + newline.join(lines) + (newline if ends else "")
    if _says(appended, expected):
        return appended
    for at, is_empty in _ends_in_braces(text, names[:-1]):
        inside = text[:at] + ("" if is_empty else ", ") + _member(names[-1], table) + text[at:]
        if _says(inside, expected):
            return inside
    raise NotToml


def take_out(text: str, names: Sequence[str]) -> str:
    """The text without this table and those below it; comments stay. Raises NotToml."""
    present = value_of(text)
    found = _at(present, names)
    if found is None:
        return text
    expected = _without(present, names)
    left = _without_statements(text, tuple(names))
    if _says(left, expected):
        return left
    member = _member(names[-1], cast("dict[str, Any]", found)) if isinstance(found, dict) else ""
    for piece in (f", {member}", f"{member}, ", member):
        left = text.replace(piece, "", 1) if member else text
        if left != text and value_of(left).keys() == present.keys() and _says(left, expected):
            return left
    raise NotToml


def _without_statements(text: str, names: tuple[str, ...]) -> str:
    runs: list[list[_Statement]] = []
    for statement in _statements(text):
        if statement.names[: len(names)] != names:
            continue
        if runs and not text[runs[-1][-1].end : statement.start].strip():
            runs[-1].append(statement)
        else:
            runs.append([statement])
    for run in reversed(runs):
        start, end = run[0].start, run[-1].end
        before, behind = text[:start], text[end:]
        if run[0].is_header:  # the blank line that came with it
            before = re.sub(r"(^\ufeff?|\n)\r?\n\Z", r"\1", before)
        if not behind and not text.endswith("\n"):
            before = re.sub(r"\r?\n\Z", "", before)
        text = before + behind
    return text


def _statements(text: str) -> Iterator[_Statement]:
    """All statements of a text that was read well, in order."""
    header: tuple[str, ...] = ()
    begin, gathered = -1, ""
    for line in _LINE.finditer(text):
        said = line[0].removeprefix("\ufeff") if line.start() == 0 else line[0]
        if not gathered and (not said.strip() or said.lstrip().startswith("#")):
            continue
        if not gathered:
            begin = line.end() - len(said)
        gathered += said
        try:
            tree = tomllib.loads(gathered)
        except tomllib.TOMLDecodeError:
            continue  # it goes on in the next line
        if key := _KEY.match(gathered):
            yield _Statement(begin, line.end(), header + _names(tomllib.loads(key[0] + "0")), is_header=False)
        else:
            header = _names(tree)
            yield _Statement(begin, line.end(), header, is_header=True)
        gathered = ""


def _names(tree: Any) -> tuple[str, ...]:
    """The one way down."""
    names: list[str] = []
    while tree and isinstance(tree, dict):
        name, tree = next(iter(cast("dict[str, Any]", tree).items()))
        names.append(name)
    return tuple(names)


def _ends_in_braces(text: str, names: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """Where a table that is written in braces may end: offsets behind its last member, and whether it has none."""
    for statement in _statements(text):
        if statement.names != tuple(names) or statement.is_header:
            continue
        for brace in reversed([found.start() for found in re.finditer("}", text[statement.start : statement.end])]):
            before = text[: statement.start + brace].rstrip()
            yield len(before), before.endswith("{")


def _member(name: str, table: Mapping[str, Any]) -> str:
    return f"{name} = {_inline(table)}"


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value).items()
        return "{" + ", ".join(f"{_inline_name(name)} = {_inline(each)}" for name, each in members) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_inline(each) for each in cast("Sequence[Any]", value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _inline_name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _inline(name)


def _says(text: str, expected: Mapping[str, Any]) -> bool:
    try:
        return _comparable(value_of(text)) == _comparable(expected)
    except NotToml:
        return False


def _comparable(tree: Any) -> Any:
    """The tree, such that nan is nan, and no table is like an empty one: taking out the last may leave either."""
    if isinstance(tree, dict):
        members = {name: _comparable(each) for name, each in cast("dict[str, Any]", tree).items()}
        return {name: each for name, each in members.items() if each != {}}
    if isinstance(tree, list):
        return [_comparable(each) for each in cast("list[Any]", tree)]
    return repr(tree)


def _at(tree: Any, names: Sequence[str]) -> Any:
    for name in names:
        if not isinstance(tree, dict):
            raise NotToml
        tree = cast("dict[str, Any]", tree).get(name)
        if tree is None:
            return None
    return tree


def _with(tree: Mapping[str, Any], names: Sequence[str], value: Any) -> dict[str, Any]:
    if not names:
        return value
    inner = tree.get(names[0], {})
    if not isinstance(inner, dict):
        raise NotToml
    return {**tree, names[0]: _with(cast("dict[str, Any]", inner), names[1:], value)}


def _without(tree: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    if len(names) == 1:
        return {name: each for name, each in tree.items() if name != names[0]}
    return {**tree, names[0]: _without(tree[names[0]], names[1:])}
