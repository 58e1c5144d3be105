"""docs/architecture.md is a map: it must agree with the tree."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CITED = set(re.findall(r"`((?:daemon|credential_filter|obsidian-plugin|profiles|packaging|tests|docs)/[\w./-]*)`", MAP))
PACKAGES = ("daemon", "credential_filter", "profiles")


def test_every_path_on_the_map_exists() -> None:
    assert [path for path in sorted(CITED) if not (ROOT / path).exists()] == []


def test_every_package_is_on_the_map() -> None:
    folders = {
        f"{code.parent.relative_to(ROOT).as_posix()}/"
        for package in PACKAGES
        for code in (ROOT / package).rglob("*.py")
    }
    assert sorted(folders - CITED) == []
