"""Queries of filters alone: there is nothing to rank by, so the newest notes that pass are listed."""

from collections.abc import Mapping

import numpy as np

from scrubjay.daemon.search.rank.legs import Candidates, Key
from scrubjay.profiles.database.filters import AllOf, ModifiedBetween, NoteFilter
from scrubjay.profiles.database.rows import NoteView
from scrubjay.profiles.database.where import matching_notes
from scrubjay.profiles.store.store import Store


def newest(stores: Mapping[str, Store], where: NoteFilter, limit: int) -> Candidates:
    """The first passage of each of the `limit` newest notes that pass, newest first, as candidates without scores."""
    found = [(profile, note) for profile, store in stores.items() for note in store.recent(limit, where)]
    found.sort(key=lambda item: (-item[1].mtime_ns, item[0], item[1].path))
    keys: list[Key] = []
    digests: list[bytes] = []
    for profile, note in found[:limit]:
        first = next(iter(stores[profile].note_chunks(note.note_id)), None)
        if first is not None:
            keys.append((profile, first.chunk_id))
            digests.append(first.digest)
    none = np.zeros((2, len(keys)))
    return Candidates(tuple(keys), tuple(digests), np.arange(len(keys)), np.full_like(none, np.nan), none)


def place_by_date(stores: Mapping[str, Store], where: NoteFilter, profile: str, note: NoteView) -> int:
    """At which place a note of `profile` that passes is in that list."""
    newer = AllOf((where, ModifiedBetween(note.mtime_ns + 1, None)))
    of_its_time = AllOf((where, ModifiedBetween(note.mtime_ns, note.mtime_ns + 1)))
    place = 1
    for name, store in stores.items():
        with store.reading() as connection:
            place += len(matching_notes(connection, newer))
            alike = matching_notes(connection, of_its_time)
        place += sum((name, other.path) < (profile, note.path) for other in store.notes(alike).values())
    return place
