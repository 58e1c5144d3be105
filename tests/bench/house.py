"""`make house`: how large the house is, and how far it is through it. Figures to look at; nothing is enforced.

A figure that is bettered by making a reader's way longer is none the better for it.
"""

import ast
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath

import grimp

from tests.bench.hops import FOLDERS, ROOT, passed

_PANEL = "obsidian-plugin/src"
_GENERATED = {"obsidian-plugin/src/api/wire.ts", "obsidian-plugin/src/words/keys.ts"}
# Whose members are called as those of another family: an endpoint, its handler, its command.
_FAMILIES = (
    "credential_filter/finders",
    "credential_filter/languages",
    "credential_filter/rules",
    "daemon/cli",
    "daemon/documents/formats",
    "daemon/mcp/tools",
    "daemon/review/finders",
    "daemon/server/endpoints",
    "daemon/server/handlers",
)
_THREADS = {"threading.Thread", "threading.Timer", "concurrent.futures.ThreadPoolExecutor"}
_LOCKS = {
    f"{module}.{kind}"
    for module in ("threading", "asyncio")
    for kind in ("BoundedSemaphore", "Condition", "Event", "Lock", "RLock", "Semaphore")
}


def repeated_names(files: Iterable[str]) -> dict[str, list[str]]:
    """The names that files have in two folders or more, families aside, with these folders."""
    folders: defaultdict[str, set[str]] = defaultdict(set)
    for file in map(PurePosixPath, files):
        if not (file.stem.startswith("__") or str(file).startswith(tuple(f"{family}/" for family in _FAMILIES))):
            folders[file.name].add(str(file.parent))
    return {name: sorted(found) for name, found in sorted(folders.items()) if len(found) > 1}


def lines_of_code(typescript: str) -> int:
    """Lines that are neither empty nor within a comment of their own."""
    count, is_comment = 0, False
    for line in map(str.strip, typescript.splitlines()):
        is_comment = is_comment or line.startswith("/*")
        count += bool(line) and not is_comment and not line.startswith("//")
        is_comment = is_comment and not line.endswith("*/")
    return count


def cycles(imported: Mapping[str, Collection[str]]) -> list[set[str]]:
    """The sets of modules that import each other, directly or not. imported: what each imports directly."""
    reached = {module: _reached(module, imported) for module in imported}
    found = {frozenset(other for other in reached[module] if module in reached[other]) for module in imported}
    return sorted((set(each) for each in found if each), key=sorted)


def _reached(module: str, imported: Mapping[str, Collection[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(imported[module])
    while waiting:
        if (one := waiting.pop()) not in found:
            found.add(one)
            waiting.extend(imported[one])
    return found


def made(tree: ast.AST) -> Counter[str]:
    """How often a module makes what it has from elsewhere, by the full name: `threading.Lock`."""
    full = {
        each.asname or each.name: f"{node.module}.{each.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            makers = [node.func, *(each.value for each in node.keywords if each.arg == "default_factory")]
            found.update(full.get(name, name) for name in map(ast.unparse, makers))
    return found


def main() -> None:
    """Count, trace and print."""
    code = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    panel = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / _PANEL).rglob("*.ts"))}
    folders = {str(PurePosixPath(path).parent) for path in code}
    repeated = repeated_names(code)
    calls = sum((made(ast.parse(text)) for text in code.values()), Counter[str]())
    verbs = sorted(each for each in folders if each.endswith("ing") and not each.endswith("indexing"))
    graph = grimp.build_graph("scrubjay", exclude_type_checking_imports=True, cache_dir=None)
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    circles = cycles(imported)
    way = passed()
    rows: list[tuple[str, object, str]] = [
        ("product Python: lines", sum(len(text.splitlines()) for text in code.values()), "56,000"),
        ("product Python: files", len(code), "380"),
        ("product Python: folders", len(folders), "45"),
        ("file names in two folders, families aside", len(repeated), "20"),
        ("folders in -ing, but indexing", len(verbs), "0"),
        (
            "panel: lines of code",
            sum(lines_of_code(p.read_text("utf-8")) for n, p in panel.items() if n not in _GENERATED),
            "8,500",
        ),
        ("files that a note passes", len({step.file for step in way.note}), "55"),
        ("files that a query passes, to ranked results", len({step.file for step in way.ranked}), "42"),
        ("files that a query passes, to its reply", len({step.file for step in way.replied}), ""),
        ("frames of ours above a query's SQL, in its thread", way.frames, "10"),
        ("import cycles", len(circles), "0"),
        ("places that make threads, pools and timers", sum(calls[name] for name in _THREADS), "19"),
        ("places that make locks and events", sum(calls[name] for name in _LOCKS), "30"),
    ]
    print(f"{time.strftime('%Y-%m-%d')}\n{'':<52}{'now':>8}{'aim':>9}")
    for title, value, aim in rows:
        print(f"{title:<52}{value:>8,}{aim:>9}")
    for name, found in repeated.items():
        print(f"  {name}: {', '.join(found)}")
    for folder in verbs:
        print(f"  {folder}/")
    for circle in circles:
        print(f"  a cycle: {', '.join(sorted(circle))}")


if __name__ == "__main__":
    main()
