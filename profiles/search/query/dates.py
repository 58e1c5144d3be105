"""Points and spans of time as people type them after `modified:` and `created:`.

A value names a span: a day `2026-01-31`, a month `2026-01`, a year `2026`, `today`, `yesterday`, `this week`,
`last month` (also `this-week`, `lastweek`), `last spring`, or "since then" for `7d`, `2w`, `3m`, `1y` (that long ago
until now; `-7d` says the same). Seasons are those of the north, in whole months: spring is March to May. What other
languages call such times is understood, too: `letzte Woche`.

    >2026-01-31   after that day          >=2026-01-31   that day and later
    <2026-01-31   before that day         <=2026-01-31   that day and earlier
    2026-01..2026-03   from the first's beginning to the last's end; either end may be left out
"""

import re
from datetime import MAXYEAR, UTC, date, datetime, timedelta
from typing import TypeAlias

from scrubjay.profiles.search.query.plain_dates import named_time

TimeSpan: TypeAlias = tuple[int | None, int | None]
"""In Unix nanoseconds: at or after the first, before the second; None is open."""

_FIRST, _LAST = -(2**63), 2**63 - 1
"""The nanoseconds that a database can keep, from 1677 to 2262; a day before or after counts as the first or last."""

_COMPARED = re.compile(r"(>=|<=|>|<)?\s*(.+)", re.DOTALL)
_CALENDAR = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_AGO = re.compile(r"(\d{1,4})\s*([dwmy])")
_RELATIVE = re.compile(r"(this|last)(week|month|year)")
_SEASON = re.compile(r"(this|last)(spring|summer|autumn|fall|winter)")
_FIRST_MONTH = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


def parse_span(value: str, now: datetime) -> TimeSpan:
    """Read `value` as a span; return (since, until) in Unix nanoseconds, since included, until not.

    `now` must be aware: its time zone decides where a day begins, in each season anew if it is one with rules. Weeks
    begin on Monday.
    Raises ValueError, without the value in it, where it can't be read.
    """
    value = value.strip().lower()
    if ".." not in value:
        return _compared(value, now)
    first, _, last = value.partition("..")
    since = _named(first, now)[0] if first.strip() else None
    until = _named(last, now)[1] if last.strip() else None
    if since is None and until is None:
        raise ValueError("a range needs a beginning or an end")
    if since is not None and until is not None and since >= until:
        raise ValueError("a range begins with its earlier end, as 2026-01..2026-05")
    return since, until


def _compared(value: str, now: datetime) -> TimeSpan:
    match = _COMPARED.fullmatch(value)
    if match is None:
        raise ValueError("no date given")
    start, end = _named(match[2], now)
    ago = _AGO.fullmatch(match[2].strip().removeprefix("-")) is not None
    match match[1]:
        case ">":
            return (start if ago else end), None
        case ">=":
            return start, None
        case "<":
            return None, start
        case "<=":
            return None, (start if ago else end)
        case _:
            return start, (None if ago else end)


def _named(name: str, now: datetime) -> tuple[int, int]:
    """The span that one name stands for."""
    start, end = _moments(name, now)
    return _nanoseconds(start), _LAST if end is None else _nanoseconds(end)


def _moments(name: str, now: datetime) -> tuple[datetime, datetime | None]:
    """Its beginning and its end; None: the end of the calendar."""
    name = re.sub(r"[\s_]+", "", named_time(name, now) or name)
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if match := _CALENDAR.fullmatch(name):
        return _calendar_span(int(match[1]), int(match[2] or 0), int(match[3] or 0), today)
    name = name.replace("-", "")
    if name == "today":
        return today, today + timedelta(days=1)
    if name == "yesterday":
        return today - timedelta(days=1), today
    if match := _AGO.fullmatch(name):
        return _ago(int(match[1]), match[2], now), now
    if match := _RELATIVE.fullmatch(name):
        return _relative(match[1] == "last", match[2], today)
    if match := _SEASON.fullmatch(name):
        return _season(match[1] == "last", _FIRST_MONTH[match[2]], today)
    raise ValueError("not a date such as 2026-01-31, 2026-01, today, last week or 7d")


def _calendar_span(year: int, month: int, day: int, today: datetime) -> tuple[datetime, datetime | None]:
    if day:
        start = today.replace(year=year, month=month, day=day)
        return start, None if start.date() == date.max else start + timedelta(days=1)
    start = today.replace(year=year, month=month or 1, day=1)
    is_last = year == MAXYEAR and month in (0, 12)
    return start, None if is_last else _months_later(start, 1 if month else 12)


def _relative(last: bool, unit: str, today: datetime) -> tuple[datetime, datetime]:
    if unit == "week":
        start = today - timedelta(days=today.weekday() + (7 if last else 0))
        return start, start + timedelta(days=7)
    months = 1 if unit == "month" else 12
    first = today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)
    start = _months_later(first, -months if last else 0)
    return start, _months_later(start, months)


def _season(last: bool, first_month: int, today: datetime) -> tuple[datetime, datetime]:
    """The season that begins in this month of this year; the last one is the newest that is over."""
    start = today.replace(month=first_month, day=1)
    if start > today and first_month == 12:  # until December, "this winter" is the one that began last year
        start = _months_later(start, -12)
    while last and _months_later(start, 3) > today:
        start = _months_later(start, -12)
    return start, _months_later(start, 3)


def _ago(count: int, unit: str, now: datetime) -> datetime:
    try:
        if unit in "dw":
            return now - timedelta(days=count * (7 if unit == "w" else 1))
        months = count * (12 if unit == "y" else 1)
        return _months_later(now.replace(day=min(now.day, 28)), -months)
    except OverflowError as error:
        raise ValueError("further back than the calendar goes") from error


def _months_later(start: datetime, months: int) -> datetime:
    """`start` moved by whole months; its day must be one that every month has."""
    index = start.year * 12 + start.month - 1 + months
    return start.replace(year=index // 12, month=index % 12 + 1)


def _nanoseconds(moment: datetime) -> int:
    seconds = (moment - datetime.fromtimestamp(0, UTC)) // timedelta(seconds=1)
    return min(max(seconds * 1_000_000_000, _FIRST), _LAST)
