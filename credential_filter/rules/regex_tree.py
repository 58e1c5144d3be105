"""A regex as a tree: just enough of its syntax to reason about how long it can run."""

from __future__ import annotations

import re
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
