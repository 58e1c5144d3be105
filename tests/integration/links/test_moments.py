"""Which notes of a store may stand on a day."""

from datetime import UTC, datetime

from scrubjay.daemon.links.timeline import moments
from scrubjay.profiles.store.store import Store
from tests.integration.links.conftest import Put

LAST = 2**63 - 1


def ns(day: str) -> int:
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 10**9


def near(store: Store, since: str, until: str) -> set[int]:
    ends = (datetime.fromisoformat(day).replace(tzinfo=UTC) for day in (since, until))
    return set(store.derived(moments).near(*ends).tolist())


def test_notes_are_near_a_day_that_they_were_written_or_changed_on_or_are_named_for(store: Store, put: Put) -> None:
    then, long_ago = ns("2026-03-14T10:00"), ns("2020-01-01")
    changed = put("Changed.md", "a", mtime_ns=then)
    written = put("Written.md", "b", mtime_ns=long_ago, created_ns=then)
    named = put("Days/Standup 2026-03-14.md", "c", mtime_ns=long_ago)
    compact = put("Days/20260314.md", "d", mtime_ns=long_ago)
    put("Another.md", "e", mtime_ns=ns("2026-03-18"))
    put("2026-03-14/Folder.md", "f", mtime_ns=long_ago)
    assert near(store, "2026-03-14", "2026-03-15") == {changed, written, named, compact}


def test_any_time_that_a_note_can_have_is_of_some_day(store: Store, put: Put) -> None:
    assert near(store, "0001-01-01", "9999-12-31") == set()
    notes = {put(f"{moment}.md", f"{moment}", mtime_ns=moment, created_ns=moment) for moment in (-(2**63), -1, 0, LAST)}
    assert near(store, "0001-01-01", "9999-12-31") == notes
