"""Whether a regex is sure to run in time linear in the text: a static check of its structure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

UNBOUNDED = 1 << 30
_PROBES = "".join(map(chr, range(9, 127))) + "éЖ密\u2028"
_TOKEN = re.compile(
    r"""(?x)
      (?P<repeat>  (?: [*+?] | \{\d*,?\d*\}(?<!\{\}) ) [?+]? )
    | (?P<open>    \( (?: \?P<\w+> | \?[aiLmsux]*(?:-[imsx]+)?: | \?> | \?<?[=!] )? )
    | (?P<flags>   \(\?[aiLmsux]+\) | \(\?\#[^)]*\) )
    | (?P<back>    \(\?P=\w+\) | \(\?\(\w+\) | \\[1-9] )
    | (?P<close>   \) )
    | (?P<or>      \| )
    | (?P<anchor>  [\^$] | \\[AbBZ] )
    | (?P<atom>    \[\^?\]?(?:\\.|[^\]\\])*\] | \\x[0-9a-fA-F]{2} | \\u[0-9a-fA-F]{4} | \\. | . )""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Node:
    """One part of a regex.

    kind:   "atom" (one character of `chars`), "look" (an anchor, or what is around; matches no text), "back" (repeats a group), "group", "repeat"
    parts:  of a group or a look its alternatives, each a sequence; of a repeat one alternative with one part
    safe:   whether a repeat or group never gives back what it matched (possessive, atomic)
    """

    kind: str
    chars: frozenset[str] = frozenset()
    parts: tuple[tuple[Node, ...], ...] = ()
    least: int = 1
    most: int = 1
    safe: bool = False


def parse(regex: str) -> Node:
    """The tree of a regex that compiles: a group of its alternatives."""
    tokens = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(_tight(regex))]
    flags = re.IGNORECASE if re.match(r"\(\?\w*i", regex) else re.NOFLAG
    node, _ = _group(tokens, 0, int(flags), safe=False)
    return node


def _tight(regex: str) -> str:
    """The regex without the white space and comments that its (?x) flag allows."""
    if re.match(r"\(\?\w*x", regex) is None:
        return regex
    parts = re.findall(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\#[^\n]*|\s+|.", regex, re.DOTALL)
    return "".join(part for part in parts if not part.isspace() and not part.startswith("#"))


def _group(tokens: list[tuple[str, str]], place: int, flags: int, *, safe: bool) -> tuple[Node, int]:
    """The alternatives from `place` up to the closing parenthesis, and the place behind it."""
    alternatives: list[tuple[Node, ...]] = []
    sequence: list[Node] = []
    while place < len(tokens) and tokens[place][0] != "close":
        kind, text = tokens[place]
        place += 1
        if kind == "open":
            inner, place = _group(tokens, place, flags, safe=text == "(?>")
            look = text in ("(?=", "(?!", "(?<=", "(?<!")
            sequence.append(Node("look", parts=inner.parts) if look else inner)
        elif kind == "or":
            alternatives.append(tuple(sequence))
            sequence = []
        elif kind == "repeat" and sequence:
            sequence.append(_repeat(sequence.pop(), text))
        elif kind in ("anchor", "back"):
            sequence.append(Node("look" if kind == "anchor" else "back"))
        elif kind != "flags":
            sequence.append(Node("atom", chars=_chars(text, flags)))
    return Node("group", parts=(*alternatives, tuple(sequence)), safe=safe), place + 1


def _repeat(node: Node, text: str) -> Node:
    safe = len(text) > 1 and text[-1] == "+"
    if text[0] in "*+?":
        least, most = {"*": (0, UNBOUNDED), "+": (1, UNBOUNDED), "?": (0, 1)}[text[0]]
    else:
        low, comma, high = text.strip("?+").strip("{}").partition(",")
        least = int(low or 0)
        most = int(high) if high else UNBOUNDED if comma else least
    return Node("repeat", parts=((node,),), least=least, most=most, safe=safe)


@cache
def _chars(atom: str, flags: int) -> frozenset[str]:
    """The probe characters that an atom matches: a sample wide enough to tell whether two atoms can meet."""
    pattern = re.compile(atom if len(atom) > 1 or atom == "." else re.escape(atom), flags)
    return frozenset(char for char in _PROBES if pattern.fullmatch(char))


_MOST_WAYS = 20_000
_WINDOW = 4096  # no repeat runs further: rules look at this much of a line
_NO_CHARS: frozenset[str] = frozenset()


def why_not_linear(regex: str) -> str | None:
    """Why this regex, which compiles, might take very long on some text; None if it cannot."""
    tree = parse(regex)
    if _any(tree, "back"):
        return "it refers back to a group"
    if most_ways(regex) > _MOST_WAYS:
        return "its repeats can share out one text in too many ways; give them upper bounds, or make them possessive"
    return None


def most_ways(regex: str) -> int:
    """A bound for the ways in which one place of a text can be matched: how often the regex can start over there."""
    return max(_ways(sequence, _NO_CHARS) * _leading_width(sequence) for sequence in parse(regex).parts)


def _any(node: Node, kind: str) -> bool:
    return node.kind == kind or any(_any(part, kind) for sequence in node.parts for part in sequence)


def _ways(sequence: Sequence[Node], follow: frozenset[str]) -> int:
    """A bound for the ways to match one text with the sequence, given what can come behind it."""
    ways = 1
    for place, node in enumerate(sequence):
        behind = _first(sequence[place + 1 :], follow)
        ways *= _node_ways(node, behind)
        if ways > _MOST_WAYS:
            break
    return ways


def _node_ways(node: Node, behind: frozenset[str]) -> int:
    if node.kind == "look":  # it never gives back, but may try all its ways before it fails
        ways = max((_ways(sequence, _NO_CHARS) for sequence in node.parts), default=1)
        return 1 if ways <= _MOST_WAYS else ways
    if node.kind == "group":
        ways = _alternatives(node, behind)
        return 1 if node.safe and ways <= _MOST_WAYS else ways
    if node.kind != "repeat":
        return 1
    (inner,) = node.parts[0]
    again = _first((inner,), _NO_CHARS)
    each = _node_ways(inner, behind | again) if node.most > 1 else _node_ways(inner, behind)
    if node.safe:
        return 1 if each <= _MOST_WAYS else each
    width = min(node.most, _WINDOW) - node.least + 1
    lengths = width if again & behind else 1
    rounds = min(node.most, _WINDOW)
    return lengths if each == 1 else min(_MOST_WAYS + 1, lengths * each ** min(rounds, 64))


def _alternatives(node: Node, behind: frozenset[str]) -> int:
    """Where no two alternatives can begin alike, or match nothing, only one of them applies; otherwise any may."""
    ways = [_ways(sequence, behind) for sequence in node.parts]
    firsts = [_first(sequence, behind) for sequence in node.parts]
    apart = all(not (one & two) for place, one in enumerate(firsts) for two in firsts[:place])
    empty = sum(all(map(_can_be_empty, sequence)) for sequence in node.parts)
    return max(ways) if apart and empty <= 1 else sum(ways)


def _first(sequence: Sequence[Node], follow: frozenset[str]) -> frozenset[str]:
    """The characters that a text matched by the sequence, or what comes behind it, can begin with."""
    chars = _NO_CHARS
    for node in sequence:
        chars |= node.chars
        for part in node.parts if node.kind != "look" else ():
            chars |= _first(part, _NO_CHARS)
        if not _can_be_empty(node):
            return chars
    return chars | follow


def _can_be_empty(node: Node) -> bool:
    if node.kind in ("look", "back"):
        return True
    if node.kind == "repeat" and node.least == 0:
        return True
    return bool(node.parts) and any(all(map(_can_be_empty, sequence)) for sequence in node.parts)


def _leading_width(sequence: Sequence[Node]) -> int:
    """How far the search reads from each place that it starts at before anything but a repeat must match."""
    for node in sequence:
        if node.kind == "look":
            continue
        if node.kind == "group" and len(node.parts) == 1:
            return _leading_width(node.parts[0])
        return min(node.most, _WINDOW) if node.kind == "repeat" and node.most == UNBOUNDED else 1
    return 1
