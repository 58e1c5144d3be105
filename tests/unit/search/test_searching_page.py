"""docs/searching.md teaches the query language; what it shows must be read as it says."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from scrubjay.profiles.search.query.operators import CONDITIONS
from scrubjay.profiles.search.query.parser import parse_query
from scrubjay.profiles.search.types import Stage

PAGE = (Path(__file__).parents[3] / "docs" / "searching.md").read_text(encoding="utf-8")
NOW = datetime(2026, 3, 18, tzinfo=UTC)
_ROW = re.compile(r"^\| (`.*?) \| ", re.MULTILINE)
EXAMPLES = [
    example
    for row in _ROW.findall(PAGE.partition("## Times")[0])
    for example in re.findall(r"`([^`]+)`", row)
    if not example.startswith("you type")
]


def test_the_page_has_an_example_of_every_operator() -> None:
    shown = " ".join(EXAMPLES) + PAGE.partition("## Times")[0]
    assert [name for name in (*CONDITIONS, "profile") if f"{name}:" not in shown] == []


def test_every_example_is_read_as_written() -> None:
    assert len(EXAMPLES) > 40
    for example in EXAMPLES:
        query = parse_query(example, NOW)
        assert query.warnings == (), example
        assert query.tree.parts or query.sort, example


def test_the_page_names_every_stage_of_an_explanation() -> None:
    assert [stage for stage in get_args(Stage) if f"`{stage}`" not in PAGE] == []
