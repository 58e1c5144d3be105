"""`make mutants FOLDER=…`: mistakes are made in a folder's code, one at a time; it names what no unit test notices."""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.check.import_graph import python_sources, touched_tests

_ROOT = Path(__file__).parents[2]
_MOST_FILES = 30  # of tests, the nearest; what is farther away imports nearly everything
_MOST_SECONDS = 240  # a loop without an end is noticed
_TESTS = ("-m", "pytest", "-q", "-x", "-m", "not slow", "-p", "no:cacheprovider")
_OTHER: Mapping[type[ast.AST], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is", ast.And: "or", ast.Or: "and",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*",
}  # fmt: skip


class Mutant(NamedTuple):
    """A mistake: bytes `start` to `stop` of a source, which begin on this line, read `new`."""

    line: int
    start: int
    stop: int
    new: str


def mutants(source: bytes) -> list[Mutant]:
    """A mistake for each comparison, `and`, `or`, `not`, sum, number, flag, result, call, `continue`; two an `if`."""
    return [each for each in _Mistakes(source).found(ast.parse(source)) if _compiles(mutated(source, each))]


def mutated(source: bytes, mutant: Mutant) -> bytes:
    """The source with the mistake in it."""
    return source[: mutant.start] + mutant.new.encode() + source[mutant.stop :]


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def _working(node: ast.AST) -> Iterable[ast.AST]:
    """What there is in it, without types, decorators and defaults, which do no work."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.body
        case ast.AnnAssign(value=value):
            return [value] if value is not None else []
        case ast.JoinedStr():
            return []  # within it, Python 3.11 does not tell where things stand
        case _:
            return ast.iter_child_nodes(node)


class _Mistakes:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def found(self, node: ast.AST) -> Iterator[Mutant]:
        if isinstance(node, ast.expr | ast.stmt):
            yield from self._of(node)
        for each in _working(node):
            yield from self.found(each)

    def _of(self, node: ast.expr | ast.stmt) -> Iterator[Mutant]:
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                yield from self._between(left, right, _OTHER.get(type(operator)))
            case ast.BoolOp(op=operator, values=[left, right, *_]) | ast.BinOp(op=operator, left=left, right=right):
                yield from self._between(left, right, _OTHER.get(type(operator)))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield Mutant(node.lineno, self._start(node), self._start(operand), "")
            case ast.Constant(value=bool() as flag):
                yield self._whole(node, str(not flag))
            case ast.Constant(value=int() as number):
                yield self._whole(node, str(number + 1))
            case ast.If(test=test):
                yield from (self._whole(test, "False"), self._whole(test, "True"))
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield self._whole(value, "None")
            case ast.Expr(value=ast.Call()):
                yield self._whole(node, "None")
            case ast.Continue():
                yield self._whole(node, "break")
            case _:
                pass

    def _between(self, left: ast.expr, right: ast.expr, other: str | None) -> Iterator[Mutant]:
        start, stop = self._stop(left), self._start(right)
        if other is not None and not set(b"()#\n") & set(self._source[start:stop]):
            yield Mutant(left.lineno, start, stop, f" {other} ")

    def _whole(self, node: ast.expr | ast.stmt, new: str) -> Mutant:
        return Mutant(node.lineno, self._start(node), self._stop(node), new)

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _stop(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset


def main() -> int:
    """Print a line for each mistake that no test noticed, and how many were made."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("folder", help="credential_filter, profiles/search, …")
    parser.add_argument("--count", type=int, default=40, help="how many mistakes are made, drawn from all there are")
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same ones from the same code")
    given = parser.parse_args()
    os.chdir(_ROOT)
    drawn = [(path, each) for path in sorted(Path(given.folder).rglob("*.py")) for each in mutants(path.read_bytes())]
    random.Random(given.seed).shuffle(drawn)
    sources = python_sources()
    lived = 0
    with tempfile.TemporaryDirectory() as place:
        package = Path(place, "scrubjay")
        shutil.copytree("build/package/scrubjay", package, ignore=shutil.ignore_patterns("__pycache__"))
        for path, mutant in drawn[: given.count]:
            tests = [test for test in touched_tests([path.as_posix()], sources) if test.startswith("tests/unit/")]
            right = path.read_bytes()
            (package / path).write_bytes(mutated(right, mutant))
            if not _is_noticed(place, tests[:_MOST_FILES]):
                lived += 1
                old, line = right[mutant.start : mutant.stop].decode(), right.splitlines()[mutant.line - 1].decode()
                print(f"{path}:{mutant.line}: {old!r} -> {mutant.new!r}: {line.strip()}", flush=True)
            (package / path).write_bytes(right)
    print(f"{lived} of {min(given.count, len(drawn))} lived ({given.folder}, seed {given.seed})")
    return 0


def _is_noticed(place: str, tests: list[str]) -> bool:
    """Whether a test fails on the package that lies in this place."""
    environment = os.environ | {"PYTHONPATH": place, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *_TESTS, *tests]
    try:
        run = subprocess.run(command, check=False, env=environment, capture_output=True, timeout=_MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
