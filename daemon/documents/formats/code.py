"""Source code, cut at its definitions; where no grammar is at hand, at blank lines before flush lines."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import tree_sitter_c
import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from scrubjay.daemon.documents.extracted import DocumentPart
from scrubjay.daemon.documents.parsers.decode import as_text
from scrubjay.daemon.documents.parsers.sections import ParsedFile


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language: definitions, and those of them that contain others."""

    language: Language
    definitions: frozenset[str]
    containers: frozenset[str]

    def parser(self) -> Parser:
        """One that reads this language."""
        return Parser(self.language)


def _grammar(language: Callable[[], object], definitions: str, containers: str = "") -> Grammar:
    inner = frozenset(containers.split())
    return Grammar(Language(language()), frozenset(definitions.split()) | inner, inner)


_SCRIPT = (
    "function_declaration generator_function_declaration method_definition lexical_declaration type_alias_declaration"
    " enum_declaration export_statement"
)
_SCRIPT_TYPES = "class_declaration abstract_class_declaration interface_declaration internal_module"
_JAVA_TYPES = "class_declaration interface_declaration enum_declaration record_declaration"
_PYTHON = _grammar(tree_sitter_python.language, "function_definition decorated_definition", "class_definition")
_JAVASCRIPT = _grammar(tree_sitter_javascript.language, _SCRIPT, _SCRIPT_TYPES)
_TYPESCRIPT = _grammar(tree_sitter_typescript.language_typescript, _SCRIPT, _SCRIPT_TYPES)
_TSX = _grammar(tree_sitter_typescript.language_tsx, _SCRIPT, _SCRIPT_TYPES)
_JAVA = _grammar(tree_sitter_java.language, "method_declaration constructor_declaration", _JAVA_TYPES)
_C = _grammar(tree_sitter_c.language, "function_definition struct_specifier enum_specifier type_definition")
_GO = _grammar(tree_sitter_go.language, "function_declaration method_declaration type_declaration")
_RUST = _grammar(
    tree_sitter_rust.language, "function_item struct_item enum_item macro_definition", "impl_item trait_item mod_item"
)
GRAMMARS = {
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), _JAVASCRIPT),
    **dict.fromkeys((".c", ".h"), _C),
    ".py": _PYTHON,
    ".ts": _TYPESCRIPT,
    ".tsx": _TSX,
    ".java": _JAVA,
    ".go": _GO,
    ".rs": _RUST,
}
_PIECE = 1_500  # characters: what is shorter is not cut
_DEEPEST = 8  # definitions within definitions
_AT_MARGIN = re.compile(r"\n[ \t]*\n(?=[^\s)\]}])")


def reader_of(extension: str) -> Callable[[bytes], ParsedFile]:
    """What reads code with this extension."""
    grammar = GRAMMARS.get(extension)

    def read_code(data: bytes) -> ParsedFile:
        text = as_text(data)
        return ParsedFile(_at_definitions(text, grammar) if grammar else _at_margins(text))

    return read_code


@dataclass(frozen=True, slots=True)
class _Piece:
    begin: int  # bytes
    end: int
    label: str


def _at_definitions(text: str, grammar: Grammar) -> Iterator[DocumentPart]:
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
            yield DocumentPart(str(line), label, shown.strip("\n").rstrip())


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


def _at_margins(text: str) -> Iterator[DocumentPart]:
    """Blocks that begin at the margin after a blank line, gathered until they are long enough. Places are lines."""
    bounds = [0, *(match.end() for match in _AT_MARGIN.finditer(text)), len(text)]
    begin, line = 0, 1
    for end in bounds[1:]:
        if end - begin >= _PIECE or end == len(text):
            piece = text[begin:end]
            if piece.strip():
                blank = len(piece) - len(piece.lstrip("\n"))
                yield DocumentPart(str(line + blank), "", piece.strip("\n").rstrip())
            line += piece.count("\n")
            begin = end
