"""The notes of several profiles by day."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo

from scrubjay.daemon.links.answer_words import Occasion
from scrubjay.daemon.links.timeline import moments, timeline
from scrubjay.daemon.server.endpoints.links import DayReply, NoteOfDay
from scrubjay.daemon.server.replies.note_replies import note_refs
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import NoteTimes
from scrubjay.profiles.store.store import Store


def notes_by_day(
    stores: Mapping[str, Store], profiles: Sequence[Profile], zone: tzinfo, first: date, last: date
) -> tuple[DayReply, ...]:
    """The days from `first` to `last`, both included, that have notes, newest first; of a day by profile, then as
    `timeline` orders them.
    """
    since = datetime.combine(first, time(), zone)
    until = datetime.combine(last, time(), zone) + timedelta(days=1)
    found: defaultdict[date, list[NoteOfDay]] = defaultdict(list)
    for profile in sorted(profiles, key=lambda profile: profile.name):
        store = stores.get(profile.name)
        if store is None:
            continue
        standing: list[tuple[date, int, Occasion]] = [
            (day.day, entry.note.note_id, entry.occasion)
            for day in timeline(_near(store, since, until), zone, since, until)
            for entry in day.entries
        ]
        for day, note in _named(store, profile, standing):
            found[day].append(note)
    return tuple(DayReply(day=day, notes=tuple(found[day])) for day in sorted(found, reverse=True))


def _near(store: Store, since: datetime, until: datetime) -> list[NoteTimes]:
    return store.read(reads.note_times, store.derived(moments).near(since, until))


def _named(
    store: Store, profile: Profile, standing: Sequence[tuple[date, int, Occasion]]
) -> list[tuple[date, NoteOfDay]]:
    notes = note_refs(store, profile, {note_id for _, note_id, _ in standing})
    return [
        (day, NoteOfDay(note=notes[note_id], occasion=occasion))
        for day, note_id, occasion in standing
        if note_id in notes  # else it has just been forgotten
    ]
