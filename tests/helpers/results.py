"""A result of a search, as tests of what is said of one need it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from scrubjay.profiles.search.types import SearchResult

_LAKE = SearchResult(
    id="a1b2c3d4e5f6",
    profile="home",
    vault="Notes",
    path="Lake.md",
    title="Lake",
    headings=("Birds", "Herons"),
    line=3,
    snippet='Otters "fish", there.',
    highlights=(),
    score=0.25,
    relevance="high",
    tags=("bird",),
    modified=datetime(2026, 3, 1, tzinfo=UTC),
    redactions=0,
)


def result(**change: Any) -> SearchResult:
    """One of the note Lake.md, but for what is given."""
    return replace(_LAKE, **change)
