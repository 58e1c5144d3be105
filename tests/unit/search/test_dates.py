from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.query.dates import parse_span

NOW = datetime(2026, 3, 18, 15, 30, tzinfo=UTC)  # a Wednesday


def day(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "since", "until"),
    [
        ("2026-01-31", day(2026, 1, 31), day(2026, 2, 1)),
        ("2026-1-3", day(2026, 1, 3), day(2026, 1, 4)),
        ("2025-12", day(2025, 12, 1), day(2026, 1, 1)),
        ("2025", day(2025, 1, 1), day(2026, 1, 1)),
        (">2026-01-31", day(2026, 2, 1), None),
        (">=2026-01-31", day(2026, 1, 31), None),
        ("<2026-01", None, day(2026, 1, 1)),
        ("<=2026-01", None, day(2026, 2, 1)),
        ("2026-01..2026-02", day(2026, 1, 1), day(2026, 3, 1)),
        ("2026-01-05..", day(2026, 1, 5), None),
        ("..2026-01-05", None, day(2026, 1, 6)),
        ("today", day(2026, 3, 18), day(2026, 3, 19)),
        ("letzte Woche", day(2026, 3, 9), day(2026, 3, 16)),
        (">=vorgestern", day(2026, 3, 16), None),
        ("上周..今天", day(2026, 3, 9), day(2026, 3, 19)),
        (">yesterday", day(2026, 3, 18), None),
        ("this week", day(2026, 3, 16), day(2026, 3, 23)),
        ("lastmonth", day(2026, 2, 1), day(2026, 3, 1)),
        ("last year", day(2025, 1, 1), day(2026, 1, 1)),
        ("last spring", day(2025, 3, 1), day(2025, 6, 1)),  # it is spring, and this one is not over
        ("this spring", day(2026, 3, 1), day(2026, 6, 1)),
        ("last-summer", day(2025, 6, 1), day(2025, 9, 1)),
        ("Last Autumn", day(2025, 9, 1), day(2025, 12, 1)),
        ("last winter", day(2025, 12, 1), day(2026, 3, 1)),
        ("this winter", day(2025, 12, 1), day(2026, 3, 1)),
        (">last winter", day(2026, 3, 1), None),
        ("7d", NOW - timedelta(days=7), None),
        (">2w", NOW - timedelta(days=14), None),
        ("<7d", None, NOW - timedelta(days=7)),
        ("1y", NOW.replace(year=2025), None),
        ("-7d", NOW - timedelta(days=7), None),
        ("3m..1m", NOW.replace(year=2025, month=12), NOW),
    ],
)
def test_names_of_time_become_spans(value: str, since: datetime | None, until: datetime | None) -> None:
    expected = tuple(None if moment is None else int(moment.timestamp()) * 10**9 for moment in (since, until))
    assert parse_span(value, NOW) == expected


def test_what_is_no_date_is_refused() -> None:
    wrong = "|>|soon|2026-05..2026-01|today..yesterday|2026-13|2026-02-30|0000-01-01|..|9999y|tomorrow"
    for value in wrong.split("|"):
        with pytest.raises(ValueError, match=r".+"):
            parse_span(value, NOW)


FIRST, LAST = -(2**63), 2**63 - 1  # nanoseconds that a database can keep


@pytest.mark.parametrize(
    ("value", "since", "until"),
    [
        ("9999-12-31", LAST, LAST),
        (">9999-12-31", LAST, None),
        ("<=9999-12-31", None, LAST),
        ("2300", LAST, LAST),
        (">=2300-01-01", LAST, None),
        ("0001-01-01", FIRST, FIRST),
        ("<0002", None, FIRST),
        (">1677", int(day(1678, 1, 1).timestamp()) * 10**9, None),
        ("1600..2400", FIRST, LAST),
    ],
)
def test_any_day_of_the_calendar_can_be_named(value: str, since: int | None, until: int | None) -> None:
    assert parse_span(value, NOW) == (since, until)


@pytest.mark.parametrize("month", [1, 7])
@pytest.mark.parametrize("named", ["2026-01-30", "2026-07-01", "2026-03-29", "2026-10-25"])
def test_a_day_is_a_local_one_in_every_season(month: int, named: str) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    begin = datetime.fromisoformat(named).replace(tzinfo=berlin)
    expected = tuple(int(moment.timestamp()) * 10**9 for moment in (begin, begin.replace(day=begin.day + 1)))
    assert parse_span(named, datetime(2026, month, 15, tzinfo=berlin)) == expected


def test_a_day_begins_at_midnight_of_the_askers_clock() -> None:
    tokyo = timezone(timedelta(hours=9))
    since, _ = parse_span("today", NOW.astimezone(tokyo))
    assert since == int(datetime(2026, 3, 19, tzinfo=tokyo).timestamp()) * 10**9


@given(st.text(max_size=20) | st.from_regex(r"(>|<|>=|<=)?[0-9]{1,4}[-.dwmy0-9]{0,8}", fullmatch=True))
def test_any_text_gives_a_span_or_a_value_error(value: str) -> None:
    try:
        since, until = parse_span(value, NOW)
    except ValueError:
        return
    assert since is not None or until is not None
    assert all(moment is None or FIRST <= moment <= LAST for moment in (since, until))
