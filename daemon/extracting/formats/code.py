"""Source code, cut at its definitions; where no grammar is at hand, at blank lines before lines at the margin."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from tree_sitter import Node

from scrubjay.daemon.extracting.extracted import Part
from scrubjay.daemon.extracting.reading.decode import as_text
from scrubjay.daemon.extracting.reading.found import Found
from scrubjay.daemon.extracting.reading.grammars import GRAMMARS, Grammar

_PIECE = 1_500  # characters: what is shorter is not cut
_DEEPEST = 8  # definitions within definitions
_AT_MARGIN = re.compile(r"\n[ \t]*\n(?=[^\s)\]}])")


def reader_of(extension: str) -> Callable[[bytes], Found]:
    """What reads code with this extension."""
    grammar = GRAMMARS.get(extension)

    def read_code(data: bytes) -> Found:
        text = as_text(data)
        return Found(_at_definitions(text, grammar) if grammar else _at_margins(text))

    return read_code


@dataclass(frozen=True, slots=True)
class _Piece:
    begin: int  # bytes
    end: int
    label: str


def _at_definitions(text: str, grammar: Grammar) -> Iterator[Part]:
    """A part for each definition, labelled with its qualified name, and for what lies between. Places are lines."""
    data = text.encode()
    root = grammar.parser().parse(data).root_node
    pieces = _joined(_pieces(root, grammar, data, "", _DEEPEST))
    bounds = [0, *(_line_begin(data, piece.begin) for piece in pieces[1:]), len(data)]
    labels = [piece.label for piece in pieces] or [""]
    line, counted = 1, 0
    for label, (begin, end) in zip(labels, pairwise(bounds), strict=True):
        shown = data[begin:end].decode("utf-8", "replace")
        blank = len(shown) - len(shown.lstrip("\n"))
        line += data.count(b"\n", counted, begin + blank)
        counted = begin + blank
        if shown.strip():
            yield Part(str(line), label, shown.strip("\n").rstrip())


def _joined(pieces: Iterator[_Piece]) -> list[_Piece]:
    """Without cuts between short pieces of the same definition, as a class's head and what its body begins with."""
    joined: list[_Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and last.label == piece.label and piece.end - last.begin <= _PIECE:
            joined[-1] = _Piece(last.begin, piece.end, last.label)
        else:
            joined.append(piece)
    return joined


def _line_begin(data: bytes, at: int) -> int:
    """Where the line begins, if nothing but its indentation stands before."""
    begin = data.rfind(b"\n", 0, at) + 1
    return at if data[begin:at].strip() else begin


def _pieces(node: Node, grammar: Grammar, data: bytes, outer: str, depth: int) -> Iterator[_Piece]:
    """The definitions below a node and what stands between them; a comment belongs to what follows it at once."""
    gap: int | None = None
    comment: int | None = None
    for child in node.children:
        if child.type.endswith("comment"):
            comment = child.start_byte if comment is None else comment
            continue
        begin = child.start_byte if comment is None else comment
        comment = None
        if child.type not in grammar.definitions:
            gap = begin if gap is None else gap
            continue
        if gap is not None:
            yield _Piece(gap, begin, outer)
            gap = None
        defined = child.child_by_field_name("definition") or child.child_by_field_name("declaration") or child
        name = _name(defined, data)
        label = f"{outer}.{name}" if outer and name else name or outer
        body = defined.child_by_field_name("body") if defined.type in grammar.containers else None
        if body and depth and child.end_byte - begin > _PIECE:
            yield _Piece(begin, body.start_byte, label)
            yield from _pieces(body, grammar, data, label, depth - 1)
        else:
            yield _Piece(begin, child.end_byte, label)
    for rest in (gap, comment):
        if rest is not None:
            yield _Piece(rest, node.end_byte, outer)
            return


def _name(node: Node, data: bytes) -> str:
    """What a definition defines: its name, or the type that it is about; "" where that can't be told."""
    for _ in range(_DEEPEST):
        found = next(filter(None, map(node.child_by_field_name, ("name", "declarator", "type"))), None)
        if found is None:  # as where several things may be declared at once
            found = next((child for child in node.named_children if child.type.endswith(("declarator", "spec"))), None)
        if found is None:
            return ""
        if not found.named_children:
            return data[found.start_byte : found.end_byte].decode("utf-8", "replace")
        node = found
    return ""


def _at_margins(text: str) -> Iterator[Part]:
    """Blocks that begin at the margin after a blank line, gathered until they are long enough. Places are lines."""
    bounds = [0, *(match.end() for match in _AT_MARGIN.finditer(text)), len(text)]
    begin, line = 0, 1
    for end in bounds[1:]:
        if end - begin >= _PIECE or end == len(text):
            piece = text[begin:end]
            if piece.strip():
                blank = len(piece) - len(piece.lstrip("\n"))
                yield Part(str(line + blank), "", piece.strip("\n").rstrip())
            line += piece.count("\n")
            begin = end
