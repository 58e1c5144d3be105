"""When a note was created, as its frontmatter or its name says."""

import re
from collections.abc import Mapping
from datetime import datetime

Value = str | tuple[str, ...]

_KEYS = ("created", "date created", "created_at", "creation date", "created-at", "date", "datetime")
_DAILY_NOTE = re.compile(
    r"(?<!\d)((?:19|20|21)\d{2})-?(\d{2})-?(\d{2})(?:\d{4}(?:\d{2})?)?(?!\d)"
)  # 2024-03-05, 202403051230
_LAST_NS = 2**63 - 1


def created_ns(properties: Mapping[str, Value], stem: str) -> int | None:
    """Unix nanoseconds of the first property that holds a date, else of a daily note's name, else None.

    `properties` has lower-case names. Dates are ISO 8601 (2024-03-05, 2024-03-05T10:00, with or without an offset);
    others, such as 05/03/2024, are ambiguous and are not read. A date without an offset is in the local time zone:
    that is the day that the person means who asks for it. A daily note's name begins with its date or ends with it.
    """
    for key in _KEYS:
        value = properties.get(key, "")
        found = _nanoseconds(value) if isinstance(value, str) and value else None
        if found is not None:
            return found
    named = (m for m in _DAILY_NOTE.finditer(stem) if m.start() == 0 or m.end() == len(stem))
    return next((_nanoseconds("-".join(match.groups())) for match in named), None)


def _nanoseconds(written: str) -> int | None:
    try:
        moment = datetime.fromisoformat(written.strip().strip("[]").replace("/", "-"))
        seconds = int(moment.timestamp())
    except (ValueError, OverflowError, OSError):
        return None
    nanoseconds = seconds * 1_000_000_000
    return nanoseconds if -_LAST_NS <= nanoseconds <= _LAST_NS else None
