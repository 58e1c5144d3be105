"""docs/architecture.md lists every thread, job and lock: none is made that it does not name, and it names no other."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
# Where each of what makes a thread, or a job, has its name: the position, and the keyword.
THREADS = {
    "Thread": (None, "name"),
    "ThreadPoolExecutor": (1, "thread_name_prefix"),
    "Loop": (0, "name"),
    "_Lane": (0, "name"),
}
JOBS = {"Job": (0, "name")}
LOCKS = {"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore", "Barrier", "SharedLock"}
TOLD = {*THREADS, *JOBS, *LOCKS, "Timer"}
Code: TypeAlias = Mapping[str, Sequence[tuple[str, ast.Call]]]
"""By path: the calls of what is told of, each with its name."""
OF_PYTHON = {"MainThread", "asyncio"}
OF_A_MOMENT = {"daemon/cli/machine/index.py"}  # a command's own, beside its progress bar


@pytest.fixture(scope="module")
def code() -> Code:
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for package in ("daemon", "profiles", "credential_filter")
        for path in sorted((ROOT / package).rglob("*.py"))
    }
    return {
        path: tuple(calls(ast.parse(text))) for path, text in texts.items() if any(f"{name}(" in text for name in TOLD)
    }


def table(first_column: str) -> set[str]:
    """What stands in the first column of the table with this heading."""
    rows = re.search(rf"^\| {first_column} \|.*\n\|[ -|]+\|\n((?:\|.*\n)+)", MAP, re.MULTILINE)
    assert rows is not None
    return {name for row in rows[1].splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            name = getattr(function, "attr", None) or getattr(function, "id", "")
            if name in TOLD:
                yield str(name), node


def named(code: Code, kinds: Mapping[str, tuple[int | None, str]]) -> set[str]:
    """The names that the code gives to what is of these kinds; "?" and the file for one that has none."""
    found: set[str] = set()
    for path, found_calls in code.items():
        for kind, call in found_calls:
            if kind in kinds and path not in OF_A_MOMENT:
                position, keyword = kinds[kind]
                values = [each.value for each in call.keywords if each.arg == keyword]
                values += [] if position is None else call.args[position : position + 1]
                if not values:
                    found.add(f"? in {path}")
                elif isinstance(values[0], ast.Constant):  # else it is passed on from where it is said
                    found.add(str(values[0].value))
    return found


def test_every_thread_is_in_the_table_by_its_name_and_no_other(code: Code) -> None:
    assert table("thread") == named(code, THREADS) | OF_PYTHON


def test_every_job_is_in_the_table_and_no_other(code: Code) -> None:
    assert table("job") == named(code, JOBS)


def test_every_file_with_a_lock_is_in_the_table_and_no_other(code: Code) -> None:
    assert table("file") == {path for path, found in code.items() if any(kind in LOCKS for kind, _ in found)}


def test_no_timer_has_a_thread_where_a_job_will_do(code: Code) -> None:
    users = {path for path, found in code.items() if any(kind == "Timer" for kind, _ in found)}
    assert users == {"daemon/cli/hook_guard.py"}, "which ends a command, without a scheduler"
