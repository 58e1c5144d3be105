"""Which tests a change touches, by who imports what; read off the text, since nothing here may take a minute."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_INSTALLED = ("credential_filter", "daemon", "profiles")
# What a page or a file of settings says is checked by tests that name it.
_NAMED_IN_TESTS = frozenset({".md", ".toml", ".yml", ".json", ".sh", ".lock"})


def python_sources() -> dict[str, str]:
    """The text of each Python file of the tree that this is run in, by its path, also of what git does not know yet."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    paths = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()
    return {path: Path(path).read_text("utf-8") for path in paths if Path(path).is_file()}


def touched_tests(changed: Collection[str], sources: Mapping[str, str]) -> list[str]:
    """The test files that the changed files touch, the nearest first; of two as near, the unit test.

    A test touches what it imports, its conftest files, and whatever these import in their turn; and a file that is no
    code where its name stands in the test.

    Args:
        changed: paths from the root of the tree, with `/`; also those of files that are gone.
        sources: the text of each Python file by its path.
    """
    distances = _distances(changed, _importers(sources))
    for path in changed:
        named = PurePosixPath(path).name
        if PurePosixPath(path).suffix in _NAMED_IN_TESTS or named == "Makefile":
            for test, text in sources.items():
                if named in text:
                    distances.setdefault(test, 1)
    tests = [path for path in distances if is_test(path) and path in sources]
    return sorted(tests, key=lambda path: (distances[path], not path.startswith("tests/unit/"), path))


def is_test(path: str) -> bool:
    """Whether pytest collects this file."""
    return path.startswith("tests/") and PurePosixPath(path).match("test_*.py")


def _distances(changed: Iterable[str], importers: Mapping[str, Collection[str]]) -> dict[str, int]:
    distances = dict.fromkeys(changed, 0)
    queue = list(distances)
    for path in queue:
        for importer in sorted(importers.get(_module(path), ())):
            if importer not in distances:
                distances[importer] = distances[path] + 1
                queue.append(importer)
    return distances


def _importers(sources: Mapping[str, str]) -> dict[str, set[str]]:
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for path, text in sources.items():
        for module in _imports(text):
            importers[module].add(path)
        if is_test(path):
            for folder in PurePosixPath(path).parents:
                importers[_module(f"{folder}/conftest.py")].add(path)
    return importers


def _imports(text: str) -> Iterable[str]:
    """What may be a module among the names that a text imports: of `from a import b`, both `a` and `a.b`."""
    for package, names, modules in _IMPORT.findall(text):
        if package:
            yield package
        for name in re.findall(r"[\w.]+", re.sub(r"#.*|\bas\s+\w+", "", names or modules)):
            yield f"{package}.{name}" if package else name


def _module(path: str) -> str:
    """The name that a file is imported by."""
    parts = PurePosixPath(path).with_suffix("").parts
    if parts[-1] == "__init__":
        parts = parts[:-1]
    if parts[:1] == ("packaging",):
        return parts[-1]  # scripts, which import each other as they lie there
    return ".".join(("scrubjay", *parts) if parts[0] in _INSTALLED else parts)
