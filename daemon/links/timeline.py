"""Notes by day: of a daily note the day in its name, else when a note was written, else when it was changed."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo

import numpy as np

from scrubjay.daemon.links.answer_words import Occasion
from scrubjay.daemon.vault.parse import created_ns
from scrubjay.daemon.vault.read import stem_of
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.columns import Ids
from scrubjay.profiles.store.rows import NoteTimes
from scrubjay.profiles.store.statements import Connection

_NAMES_A_DAY = re.compile(r"(?:19|20|21)\d{2}-?\d{2}-?\d{2}[^/]*$")  # all that `created_ns` reads, and some more
_DAY_NS = 86_400 * 10**9


@dataclass(frozen=True, slots=True)
class DatedNote:
    """One note on one day."""

    note: NoteTimes
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class Day:
    """What one day has: its daily notes first, then created, then modified notes, each by path."""

    day: date
    entries: tuple[DatedNote, ...]


def timeline(
    notes: Iterable[NoteTimes], zone: tzinfo, since: datetime | None = None, until: datetime | None = None
) -> tuple[Day, ...]:
    """The days from `since` on and before `until` (None: open) that have notes, newest first.

    A note stands on the day that it is about or was written, and on the day of its last change if that is another one.
    """
    days: defaultdict[date, list[DatedNote]] = defaultdict(list)
    for note in notes:
        standing: dict[date, Occasion] = {}
        for moment, occasion in _moments(note, zone):
            if (since is None or moment >= since) and (until is None or moment < until):
                standing.setdefault(moment.date(), occasion)
        for day, occasion in standing.items():
            days[day].append(DatedNote(note, occasion))
    return tuple(Day(day, tuple(sorted(days[day], key=_order))) for day in sorted(days, reverse=True))


@dataclass(frozen=True, slots=True)
class Moments:
    """When the notes of a store stand, give or take a day: arrays of one shape, in Unix nanoseconds."""

    note_ids: Ids
    changed: Ids
    written: Ids  # or the day that the note is named for; as `changed` where there is neither

    def near(self, since: datetime, until: datetime) -> Ids:
        """The ids of all notes that `timeline` may have from `since` on and before `until`."""
        first, last = (
            int(moment.timestamp()) * 10**9 + margin for moment, margin in ((since, -_DAY_NS), (until, _DAY_NS))
        )
        is_near = [(times >= first) & (times < last) for times in (self.changed, self.written)]
        return self.note_ids[is_near[0] | is_near[1]]


def moments(connection: Connection) -> Moments:
    """The moments of all notes, for `Store.derived`: to look at each note's name takes longer than all else."""
    notes = reads.note_times(connection)
    rows = [(note.note_id, note.mtime_ns, _written_ns(note)) for note in notes]
    return Moments(*np.array(rows, np.int64).reshape(-1, 3).T)


def _written_ns(note: NoteTimes) -> int:
    named = created_ns({}, stem_of(note.path)) if _NAMES_A_DAY.search(note.path) else None
    return next(each for each in (named, note.created_ns, note.mtime_ns) if each is not None)


def daily_date(path: str) -> date | None:
    """The day that a daily note's name says (`2026-03-14`, `20260314 Standup`), None for other notes."""
    midnight = created_ns({}, stem_of(path))  # in this computer's time zone
    return None if midnight is None else datetime.fromtimestamp(midnight // 1_000_000_000, UTC).astimezone().date()


_ORDER: dict[Occasion, int] = {"daily-note": 0, "created": 1, "modified": 2}


def _order(entry: DatedNote) -> tuple[int, str, int]:
    return _ORDER[entry.occasion], entry.note.path, entry.note.note_id


def _moments(note: NoteTimes, zone: tzinfo) -> list[tuple[datetime, Occasion]]:
    """The note's moments in the zone; where two fall on one day, the first occasion is the one that is named."""
    moments: list[tuple[datetime, Occasion]] = []
    named = daily_date(note.path)
    if named is not None:
        moments.append((datetime(named.year, named.month, named.day, tzinfo=zone), "daily-note"))
    elif note.created_ns is not None:
        moments.append((_moment(note.created_ns, zone), "created"))
    moments.append((_moment(note.mtime_ns, zone), "modified"))
    return moments


def _moment(ns: int, zone: tzinfo) -> datetime:
    return datetime.fromtimestamp(ns // 1_000_000_000, zone)
