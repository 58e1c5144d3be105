"""Notes in an order that has nothing to do with the query: of those that hold its words, or pass its filters."""

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.daemon.search.rank.whole import RankedEntry
from scrubjay.daemon.search.types import Sort
from scrubjay.profiles.database.filters import AllOf, ModifiedBetween, NoteFilter
from scrubjay.profiles.database.matches import Matches
from scrubjay.profiles.database.rows import NoteView
from scrubjay.profiles.database.where import matching_notes
from scrubjay.profiles.store.note_facts import SortKey
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class Listing:
    """The line of all notes that match, by profile name, sorted."""

    stores: Mapping[str, Store]
    matches: Mapping[str, Matches]
    sort: Sort  # not by relevance

    def entries(self, start: int, stop: int) -> Sequence[RankedEntry]:
        """See `Line`."""
        descending = self.sort.startswith("-")
        lists = [self._sorted(profile, stop, descending=descending) for profile in self.matches]
        merged = list(heapq.merge(*lists, key=lambda item: item[0], reverse=descending))[start:stop]
        wanted: dict[str, list[int]] = {}
        for _, profile, note in merged:
            wanted.setdefault(profile, []).append(note)
        shown = {
            profile: iter(self.matches[profile].shown_by(np.array(notes, np.int64)))
            for profile, notes in wanted.items()
        }
        return [self._entry(profile, next(shown[profile])) for _, profile, _ in merged]

    def _sorted(self, profile: str, limit: int, *, descending: bool) -> list[tuple[int | str | float, str, int]]:
        by: SortKey = self.sort.removeprefix("-")  # type: ignore[assignment]
        found = self.stores[profile].sorted_notes(self.matches[profile].notes(), by, limit, descending=descending)
        last = -math.inf if descending else math.inf
        return [(last if key is None else key, profile, note) for key, note in found]

    def _entry(self, profile: str, chunk: int) -> RankedEntry:
        bm25 = float(self.matches[profile].scores[chunk])
        return RankedEntry((profile, chunk), holds=True, bm25=bm25 or math.nan)


def place_by_date(stores: Mapping[str, Store], where: NoteFilter, profile: str, note: NoteView) -> int:
    """At which place a note of `profile` that passes is among those that do, the newest first."""
    newer = AllOf((where, ModifiedBetween(note.mtime_ns + 1, None)))
    of_its_time = AllOf((where, ModifiedBetween(note.mtime_ns, note.mtime_ns + 1)))
    place = 1
    for name, store in stores.items():
        with store.reading() as connection:
            place += len(matching_notes(connection, newer))
            alike = matching_notes(connection, of_its_time)
        place += sum((name, other.path) < (profile, note.path) for other in store.notes(alike).values())
    return place
