"""All that was found, in one order; or in an order that has nothing to do with the query."""

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.number_sets import are_among, distinct
from scrubjay.profiles.search.rank.fusion import Ranked
from scrubjay.profiles.search.rank.legs import Key, Legs
from scrubjay.profiles.search.types import ScorePart, Sort
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.columns import Columns, Ids, Matches
from scrubjay.profiles.store.filter_sql import matching_notes
from scrubjay.profiles.store.filters import AllOf, ModifiedBetween, NoteFilter
from scrubjay.profiles.store.note_facts import SortKey
from scrubjay.profiles.store.rows import NoteView
from scrubjay.profiles.store.store import Store

# Everything that was found, in one order that does not depend on which part of it is looked at.
#
# First the passages that both legs ranked together, then every other note by its words alone, then what is near in
# meaning without a word in common. Whatever lies beyond the first is put in order only when somebody reads so far.
# While many passages wait for their vector, what meaning alone has found among the first stands after all words, too:
# else a note would be pushed out by whatever happens to be embedded already.

_NOWHERE = float("nan")
_TELLING = 8  # bytes of a digest, as one number, that tell two texts apart


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """One result to be: the passage it is shown by, and what is known of it."""

    key: Key
    holds: bool  # whether its note holds a word of the query
    score: float = 0.0  # fused; 0 beyond the ranked passages
    bm25: float = _NOWHERE  # NaN where words did not find the passage
    similarity: float = _NOWHERE  # NaN where meaning did not
    query_share: float = 0.0  # share of the query's known words that it holds, by weight
    parts: tuple[ScorePart, ...] = ()


class RankedSequence(Protocol):
    """Results to be, in order."""

    def entries(self, start: int, stop: int) -> Sequence[RankedEntry]:
        """Those from place `start` up to but without `stop`; fewer at the end."""
        ...


class CompleteRanking:
    """The line of a search with words. order: columns of `ranked`, one for each note (or each passage), best first.

    words_first: what no word of the query has found stands after all that words have. of_notes: one entry a note;
    otherwise one a passage. explain: with what each signal gave.
    """

    def __init__(
        self,
        ranked: Ranked,
        order: Sequence[int],
        legs: Sequence[Legs],
        *,
        words_first: bool,
        of_notes: bool,
        explain: bool,
    ) -> None:
        self._ranked = ranked
        self._scores = ranked.scores
        self._legs = {leg.profile: leg for leg in legs}
        self._head = [column for column in order if not words_first or self._holds(column)]
        self._by_meaning = [column for column in order if words_first and not self._holds(column)]
        self._of_notes = of_notes
        self._explain = explain

    def entries(self, start: int, stop: int) -> Sequence[RankedEntry]:
        """See `RankedSequence`."""
        found = [self._ranked_entry(column) for column in self._head[start:stop]]
        if stop <= len(self._head):
            return found
        words, near = self._tail
        beyond = len(self._head)
        sections: tuple[tuple[int, Callable[[int], RankedEntry]], ...] = (
            (len(words), words.entry),
            (len(self._by_meaning), lambda at: self._ranked_entry(self._by_meaning[at])),
            (len(near), near.entry),
        )
        for size, entry in sections:
            found += [entry(at) for at in range(max(start - beyond, 0), min(stop - beyond, size))]
            beyond += size
        return found

    def _holds(self, column: int) -> bool:
        """Whether its note holds a word of the query."""
        profile, chunk = self._ranked.candidates.keys[column]
        matches = self._legs[profile].matches
        return matches is not None and matches.contains_chunk(chunk)

    def _ranked_entry(self, column: int) -> RankedEntry:
        key = self._ranked.candidates.keys[column]
        bm25, similarity = self._ranked.candidates.scores[:, column].tolist()
        parts = self._ranked.parts(column) if self._explain else ()
        query_share = float(self._ranked.candidates.coverage[0, column])
        return RankedEntry(key, self._holds(column), float(self._scores[column]), bm25, similarity, query_share, parts)

    @cached_property
    def _tail(self) -> tuple["_Parts", "_Parts"]:
        ranked: dict[str, list[int]] = {profile: [] for profile in self._legs}
        for profile, chunk in self._ranked.candidates.keys:
            ranked[profile].append(chunk)
        words = [
            _words(leg, leg.matches, ranked[leg.profile], of_notes=self._of_notes)
            for leg in self._legs.values()
            if leg.matches is not None
        ]
        near = [
            _near(leg, leg.nearest.columns, ranked[leg.profile])
            for leg in self._legs.values()
            if leg.nearest.columns is not None and self._of_notes
        ]
        return _Parts(words), _Parts(near)


@dataclass(frozen=True, slots=True)
class _Part:
    """What one leg of one profile found beyond the ranked passages. orders: less is better; runs parallel."""

    leg: Legs
    chunks: Ids
    orders: NDArray[np.float64]
    columns: Columns
    by_words: bool

    def entry(self, at: int) -> RankedEntry:
        """The passage at a place in it."""
        chunk = int(self.chunks[at])
        key = (self.leg.profile, chunk)
        if not self.by_words:
            return RankedEntry(key, holds=False, similarity=1.0 - float(self.orders[at]))
        matches, bm25 = self.leg.matches, -float(self.orders[at])
        holds = matches is not None and matches.contains_chunk(chunk)
        return RankedEntry(key, holds, bm25=bm25, parts=(ScorePart("lexical", 0.0, None, bm25),))


class _Parts:
    """Several such parts, best first; equal ones by their text, so that one store or two give the same."""

    def __init__(self, parts: Sequence[_Part]) -> None:
        self._parts = parts
        orders = [part.orders for part in parts]
        texts = [part.columns.digests[part.chunks, :_TELLING].copy().view(np.uint64).ravel() for part in parts]
        self._order = np.lexsort((np.concatenate(texts), np.concatenate(orders))) if parts else np.empty(0, np.int64)
        self._starts = np.cumsum([0, *(len(part.chunks) for part in parts)])

    def __len__(self) -> int:
        return len(self._order)

    def entry(self, at: int) -> RankedEntry:
        """The passage at a place in all."""
        place = int(self._order[at])
        part = int(np.searchsorted(self._starts, place, side="right")) - 1
        return self._parts[part].entry(place - int(self._starts[part]))


def _words(leg: Legs, matches: Matches, ranked: Sequence[int], *, of_notes: bool) -> _Part:
    chunks = matches.passages() if of_notes else matches.all_passages()
    chunks = _without(chunks, np.array(ranked, np.int64), matches.columns, notes=of_notes)
    return _Part(leg, chunks, -matches.scores[chunks].astype(np.float64), matches.columns, by_words=True)


def _near(leg: Legs, columns: Columns, ranked: Sequence[int]) -> _Part:
    known = np.array(ranked, np.int64)
    if leg.matches is not None:
        known = np.concatenate((known, np.flatnonzero(leg.matches.scores > 0)))
    chunks = leg.nearest.further
    kept = are_among(chunks, distinct(_without(chunks, known, columns, notes=True)))
    return _Part(leg, chunks[kept], leg.nearest.distances[kept], columns, by_words=False)


def _without(chunks: Ids, known: Ids, columns: Columns, *, notes: bool) -> Ids:
    """The chunks that are not, or whose notes are not those of chunks that are, among those that are known."""
    known = known[known < len(columns.note_of)]
    left = np.ones(len(columns.first_chunk) if notes else len(columns.note_of), bool)
    left[columns.note_of[known] if notes else known] = False
    return chunks[left[columns.note_of[chunks] if notes else chunks]]


# Notes in an order that has nothing to do with the query: of those that hold its words, or pass its filters.


@dataclass(frozen=True, slots=True)
class Listing:
    """The line of all notes that match, by profile name, sorted."""

    stores: Mapping[str, Store]
    matches: Mapping[str, Matches]
    sort: Sort  # not by relevance

    def entries(self, start: int, stop: int) -> Sequence[RankedEntry]:
        """See `RankedSequence`."""
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
        place += sum((name, other.path) < (profile, note.path) for other in store.read(reads.notes, alike).values())
    return place
