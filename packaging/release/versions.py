"""The version, which lives in `daemon/__init__.py`, and the day of its release, which the changelog tells.

Everything else that states the version is written from there; `packaging/release/release.py` sets a new one.
"""

import json
import os
import re
import subprocess
from datetime import UTC, date, datetime
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
    released = newest_release((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    return {
        "obsidian-plugin/manifest.json": _read(plugin / "manifest.json")["version"],
        "obsidian-plugin/package.json": _read(plugin / "package.json")["version"],
        "obsidian-plugin/package-lock.json": lock["version"],
        "obsidian-plugin/package-lock.json, its root": lock["packages"][""]["version"],
        "obsidian-plugin/versions.json": next(reversed(_read(plugin / "versions.json"))),
        **({"CHANGELOG.md": released} if released else {}),  # none before the first release
    }


def newest_release(changelog: str) -> str:
    """The version of the first section of a changelog that is a release; "" where there is none."""
    found = re.search(r"^## \[(\d[^\]]*)\]", changelog, re.MULTILINE)
    return found[1] if found else ""


def write(new: str, root: Path = ROOT) -> None:
    """State `new` everywhere but in the changelog (`date_changelog`). Raises ValueError for no version."""
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


def date_changelog(changelog: str, new: str, day: date) -> str:
    """The changelog with what was unreleased as the section of `new`, released on `day`.

    Raises ValueError where nothing is unreleased, or `new` was released before.
    """
    if f"## [{new}]" in changelog:
        raise ValueError(f"CHANGELOG.md has a section of {new} already: choose a later version.")
    found = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise ValueError("CHANGELOG.md has nothing below [Unreleased]: say there what is new for users.")
    place = found.start(1)
    return f"{changelog[:place]}\n## [{new}] - {day.isoformat()}\n{changelog[place:]}"


def source_date(root: Path = ROOT) -> int:
    """The time that everything in a release carries, in seconds since 1970, so that two builds are equal.

    $SOURCE_DATE_EPOCH, else the day that the changelog gives this version, else the last commit (a version on its way).
    """
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    heading = rf"^## \[{re.escape(version(root))}\] - (\d{{4}}-\d\d-\d\d)$"
    if found := re.search(heading, (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE):
        return int(datetime.fromisoformat(found[1]).replace(tzinfo=UTC).timestamp())
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, check=True, text=True)
    return int(told.stdout)


def _read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


def _write(file: Path, tree: dict[str, Any], indent: str) -> None:
    file.write_text(json.dumps(tree, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")
