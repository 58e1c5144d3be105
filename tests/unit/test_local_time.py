"""Local time with all its rules, not with today's offset alone."""

import time
from collections.abc import Generator
from datetime import UTC, datetime, timedelta

import pytest

from scrubjay.profiles.local_time import LOCAL, local_now

pytestmark = pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process can't be changed here")


@pytest.fixture(params=["Europe/Berlin", "America/New_York", "UTC"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Generator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize("month", [1, 7])
def test_each_season_has_its_offset(month: int) -> None:
    moment = datetime(2026, month, 15, 23, 30, tzinfo=UTC)
    there = moment.astimezone(LOCAL)
    assert there.replace(tzinfo=None) == moment.astimezone().replace(tzinfo=None)
    assert there.utcoffset() == moment.astimezone().utcoffset()


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize("year", [1, 1677, 2038, 9999])
def test_no_day_of_the_calendar_is_too_far_away(year: int) -> None:
    for moment in (datetime(year, 1, 1, tzinfo=LOCAL), datetime(year, 12, 31, 23, 59, tzinfo=LOCAL)):
        assert abs(moment - datetime(year, 6, 1, tzinfo=UTC)) < timedelta(days=367)


def test_now_is_now() -> None:
    assert abs(local_now() - datetime.now(UTC)) < timedelta(minutes=5)
