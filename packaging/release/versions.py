"""The version, which lives in `daemon/__init__.py`; everything else that states it is written from there.

`python packaging/release/versions.py 1.2.0` sets a new one everywhere; without a version it writes the present one.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_LINE = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_VERSION = re.compile(r"\d+\.\d+\.\d+")


def version(root: Path = ROOT) -> str:
    """The version of this checkout."""
    found = _LINE.search((root / "daemon" / "__init__.py").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError('daemon/__init__.py holds no line such as __version__ = "1.2.3"')
    return found[1]


def stated(root: Path = ROOT) -> dict[str, str]:
    """Every other place that states the version, and what it says."""
    plugin = root / "obsidian-plugin"
    lock = _read(plugin / "package-lock.json")
    return {
        "obsidian-plugin/manifest.json": _read(plugin / "manifest.json")["version"],
        "obsidian-plugin/package.json": _read(plugin / "package.json")["version"],
        "obsidian-plugin/package-lock.json": lock["version"],
        "obsidian-plugin/package-lock.json, its root": lock["packages"][""]["version"],
        "obsidian-plugin/versions.json": next(reversed(_read(plugin / "versions.json"))),
        "CHANGELOG.md": newest_release((root / "CHANGELOG.md").read_text(encoding="utf-8")),
    }


def newest_release(changelog: str) -> str:
    """The version of the first section of a changelog that is a release; "" where there is none."""
    found = re.search(r"^## \[(\d[^\]]*)\]", changelog, re.MULTILINE)
    return found[1] if found else ""


def write(new: str, root: Path = ROOT) -> None:
    """State `new` everywhere but in the changelog, which is a person's to write. Raises ValueError for no version."""
    if not _VERSION.fullmatch(new):
        raise ValueError(f"{new} is not a version such as 1.2.3")
    code = root / "daemon" / "__init__.py"
    code.write_text(_LINE.sub(f'__version__ = "{new}"', code.read_text(encoding="utf-8")), encoding="utf-8")
    plugin = root / "obsidian-plugin"
    manifest = _read(plugin / "manifest.json") | {"version": new}
    _write(plugin / "manifest.json", manifest, "\t")
    _write(plugin / "package.json", _read(plugin / "package.json") | {"version": new}, "  ")
    lock = _read(plugin / "package-lock.json")
    lock["version"] = lock["packages"][""]["version"] = new
    _write(plugin / "package-lock.json", lock, "  ")
    versions = _read(plugin / "versions.json") | {new: manifest["minAppVersion"]}
    _write(plugin / "versions.json", versions, "\t")


def _read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


def _write(file: Path, tree: dict[str, Any], indent: str) -> None:
    file.write_text(json.dumps(tree, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1] if len(sys.argv) > 1 else version())
    print(f"{version()}; now its section in CHANGELOG.md: {stated()['CHANGELOG.md'] or 'none yet'}")
