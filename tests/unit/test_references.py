"""Names in back ticks, and of what is raised, in comments and docstrings of the product: it has them."""

import ast
import builtins
import functools
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOP = ("daemon", "profiles", "credential_filter")

_TICKED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PATH = re.compile(rf"(?:{'|'.join(TOP)})/[\w./]+")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_CLASS = re.compile(r"_?[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)*")
_SNAKE = re.compile(r"_?[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_RAISED = re.compile(r"\bRaises (?:as )?(?![A-Z]+\b)([A-Z]\w+)(?![\w.])")
_TELLING_COMMENT = re.compile(r"#[^\n]*(?:`|\bRaises )")
_FILE = re.compile(r".+\.(?:csv|db|html|js|json|jsonl|md|py|sqlite3|toml|ts|txt|yaml|yml)")


class Product:
    """What the product's code names: modules, and whatever is defined, imported or used. texts: its own strings."""

    def __init__(self, files: dict[Path, ast.Module]) -> None:
        self.modules = {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in files}
        self.names = {module.rpartition(".")[2] for module in self.modules}
        texts: list[str] = []
        for tree in files.values():
            told = {id(text) for text, _ in _docstrings(tree)}
            for node in ast.walk(tree):
                match node:
                    case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                        self.names.add(name)
                    case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                        self.names.add(name)
                    case ast.alias(name=name):
                        self.names |= {*name.split("."), node.asname or ""}
                    case ast.Constant(value=str(text)) if id(node) not in told:
                        texts.append(text)
                    case _:
                        pass
        texts += [path.read_text(encoding="utf-8") for top in TOP for path in (ROOT / top).rglob("*.sql")]
        self.texts = "\n".join(texts)

    def has(self, name: str) -> bool:
        """Whether the name is one of the product's, or none that it would have: a word, a value, an example."""
        if _PATH.fullmatch(name):
            return (ROOT / name).exists()
        if (
            hasattr(builtins, name) or _FILE.fullmatch(name) or (name.islower() and name in self.texts)
        ):  # as those of SQL's tables are
            return True
        if _DOTTED.fullmatch(name):
            parts = name.removeprefix("scrubjay.").split(".")
            return ".".join(parts) in self.modules or self.names.issuperset(parts)
        return name in self.names or not (_CLASS.fullmatch(name) or _SNAKE.fullmatch(name))


def _docstrings(node: ast.AST) -> Iterator[tuple[ast.Constant, int]]:
    """Strings that stand by themselves: docstrings, and what is said below a name. With their lines."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, block, ()):
            if isinstance(each, ast.Expr):
                if isinstance(each.value, ast.Constant) and isinstance(each.value.value, str):
                    yield each.value, each.lineno
            else:
                yield from _docstrings(each)


def _said(source: str, tree: ast.Module) -> Iterator[tuple[str, int]]:
    for text, line in _docstrings(tree):
        yield str(text.value), line
    if not _TELLING_COMMENT.search(source):
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string, token.start[0]


def test_every_name_that_a_comment_or_docstring_refers_to_is_there() -> None:
    sources = {
        path.relative_to(ROOT): path.read_text(encoding="utf-8") for top in TOP for path in (ROOT / top).rglob("*.py")
    }
    trees = {path: ast.parse(source) for path, source in sources.items()}
    has = functools.cache(Product(trees).has)
    missing = [
        f"{path}:{line}: `{name}`"
        for path, source in sources.items()
        for text, line in _said(source, trees[path])
        for name in (*_TICKED.findall(text), *_RAISED.findall(text))
        if not has(name)
    ]
    assert missing == []


def test_a_name_that_is_not_there_is_found() -> None:
    source = '"""See `Line`, `mending.Near`, `old_file` and `daemon/away.py`; `Product`, `log4j` and `a b` are fine."""'
    tree = ast.parse(f"{source}\nclass Product: ...\n")
    product = Product({Path("daemon/some.py"): tree})
    names = _TICKED.findall(source)
    assert [name for name in names if not product.has(name)] == ["Line", "mending.Near", "old_file", "daemon/away.py"]
