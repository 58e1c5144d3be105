"""tree-sitter's grammars, by extension, and which of their nodes are definitions."""

from collections.abc import Callable
from dataclasses import dataclass

import tree_sitter_c
import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Parser


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
