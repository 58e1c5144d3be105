"""docs/security.md promises nothing that no test holds: every test that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE)
RULES = re.findall(r"^\d+\. \*\*.*?(?=^\d+\. |^## )", PAGE, re.MULTILINE | re.DOTALL)


def test_every_test_that_the_page_names_is_there() -> None:
    assert len(NAMED) > 50
    missing = [
        f"{file}::{test}"
        for file, test in NAMED
        if not (ROOT / file).is_file() or f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8")
    ]
    assert missing == []


def test_every_test_of_the_panel_that_the_page_names_is_there() -> None:
    named = re.findall(r"`(obsidian-plugin/[\w/.]+\.test\.ts)`", PAGE)
    assert len(named) >= 4
    assert [file for file in named if not (ROOT / file).is_file()] == []


def test_every_section_of_defences_names_a_test() -> None:
    sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
    silent = {title for title, text in sections.items() if "::test_" not in text and ".test.ts" not in text}
    assert silent - {"Whom we defend against", "What remains", "Reporting", "What the libraries would do"} == set()


def test_every_numbered_promise_names_a_test() -> None:
    assert len(RULES) >= 34
    assert [rule.splitlines()[0] for rule in RULES if "::test_" not in rule] == []
