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


def test_every_numbered_promise_names_a_test() -> None:
    assert len(RULES) >= 26
    assert [rule.splitlines()[0] for rule in RULES if "::test_" not in rule] == []
