"""The dates of a note in words, as they stand beside what is quoted of it."""

from datetime import date, datetime

from scrubjay.profiles.local_time import LOCAL


def dates_in_words(modified: datetime, dated: date | None) -> str:
    """The day that the note gives itself, if any, and the day on which it was changed, where that is another."""
    changed = modified.astimezone(LOCAL).date()
    if dated is None:
        return f"modified {changed}"
    return f"dated {dated}" if dated == changed else f"dated {dated}, modified {changed}"
