"""The query language: text in, a typed tree and warnings out. `docs/searching.md` teaches it.

    expression := conjunction ("OR" conjunction)*
    conjunction := part+
    part := "-"? ( "(" expression ")" | "phrase" | [property] | [property:value] | operator:value | #tag | word )

Nothing is an error: what can't be read as written is searched as plain words, and a warning says so.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Literal

from daemon.search.dates import parse_span
from daemon.search.query_tree import (
    Either,
    Every,
    Exclude,
    InProfile,
    Node,
    Phrase,
    Query,
    QueryWarning,
    WarningCode,
    Where,
    Word,
)
from profiles.filters import (
    AnyOf,
    CreatedBetween,
    FileHas,
    HasLang,
    HasProperty,
    HasTag,
    InVault,
    ModifiedBetween,
    PathHas,
)


def parse_query(text: str, now: datetime) -> Query:
    """Parse what a person typed. `now` (aware) gives `today` and `7d` their meaning. Never raises; linear in `text`."""
    return _Parser(text, now).parse()


_MAX_DEPTH = 20
_QUOTES = str.maketrans("“”„‟", '""""')
_OPERATOR = re.compile(r"([A-Za-z]+):")
_PROPERTY = re.compile(r'\[("[^"\n]*"|[^\[\]:"\n]+)(?::([^\[\]\n]*))?\](?=[\s)]|$)')
_TAG = re.compile(r"#([\w/\-]*[^\W\d][\w/\-]*)(?=[\s)]|$)")
_CONNECTIVE = re.compile(r"(OR|AND)(?=[\s(]|$)")
_COMPARISON = re.compile(r"(<=|>=|<|>)\s*(.+)")
_UNSUPPORTED = frozenset({"line", "block", "section", "task", "content", "ext"})


class _Parser:
    """One pass over the text; `_pos` is where it stands, `_depth` how many parentheses are open."""

    def __init__(self, text: str, now: datetime) -> None:
        self._raw = text
        self._text = text.translate(_QUOTES)
        self._now = now
        self._pos = 0
        self._depth = 0
        self._warnings: list[QueryWarning] = []

    def parse(self) -> Query:
        parts: list[Node] = []
        while True:
            parts.extend(_flattened(self._expression()))
            if self._pos >= len(self._text):
                break
            self._warn(
                "unopened-parenthesis", "A closing parenthesis has no opening one; it was left out.", self._pos, 1
            )
            self._pos += 1
        return Query(self._raw, Every(tuple(parts)), tuple(self._warnings))

    def _expression(self) -> Node:
        branches: list[Node] = []
        parts: list[Node] = []
        while self._at_part():
            if branch_end := _CONNECTIVE.match(self._text, self._pos):
                self._pos = branch_end.end()
                if branch_end[1] == "OR" and parts:
                    branches.append(_one_or_every(parts))
                    parts = []
                continue
            part = self._part()
            if part is not None:
                parts.append(part)
        if parts:
            branches.append(_one_or_every(parts))
        if len(branches) > 1:
            return Either(tuple(branches))
        return branches[0] if branches else Every(())

    def _at_part(self) -> bool:
        """Move past white space; whether a part follows, and not the end or a closing parenthesis."""
        while self._pos < len(self._text) and self._text[self._pos].isspace():
            self._pos += 1
        return self._pos < len(self._text) and self._text[self._pos] != ")"

    def _part(self) -> Node | None:
        if self._text[self._pos] != "-":
            return self._positive()
        following = self._text[self._pos + 1 : self._pos + 2]
        if following == "-":  # a command-line flag such as --verbose
            return self._word()
        self._pos += 1
        if not following or following.isspace() or following == ")":
            return None
        part = self._positive()
        return None if part is None else Exclude(part)

    def _positive(self) -> Node | None:
        match self._text[self._pos]:
            case "(":
                return self._group()
            case '"':
                return self._phrase()
            case "[":
                return self._property() or self._word()
            case "#":
                return self._tag() or self._word()
            case _:
                return self._operator() or self._word()

    def _group(self) -> Node | None:
        start = self._pos
        self._pos += 1
        if self._depth == _MAX_DEPTH:
            self._warn("too-deep", f"Parentheses go {_MAX_DEPTH} deep at most; this one was left out.", start, 1)
            return None
        self._depth += 1
        inner = self._expression()
        self._depth -= 1
        if self._pos < len(self._text):
            self._pos += 1
        else:
            self._warn("unclosed-parenthesis", "A parenthesis is not closed; it was taken to end here.", start, 1)
        return None if inner == Every(()) else inner

    def _phrase(self) -> Node | None:
        start = self._pos
        end = self._text.find('"', start + 1)
        if end < 0:
            self._warn("unclosed-quote", "A quotation mark is not closed; what follows is searched as words.", start, 1)
            self._pos += 1
            return None
        self._pos = end + 1
        phrase = self._text[start + 1 : end].strip()
        return Phrase(phrase, start + 1) if phrase else None

    def _tag(self) -> Node | None:
        match = _TAG.match(self._text, self._pos)
        if match is None:
            return None
        self._pos = match.end()
        return Where(HasTag(match[1].strip("/")))

    def _property(self) -> Node | None:
        match = _PROPERTY.match(self._text, self._pos)
        name = match[1].strip('" ') if match else ""
        if match is None or not name:
            return None
        self._pos = match.end()
        if not (match[2] or "").strip():
            return Where(HasProperty(name))
        values = [_property(name, value) for value in re.split(r"\s+OR\s+", match[2].strip())]
        return Where(values[0] if len(values) == 1 else AnyOf(tuple(values)))

    def _operator(self) -> Node | None:
        match = _OPERATOR.match(self._text, self._pos)
        name = match[1].lower() if match else ""
        if match is None or (name not in _OPERATORS and name not in _UNSUPPORTED):
            return None
        start = self._pos
        if name in _UNSUPPORTED:
            message = f"{name}: is not an operator here; what follows it is searched."
            self._warn("unsupported-operator", message, start, match.end() - start)
            self._pos = match.end()
            return self._positive() if self._at_part() else None
        self._pos = match.end()
        value = self._value()
        if not value:
            self._warn("empty-value", f"{name}: has no value; it was left out.", start, self._pos - start)
            return None
        try:
            return _OPERATORS[name](value, self._now)
        except ValueError as error:
            self._warn("bad-date", f"{name}: {error}; searched as words.", start, self._pos - start)
            self._pos = start
            return self._word()

    def _value(self) -> str:
        if self._text[self._pos : self._pos + 1] == '"':
            end = self._text.find('"', self._pos + 1)
            if end >= 0:
                value = self._text[self._pos + 1 : end]
                self._pos = end + 1
                return value.strip()
        return self._run().strip('"')

    def _word(self) -> Word | None:
        start = self._pos
        run = self._run()
        if not run:  # a stray closing parenthesis after "-"
            self._pos += 1
            return None
        return Word(run, start)

    def _run(self) -> str:
        """Take what stands before white space, a quotation mark or a parenthesis that the run did not open."""
        start, open_here = self._pos, 0
        while self._pos < len(self._text):
            char = self._text[self._pos]
            if char.isspace() or (char == '"' and self._pos > start) or (char == ")" and open_here == 0):
                break
            open_here += (char == "(") - (char == ")")
            self._pos += 1
        return self._text[start : self._pos]

    def _warn(self, code: WarningCode, message: str, start: int, length: int) -> None:
        self._warnings.append(QueryWarning(code, message, start, start + length))


def _one_or_every(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def _flattened(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Every) else (node,)


def _property(name: str, value: str) -> HasProperty:
    value = value.strip()
    match = _COMPARISON.fullmatch(value)
    if match is None:
        return HasProperty(name, value.strip('"'))
    compare: dict[str, Literal["<", "<=", ">", ">="]] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
    return HasProperty(name, match[2].strip('" '), compare[match[1]])


_OPERATORS: dict[str, Callable[[str, datetime], Node]] = {
    "path": lambda value, _now: Where(PathHas(value)),
    "file": lambda value, _now: Where(FileHas(value)),
    "tag": lambda value, _now: Where(HasTag(value.lstrip("#").strip("/"))),
    "lang": lambda value, _now: Where(HasLang(value.lower())),
    "modified": lambda value, now: Where(ModifiedBetween(*parse_span(value, now))),
    "created": lambda value, now: Where(CreatedBetween(*parse_span(value, now))),
    "vault": lambda value, _now: Where(InVault(value)),
    "profile": lambda value, _now: InProfile(value),
}
