"""When a note says that it was created."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from scrubjay.daemon.vault.parse import created_ns


@pytest.fixture(autouse=True, params=["UTC", "America/New_York"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("the time zone can't be set here")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def ns(moment: datetime) -> int:
    return int(moment.timestamp()) * 1_000_000_000


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024-03-05", datetime(2024, 3, 5)),  # noqa: DTZ001 - local time is what is promised
        ("2024-03-05 10:30", datetime(2024, 3, 5, 10, 30)),  # noqa: DTZ001
        ("2024/03/05", datetime(2024, 3, 5)),  # noqa: DTZ001
        ("[[2024-03-05]]", datetime(2024, 3, 5)),  # noqa: DTZ001
        ("2024-03-05T10:30:00Z", datetime(2024, 3, 5, 10, 30, tzinfo=UTC)),
        ("2024-03-05T10:30:00+05:30", datetime(2024, 3, 5, 10, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))),
    ],
)
def test_dates_in_properties(written: str, expected: datetime) -> None:
    assert created_ns({"created": written}, "Note") == ns(expected)


@pytest.mark.parametrize(
    "written", ["", "yesterday", "05/03/2024", "2024-13-01", "99999-99-99", "0001-01-01", "9999-12-31"]
)
def test_what_is_no_date_of_our_time_says_nothing(written: str) -> None:
    assert created_ns({"created": written}, "Note") is None


@pytest.mark.parametrize(
    "stem",
    ["2024-03-05", "2024-03-05 Tuesday", "Meeting 2024-03-05", "20240305", "202403051130 Zettel", "20240305113045"],
)
def test_a_daily_notes_name_is_its_date(stem: str) -> None:
    assert created_ns({}, stem) == ns(datetime(2024, 3, 5))  # noqa: DTZ001


@pytest.mark.parametrize("stem", ["Note", "12345678", "A 2024-03-05 B", "120240305", "2024-03", "2024-02-31"])
def test_other_names_say_nothing(stem: str) -> None:
    assert created_ns({}, stem) is None


def test_the_first_property_with_a_date_wins() -> None:
    properties: dict[str, str | tuple[str, ...]] = {
        "created": ("2023-03-05",),
        "date": "2024-03-05",
        "datetime": "2020-01-01",
    }
    assert created_ns(properties, "2021-01-01") == ns(datetime(2024, 3, 5))  # noqa: DTZ001
