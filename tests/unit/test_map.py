"""docs/architecture.md is a map: it must agree with the tree. So must what other pages tell a reader to import."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CITED = set(re.findall(r"`((?:daemon|credential_filter|obsidian-plugin|profiles|packaging|tests|docs)/[\w./-]*)`", MAP))
PACKAGES = ("daemon", "credential_filter", "profiles")
IMPORTS = [
    (page.name, module, name)
    for page in sorted((ROOT / "docs").glob("*.md"))
    for module, names in re.findall(r"^from ([\w.]+) import ([\w, ]+)$", page.read_text("utf-8"), re.MULTILINE)
    for name in names.split(", ")
]


def test_every_path_on_the_map_exists() -> None:
    assert [path for path in sorted(CITED) if not (ROOT / path).exists()] == []


def test_every_package_is_on_the_map() -> None:
    folders = {
        f"{code.parent.relative_to(ROOT).as_posix()}/"
        for package in PACKAGES
        for code in (ROOT / package).rglob("*.py")
    }
    assert sorted(folders - CITED) == []


@pytest.mark.parametrize(("place", "title"), [(1, "The life of a note"), (2, "The life of a query")])
def test_the_map_begins_with_what_happens_in_ten_files_that_exist(place: int, title: str) -> None:
    heading, *lines = MAP.split("\n## ")[place].splitlines()
    steps = [re.match(r"(\d+)\. `([\w./]+)`: \w", line) for line in lines if re.match(r"\d", line)]
    named = [(int(step[1]), step[2]) for step in steps if step]
    assert heading == title
    assert [number for number, _ in named] == list(range(1, 11))
    assert [path for _, path in named if not (ROOT / path).is_file()] == []


def test_the_glossary_has_at_most_forty_terms_each_said_once_and_explained() -> None:
    words = re.search(r"^## Words\n(.*?)^## ", MAP, re.MULTILINE | re.DOTALL)
    assert words is not None
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in words[1].splitlines() if line[:1] == "|"]
    terms = [term for row in rows[2:] for term in row[0].split(", ")]
    assert 20 <= len(rows[2:]) <= 40
    assert all(len(row) == 2 and all(row) for row in rows)
    assert len(terms) == len(set(terms))


def test_what_the_documents_import_is_there() -> None:
    assert IMPORTS
    assert [each for each in IMPORTS if not hasattr(importlib.import_module(each[1]), each[2])] == []
