"""`make check`: lints the files that changed and runs the tests that they touch, in about a minute."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.check.import_graph import python_sources, touched_tests

_ROOT = Path(__file__).parents[2]
_PANEL = "obsidian-plugin/"
_SECONDS = 45.0
_LEAST_SECONDS = 10.0  # of tests, where a busy machine has taken long to import them
_MOST_FILES = 25  # to import all tests takes longer than there is
# Quick, and about every file.
_ALWAYS = ("tests/unit/test_map.py", "tests/unit/test_references.py")


class Deadline:
    """A pytest plugin that begins no test when `seconds` have passed since it was made, and counts those that it left.

    There are ten seconds for tests even so.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.left = 0

    def pytest_collection_finish(self) -> None:
        self._end = max(self._end, time.monotonic() + _LEAST_SECONDS)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        if time.monotonic() < self._end:
            return None
        self.left += 1
        return True


def main() -> int:
    """Whether the change holds: 0, or 1 after what failed was printed."""
    parser = argparse.ArgumentParser(prog="make check", description=__doc__)
    parser.add_argument("--base", default="main", help="the branch or commit that the tree is compared with")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="until when to begin further tests")
    given = parser.parse_args()
    os.chdir(_ROOT)
    changed = list(_changed(given.base))
    if not changed:
        print(f"Nothing differs from {given.base}.")
        return 0
    present = [path for path in changed if Path(path).is_file()]
    linters = [_Linter(command, folder) for command, folder in _linters(present)]
    failed = ["pytest"] if not _run_tests(changed, given.seconds) else []
    failed += [linter.name for linter in linters if not linter.is_content()]
    print(f"failed: {', '.join(failed)}" if failed else "Nothing wrong with what changed. `make test` runs all tests.")
    return 1 if failed else 0


class _Linter:
    """A command that runs beside the tests; what it has to say, it says after them."""

    def __init__(self, command: list[str], folder: str) -> None:
        self.name = " ".join(Path(part).name for part in command[:3] if not part.startswith("-"))
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - read and closed once the command has ended
        self._process = subprocess.Popen(command, cwd=folder, stdout=self._said, stderr=subprocess.STDOUT)

    def is_content(self) -> bool:
        """Whether nothing is wrong; what is, is printed."""
        status = self._process.wait()
        with self._said as said:
            said.seek(0)
            if status != 0:
                print(said.read().decode("utf-8", "replace"))
        return status == 0


def _changed(base: str) -> Iterator[str]:
    """Every path that differs from where this branch left `base`, whether committed, staged or neither."""
    left = _git("merge-base", "HEAD", base)
    yield from _git("diff", "--name-only", left).splitlines()
    yield from _git("ls-files", "--others", "--exclude-standard").splitlines()


def _git(*args: str) -> str:
    return subprocess.run(["git", *args], capture_output=True, text=True, check=True).stdout.strip()


def _linters(present: list[str]) -> Iterator[tuple[list[str], str]]:
    """Each command and its folder."""
    python = [path for path in present if path.endswith(".py")]
    panel = [path.removeprefix(_PANEL) for path in present if path.startswith(_PANEL)]
    typescript = [path for path in panel if path.endswith(".ts")]
    tools = Path(sys.executable).parent
    if python:
        yield [f"{tools}/ruff", "check", "--quiet", *python], "."
        yield [f"{tools}/ruff", "format", "--quiet", "--check", *python], "."
        yield [f"{tools}/pyright", *(_as_installed(path) for path in python)], "."
        yield [f"{tools}/lint-imports", "--no-logo"], "."
    if panel:
        yield ["npx", "--no-install", "prettier", "--log-level", "warn", "--ignore-unknown", "--check", *panel], _PANEL
    if typescript:
        yield ["npx", "--no-install", "eslint", *typescript], _PANEL
        yield ["npx", "--no-install", "tsc", "-noEmit"], _PANEL
        yield (
            [
                "npx",
                "--no-install",
                "vitest",
                "related",
                "--run",
                "--project",
                "unit",
                "--project",
                "plugin",
                *typescript,
            ],
            _PANEL,
        )


def _as_installed(path: str) -> str:
    """The path that the type checker knows a module by: pyproject.toml includes the links, not what they lead to."""
    linked = Path("build/package/scrubjay", path)
    return str(linked) if linked.exists() else path


def _run_tests(changed: list[str], seconds: float) -> bool:
    touched = touched_tests(changed, python_sources())
    tests = [*_ALWAYS, *(path for path in touched if path not in _ALWAYS)]
    deadline = Deadline(seconds)
    status = pytest.main(["-q", "-m", "not slow", *tests[:_MOST_FILES]], plugins=[deadline])
    if deadline.left or tests[_MOST_FILES:]:
        files = len(tests[_MOST_FILES:])
        print(f"What is further away was left to `make test`: {deadline.left} of these tests, and {files} files.")
    return status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


if __name__ == "__main__":
    sys.exit(main())
