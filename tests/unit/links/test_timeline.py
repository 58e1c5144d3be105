"""On which days a note stands."""

from datetime import UTC, date, datetime, timedelta, timezone

from scrubjay.daemon.links.timeline import Day, daily_date, timeline
from scrubjay.profiles.store.rows import NoteTimes


def at(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def note(note_id: int, path: str, modified: str, created: str | None = None) -> NoteTimes:
    created_ns = None if created is None else int(at(created).timestamp()) * 10**9
    return NoteTimes(note_id, path, int(at(modified).timestamp()) * 10**9, created_ns)


def told(days: tuple[Day, ...]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(day.day.isoformat(), [(entry.note.path, entry.occasion) for entry in day.entries]) for day in days]


NOTES = [
    note(1, "Journal/2026-03-14.md", "2026-03-15T08:00"),
    note(2, "Eels.md", "2026-03-14T18:00", "2026-03-14T10:00"),
    note(3, "Boats.md", "2026-03-14T09:00"),
    note(4, "Old.md", "2026-04-02T00:00", "2025-01-01T00:00"),
]


def test_each_day_has_its_daily_note_then_what_was_written_then_what_was_changed() -> None:
    assert told(timeline(NOTES, UTC)) == [
        ("2026-04-02", [("Old.md", "modified")]),
        ("2026-03-15", [("Journal/2026-03-14.md", "modified")]),
        ("2026-03-14", [("Journal/2026-03-14.md", "daily-note"), ("Eels.md", "created"), ("Boats.md", "modified")]),
        ("2025-01-01", [("Old.md", "created")]),
    ]


def test_a_span_includes_its_beginning_and_not_its_end() -> None:
    days = timeline(NOTES, UTC, at("2026-03-14"), at("2026-03-15"))
    assert [day.day for day in days] == [date(2026, 3, 14)]
    assert timeline(NOTES, UTC, since=at("2026-04-02"))[0].entries[0].note.path == "Old.md"
    assert timeline(NOTES, UTC, since=at("2026-04-03")) == ()


def test_days_begin_where_the_zone_says() -> None:
    evening = timeline([note(1, "A.md", "2026-03-14T23:30")], timezone(timedelta(hours=2)))
    assert [day.day for day in evening] == [date(2026, 3, 15)]


def test_a_daily_note_is_named_for_its_day() -> None:
    named = ("Journal/2026-03-14.md", "20260314 Standup.md", "Retro 2026-03-14.md")
    others = ("2026-13-14.md", "2026-03-14/Notes.md", "Eels.md")
    assert [daily_date(path) for path in (*named, *others)] == [date(2026, 3, 14)] * 3 + [None] * 3
