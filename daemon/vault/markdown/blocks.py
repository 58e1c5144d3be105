"""Cutting Markdown, and code, into pieces, coarse ones first: blocks, then the parts of one that is too long."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")
_LINE = re.compile(r"(?P<indent>[ \t>]*+)(?P<text>[^\n]*+)(?:\n|\Z)")
_MODIFIERS = (
    "abstract|async|const|constexpr|declare|default|export|extern|final|inline|internal|open|override|partial|private"
    "|protected|pub(?:\\([^)\n]*\\))?|public|sealed|static|suspend|unsafe|virtual"
)
_DEFINED = (
    "class|contract|def|defmodule|defp|enum|fn|fun|func|function|impl|interface|macro_rules!|module|namespace|object"
    "|package|proc|protocol|record|service|struct|sub|trait|type|union"
    "|(?i:create|alter|insert|select|with)"
)
_DEFINITION = re.compile(
    rf"(?:(?:{_MODIFIERS})\s++){{0,9}}+(?:{_DEFINED})\b"
    r"|(?!(?:if|for|while|switch|else|catch|do|return|when|match|with)\b)"
    r"[A-Za-z_][^\n=;(){}]*+\((?:[^\n;)]*+\))++(?:[^\n;=){]*+\{)++\s*+$"
    r"|\w[\w.-]*+\s*+\(\)\s*+\{"
)
_BEFORE_IT = re.compile(r"@|#|//|/\*|\*|--|;;|\[[A-Za-z]")  # decorators, attributes, comments
_GOES_ON = re.compile(r"[)\]}]|(?:end|else|elif|elsif|except|rescue|ensure|catch|finally|then|fi|done|esac)\b")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    indent: int  # -1 of a blank line
    text: str


def seams(code: str, *, inner: bool = False) -> list[int]:
    """The offsets of lines before which `code` may be cut, in order; never 0.

    They are lines of the least indentation that follow a blank line or begin a definition, together with the comments
    and decorators right above. inner: of the least indentation but one, such as the methods of a class. Lines that
    close something, and those of the fence around the code, stay with what is before them.
    """
    lines = _lines(code)
    depths = sorted({line.indent for line in lines if line.indent >= 0 and not _FENCE.match(line.text)})
    if len(depths) <= inner:
        return []
    depth = depths[1] if inner else depths[0]
    found: list[int] = []
    lead: int | None = None  # where the comments and decorators above this line begin
    is_first, is_after_blank = True, False
    for line in lines:
        if line.indent < 0 or _FENCE.match(line.text):
            is_after_blank, lead = line.indent < 0, None
            continue
        if line.indent == depth and not is_first and not _GOES_ON.match(line.text):
            start = line.start if lead is None else lead
            if (is_after_blank and lead is None) or _DEFINITION.match(line.text):
                found.append(start)
        is_before = line.indent == depth and _BEFORE_IT.match(line.text) is not None
        lead = (line.start if lead is None else lead) if is_before else None
        is_first, is_after_blank = False, False
    return sorted({offset for offset in found if offset})


def _lines(code: str) -> list[_Line]:
    return [
        _Line(match.start(), len(match["indent"].expandtabs(4)) if match["text"].strip() else -1, match["text"])
        for match in _LINE.finditer(code)
        if match[0]
    ]


PieceKind: TypeAlias = Literal[
    "section",
    "list",
    "table",
    "code",
    "definition",
    "statements",
    "code-lines",
    "text",
    "paragraph",
    "sentence",
    "line",
    "run",
]


@dataclass(slots=True)
class Piece:
    """Code points `start` to `end` of the body, with what surrounds them of white space."""

    start: int
    end: int
    kind: PieceKind
    tokens: int = -1  # -1 until counted
    header: "Piece | None" = None  # of a table's row its heading rows, of a list's item the one that it belongs to


_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_ITEM = r"(?:[-*+]|\d{1,9}[.)])[ \t]"
_LIST = re.compile(rf"([ \t>]*){_ITEM}")
_ANY_ITEM = re.compile(rf"\n(?=[ \t>]*{_ITEM})")
_TABLE = re.compile(r"[^\n]*+\n[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[-: \t|]*+)?(?:\n|\Z)")
_BLOCK_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"(?<!\n\d)(?<!\n\d\d)(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+\s+|[。！？；]+[”’」』）]*\s*")
_RUNS_A_PASSAGE = 8  # a line is cut so fine that the passages made of its pieces come out nearly full
_FINER: dict[PieceKind, tuple[re.Pattern[str], PieceKind]] = {
    "paragraph": (_SENTENCE, "sentence"),
    "sentence": (_BLOCK_LINE, "line"),
    "statements": (_BLANK_LINES, "code-lines"),
    "code-lines": (_BLOCK_LINE, "line"),
}


def blocks(body: str, start: int, end: int, fences: Sequence[tuple[int, int]]) -> list[Piece]:
    """The blocks between two offsets: fenced code, lists with their blank lines, tables, paragraphs. None is blank."""
    found: list[Piece] = []
    at = start
    for fence_start, fence_end in fences:
        if at <= fence_start < end:
            found.extend(_unfenced(body, at, fence_start))
            at = min(fence_end, end)
            found.append(Piece(fence_start, at, "code"))
    found.extend(_unfenced(body, at, end))
    return found


def finer(body: str, piece: Piece, fences: Sequence[tuple[int, int]], budget: int) -> list[Piece]:
    """The pieces of a finer kind that `piece`, which has more tokens than `budget`, falls into.

    At least two, or `piece` itself where it is a single code point. They cover it but for blank lines.
    """
    while True:
        kind = piece.kind
        if kind == "section":
            parts = blocks(body, piece.start, piece.end, fences)
        elif kind == "list":
            parts = _items(body, piece)
        elif kind == "table":
            parts = _rows(body, piece)
        elif kind == "text":
            parts = _nested_items(body, piece)
        elif kind == "code":
            parts = _pieces_at(piece, seams(body[piece.start : piece.end]), "definition")
        elif kind == "definition":
            parts = _pieces_at(piece, seams(body[piece.start : piece.end], inner=True), "statements")
        elif kind in _FINER:
            boundary, next_kind = _FINER[kind]
            parts = _cut(body, piece, boundary, next_kind)
        else:
            return _runs(body, piece, budget)
        if len(parts) > 1:
            return parts
        piece = replace(parts[0], tokens=piece.tokens)


def _unfenced(body: str, start: int, end: int) -> list[Piece]:
    text_start = end - len(body[start:end].lstrip())
    start = max(start, body.rfind("\n", start, text_start) + 1)  # of the first line that is not blank
    found: list[Piece] = []
    in_list = False
    for block_start, block_end in _between(body, start, end, _BLANK_LINES):
        is_list = _LIST.match(body, block_start) is not None
        if in_list and (is_list or body[block_start] in " \t"):
            found[-1].end = block_end  # blank lines between the items do not end a list
            continue
        in_list = is_list
        is_table = not is_list and "|" in body[block_start:block_end] and _TABLE.match(body, block_start, block_end)
        found.append(Piece(block_start, block_end, "list" if is_list else "table" if is_table else "text"))
    return found


def _between(body: str, start: int, end: int, boundary: re.Pattern[str]) -> list[tuple[int, int]]:
    """The stretches that `boundary` ends, and the rest, without blank ones."""
    cuts = [match.end() for match in boundary.finditer(body, start, end)]
    stretches = zip([start, *cuts], [*cuts, end], strict=True)
    return [(one, other) for one, other in stretches if other > one and not body[one:other].isspace()]


def _cut(body: str, piece: Piece, boundary: re.Pattern[str], kind: PieceKind) -> list[Piece]:
    stretches = _between(body, piece.start, piece.end, boundary)
    return [Piece(start, end, kind, header=piece.header) for start, end in stretches]


def _pieces_at(piece: Piece, offsets: Sequence[int], kind: PieceKind) -> list[Piece]:
    edges = [piece.start, *(piece.start + offset for offset in offsets), piece.end]
    return [Piece(start, end, kind) for start, end in pairwise(edges)]


def _items(body: str, piece: Piece) -> list[Piece]:
    """The outermost items: those indented like the first."""
    first = _LIST.match(body, piece.start)
    indent = re.escape(first[1]) if first else ""
    return _cut(body, piece, re.compile(rf"\n(?={indent}{_ITEM})"), "text")


def _nested_items(body: str, piece: Piece) -> list[Piece]:
    """The lines before the first item within, and each item by itself, with the one that it is indented under."""
    parts = _cut(body, piece, _ANY_ITEM, "paragraph")
    above: list[tuple[int, Piece]] = []
    for part in parts:
        item = _LIST.match(body, part.start)
        indent = len(item[1]) if item else -1
        while above and above[-1][0] >= indent:
            above.pop()
        part.header = above[-1][1] if above else piece.header
        above.append((indent, part))
    return parts


def _rows(body: str, piece: Piece) -> list[Piece]:
    rows = _between(body, piece.start, piece.end, _BLOCK_LINE)
    header = Piece(piece.start, rows[1][1], "line")
    return [header, *[Piece(start, end, "line", header=header) for start, end in rows[2:]]]


def _runs(body: str, piece: Piece, budget: int) -> list[Piece]:
    """Short stretches of a line that has no better place to be cut, at a space where there is one."""
    parts = max(2, piece.tokens * _RUNS_A_PASSAGE // budget)
    step = -(-(piece.end - piece.start) // parts)
    runs: list[Piece] = []
    at = piece.start
    while piece.end - at > step:
        space = body.rfind(" ", at + step // 2, at + step)
        cut = space + 1 if space >= 0 else at + step
        runs.append(Piece(at, cut, "run", header=piece.header))
        at = cut
    return [*runs, Piece(at, piece.end, "run", header=piece.header)]
