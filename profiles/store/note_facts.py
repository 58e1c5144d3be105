"""What lists of notes are sorted and counted by, as arrays in RAM: read when first needed, kept until notes change.

24 bytes a note for each order, 8 for each value of a facet that a note has.
"""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.kinds import shown_kind
from scrubjay.profiles.names import fold
from scrubjay.profiles.store.columns import table
from scrubjay.profiles.store.filter_sql import LookedAt
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.statements import Connection, generation_of

SortKey: TypeAlias = Literal["modified", "created", "title", "path"]
PROPERTY = "property:"
"""What a facet's name begins with that counts the values of a frontmatter property."""

_FILTERS_KEPT = 8  # of those that look into texts

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Facet:
    """Pairs of a note and a value that it has; `codes` are places in `values`."""

    values: tuple[str, ...]
    notes: Ids
    codes: NDArray[np.int32]


class NoteFacts:
    """The facts of a store for as long as its notes stay as they are in one generation. Thread-safe."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self._lock = threading.Lock()
        self._orders: dict[SortKey, tuple[Ids, Ids]] = {}
        self._facets: dict[str, _Facet] = {}
        self._near: tuple[int, dict[int, tuple[int, ...]]] = (-1, {})  # of a generation of the store
        self._looked_at: dict[NoteFilter, LookedAt] = {}

    def looked_at(self, where: NoteFilter) -> LookedAt | None:
        """What was kept for this filter."""
        return self._looked_at.get(where)

    def keep(self, where: NoteFilter, found: LookedAt) -> None:
        """Keep how far the texts of notes were looked at for a filter: the next page must count the same notes."""
        with self._lock:
            self._looked_at.pop(where, None)
            while len(self._looked_at) >= _FILTERS_KEPT:
                del self._looked_at[next(iter(self._looked_at))]
            self._looked_at[where] = found

    def sorted(self, connection: Connection, notes: Ids, by: SortKey, *, descending: bool) -> Ids:
        """The notes in this order; equal ones by path, and those without a date of creation at the end."""
        keys, by_path = self._order(connection, by)
        notes = notes[notes < len(keys)]
        wanted = keys[notes]
        missing = wanted == _MISSING
        return notes[np.lexsort((by_path[notes], -wanted if descending else wanted, missing))]

    def modified(self, connection: Connection, notes: Ids) -> Ids:
        """When each of the notes was modified, Unix nanoseconds, in no order."""
        keys, _ = self._order(connection, "modified")
        found = keys[notes[notes < len(keys)]]
        return found[found != _MISSING]

    def _order(self, connection: Connection, by: SortKey) -> tuple[Ids, Ids]:
        with self._lock:
            if by not in self._orders:
                self._orders[by] = _order(connection, by)
            return self._orders[by]

    def near_copies(self, connection: Connection) -> Mapping[int, tuple[int, ...]]:
        """By note: those that say nearly the same."""
        generation = generation_of(connection)
        with self._lock:
            if self._near[0] != generation:
                self._near = generation, _near_copies(connection)
            return self._near[1]

    def counts(self, connection: Connection, notes: Ids, facet: str) -> dict[str, int]:
        """How many of the notes have each value of `folder`, `tag`, `kind` or `property:NAME`, as filters count them.

        A note in a folder is in those above it too, and one with a nested tag has those above that.
        """
        with self._lock:
            if facet not in self._facets:
                self._facets[facet] = _facet(_pairs(connection, facet))
            found = self._facets[facet]
        among = np.zeros(max(int(found.notes.max(initial=0)), int(notes.max(initial=0))) + 1, bool)
        among[notes] = True
        counts = np.bincount(found.codes[among[found.notes]], minlength=len(found.values))
        return {found.values[code]: int(counts[code]) for code in np.flatnonzero(counts).tolist()}


def _near_copies(connection: Connection) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    sql = "SELECT note_id, other_id FROM near_copy UNION SELECT other_id, note_id FROM near_copy ORDER BY 1, 2"
    pairs = connection.execute(sql)
    for note, other in cast("Iterable[tuple[int, int]]", pairs):
        found[note] = (*found.get(note, ()), other)
    return found


_MISSING = np.iinfo(np.int64).max


_COLUMNS: dict[SortKey, str] = {"modified": "mtime_ns", "created": "created_ns", "title": "0", "path": "0"}


def _order(connection: Connection, by: SortKey) -> tuple[Ids, Ids]:
    """By note id: what is sorted by, and the place by path. What differs in case alone shares a place."""
    sql = f"SELECT id, coalesce({_COLUMNS[by]}, {_MISSING}), dense_rank() OVER (ORDER BY path_key) FROM note"  # noqa: S608
    rows = table(connection.execute(sql), 3)
    keys = np.full(int(rows[:, 0].max(initial=0)) + 1, _MISSING)
    by_path = keys.copy()
    by_path[rows[:, 0]] = rows[:, 2]
    if by == "path":
        return by_path, by_path
    keys[rows[:, 0]] = _title_places(connection, rows[:, 0]) if by == "title" else rows[:, 1]
    return keys, by_path


def _title_places(connection: Connection, notes: Ids) -> Ids:
    """The place by title of each of these notes, which are all that there are."""
    titles = cast("Iterable[tuple[int, str]]", connection.execute("SELECT id, title FROM note"))
    folded = {note: fold(title) for note, title in titles}
    places = {title: place for place, title in enumerate(sorted(set(folded.values())))}
    return np.fromiter((places[folded[note]] for note in notes.tolist()), np.int64, len(notes))


def _pairs(connection: Connection, facet: str) -> Iterator[tuple[str, str, int]]:
    """(what is counted as one, as it is shown, note id)."""
    if facet == "folder":
        for path, note in cast("Iterable[tuple[str, int]]", connection.execute("SELECT path, id FROM note")):
            for folder in _with_parents(path.rpartition("/")[0]):
                yield folder, folder, note
    elif facet == "kind":
        for kind, note in cast("Iterable[tuple[str, int]]", connection.execute("SELECT kind, id FROM note")):
            yield shown_kind(kind), shown_kind(kind), note
    elif facet == "tag":
        rows = connection.execute("SELECT tag_key, tag, note_id FROM note_tag ORDER BY tag_key, note_id")
        for key, tag, note in cast("Iterable[tuple[str, str, int]]", rows):
            yield from zip(_with_parents(key), _with_parents(tag), (note,) * (key.count("/") + 1), strict=False)
    else:
        sql = "SELECT value_key, note_id FROM note_property WHERE name_key = ? AND value_key <> ''"
        rows = connection.execute_here(sql, (fold(facet.removeprefix(PROPERTY)),))
        for value, note in cast("Iterable[tuple[str, int]]", rows):
            yield value, value, note


def _with_parents(path: str) -> list[str]:
    parts = path.split("/") if path else []
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]


def _facet(pairs: Iterable[tuple[str, str, int]]) -> _Facet:
    spellings: dict[str, Counter[str]] = {}
    codes: dict[str, int] = {}
    seen: dict[tuple[int, int], None] = {}
    for key, shown, note in pairs:
        spellings.setdefault(key, Counter())[shown] += 1
        seen[codes.setdefault(key, len(codes)), note] = None  # a note counts once, however often it has the value
    values = tuple(spellings[key].most_common(1)[0][0] for key in codes)
    table = np.array(list(seen), np.int64).reshape(-1, 2)
    return _Facet(values, table[:, 1].copy(), table[:, 0].astype(np.int32))
