"""This computer's time zone with all its rules: what `datetime.now().astimezone()` gives is today's offset alone."""

from datetime import UTC, date, datetime, timedelta, tzinfo

_KNOWN_YEAR = 1972  # of systems whose clock begins in 1970; a leap year


class LocalZone(tzinfo):
    """The system's local time: each moment has the offset that it has in that season and year."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """The offset of a moment that is given in local time."""
        if moment is None:
            return None
        naive = moment.replace(tzinfo=None)
        try:
            return naive.astimezone().utcoffset()
        except (OverflowError, OSError, ValueError):  # further away than the system's calendar goes
            return naive.replace(year=_KNOWN_YEAR).astimezone().utcoffset()

    def dst(self, moment: datetime | None) -> None:
        """Not known: the system tells only the offset as a whole."""

    def tzname(self, moment: datetime | None) -> str | None:
        """As the system calls it."""
        return None if moment is None else moment.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, moment: datetime) -> datetime:
        """The local time of a moment that is given in UTC (and says that it is local, as `tzinfo` demands)."""
        return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


LOCAL = LocalZone()


def local_day(ns: int) -> date:
    """The day of Unix nanoseconds, in local time."""
    return (datetime.fromtimestamp(0, UTC) + timedelta(seconds=ns // 1_000_000_000)).astimezone(LOCAL).date()


def local_now() -> datetime:
    """The time now, in local time."""
    return datetime.now(LOCAL)
