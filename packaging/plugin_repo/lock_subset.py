"""A part of npm's lock file: what some packages need, at the versions that the whole has."""

from collections.abc import Iterator
from typing import Any

Tree = dict[str, Any]


def subset(lock: Tree, about: Tree) -> Tree:
    """The lock file for a package.json that asks for fewer packages than the one that `lock` was made for.

    A name is looked up as Node does it: in the `node_modules` of whoever needs it, then of each folder above. Raises
    KeyError for a package that the lock file does not have.
    """
    packages: Tree = lock["packages"]
    root = {name: about[name] for name in ("name", "version", "license", "engines", "devDependencies")}
    kept: Tree = {"": root}
    for path in sorted(_closure(packages, about["devDependencies"])):
        kept[path] = packages[path]
    return {**{name: lock[name] for name in ("lockfileVersion", "requires")}, **_named(about), "packages": kept}


def _named(about: Tree) -> Tree:
    return {"name": about["name"], "version": about["version"]}


def _closure(packages: Tree, wanted: Tree) -> set[str]:
    found: set[str] = set()
    waiting = [_place(packages, "", name) for name in wanted]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        waiting += _needs(packages, path)
    return found


def _needs(packages: Tree, path: str) -> Iterator[str]:
    entry: Tree = packages[path]
    optional = {*entry.get("optionalDependencies", {})}
    optional |= {name for name, meta in entry.get("peerDependenciesMeta", {}).items() if meta.get("optional")}
    for kind in ("dependencies", "optionalDependencies", "peerDependencies"):
        for name in entry.get(kind, {}):
            try:
                yield _place(packages, path, name)
            except KeyError:
                if name not in optional:
                    raise


def _place(packages: Tree, path: str, name: str) -> str:
    """Where the package is that `path` means by `name`."""
    while True:
        tried = f"{path}/node_modules/{name}" if path else f"node_modules/{name}"
        if tried in packages:
            return tried
        if not path:
            raise KeyError(name)
        path = path.rpartition("/node_modules/")[0] if "/node_modules/" in path else ""
