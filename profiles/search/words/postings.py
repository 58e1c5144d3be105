"""The inverted index: for each term, which documents hold it and how often, packed for numpy."""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice, pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.number_sets import are_among, distinct
from scrubjay.profiles.search.words.analysis import MAX_TERM_LENGTH
from scrubjay.profiles.store.statements import Connection, json_texts

SHARD_BITS = 12
FREQUENCY_BITS = 4
MAX_FREQUENCY = (1 << FREQUENCY_BITS) - 1


def unpacked_ids(rows: Sequence[tuple[int, bytes]]) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """The document ids of (shard, entries) rows, and the entries, from whose low bits the frequencies are read."""
    packed = np.frombuffer(b"".join([entries for _, entries in rows]), dtype="<u2")
    bases = np.array([shard << SHARD_BITS for shard, _ in rows], np.int64)
    ids = np.repeat(bases, np.array([len(entries) >> 1 for _, entries in rows], np.int64))
    ids += packed >> FREQUENCY_BITS
    return ids, packed


_LOW = (1 << SHARD_BITS) - 1
SHARDS = """
WITH RECURSIVE shards(number) AS (
    SELECT min(shard) FROM posting
    UNION ALL SELECT (SELECT min(shard) FROM posting WHERE shard > number) FROM shards WHERE number IS NOT NULL
)
"""
"""Lists the shards by hopping from one to the next; a statement then seeks its terms in each."""
Ids = NDArray[np.int64]
Frequencies = NDArray[np.float32]


class Field(IntEnum):
    """Where a term stands."""

    BODY = 0
    HEADINGS = 1
    TITLE = 2
    ALIASES = 3
    TAGS = 4
    ANCHORS = 5
    PATH = 6


CHUNK_FIELDS = (Field.BODY, Field.HEADINGS)
NOTE_FIELDS = (Field.TITLE, Field.ALIASES, Field.TAGS, Field.ANCHORS, Field.PATH)
OWN_FIELDS = tuple(field for field in NOTE_FIELDS if field is not Field.ANCHORS)
"""Those that the note itself says: what others call it in their links ranks it, and holds nothing."""


@dataclass(frozen=True, slots=True)
class Postings:
    """The documents that hold a term in one field; `ids` are distinct, `frequencies` runs parallel, each >= 1."""

    ids: Ids
    frequencies: Frequencies
    top: int = dataclasses.field(init=False)  # the greatest id; -1 where there is none

    def __post_init__(self) -> None:
        object.__setattr__(self, "top", int(self.ids.max(initial=-1)))

    def below(self, size: int) -> "Postings":
        """Those of ids below `size`."""
        if self.top < size:
            return self
        inside = self.ids < size
        return Postings(self.ids[inside], self.frequencies[inside])

    def times(self, weight: float) -> "Postings":
        """The same, each frequency counting so much."""
        return Postings(self.ids, self.frequencies * np.float32(weight))


NONE = Postings(np.empty(0, np.int64), np.empty(0, np.float32))


def decode(rows: Sequence[tuple[int, bytes]]) -> Postings:
    """Unpack (shard, entries) rows of one term and field."""
    if not rows:
        return NONE
    ids, packed = unpacked_ids(rows)
    return Postings(ids, (packed & MAX_FREQUENCY).astype(np.float32))


def read(connection: Connection, terms: Sequence[str]) -> dict[str, dict[Field, Postings]]:
    """All postings of some terms, by term and field; terms and fields without any are left out."""
    if not terms:
        return {}
    rows = connection.execute(*connection.dialect.postings_of(connection, terms))
    found: dict[str, defaultdict[int, list[tuple[int, bytes]]]] = {}
    for term, field, shard, entries in cast("Iterable[tuple[str, int, int, bytes]]", rows):
        found.setdefault(term, defaultdict(list))[field].append((shard, entries))
    return {term: {Field(field): decode(shards) for field, shards in fields.items()} for term, fields in found.items()}


def read_together(connection: Connection, weights: Mapping[str, float]) -> dict[Field, Postings]:
    """The postings of several terms as if they were one, by field. weights: what each frequency of a term counts."""
    rows = connection.execute(*connection.dialect.postings_of(connection, weights))
    found: defaultdict[int, list[tuple[str, int, bytes]]] = defaultdict(list)
    for term, field, shard, entries in cast("Iterable[tuple[str, int, int, bytes]]", rows):
        found[field].append((term, shard, entries))
    return {Field(field): _together(shards, weights) for field, shards in found.items()}


def _together(rows: Sequence[tuple[str, int, bytes]], weights: Mapping[str, float]) -> Postings:
    """(term, shard, entries) rows of one field as those of one term: the frequencies of a document are added up."""
    found = decode([(shard, entries) for _, shard, entries in rows])
    sizes = [len(entries) >> 1 for _, _, entries in rows]
    counted = found.frequencies * np.repeat(np.array([weights[term] for term, _, _ in rows], np.float32), sizes)
    if len({term for term, _, _ in rows}) == 1:
        return Postings(found.ids, counted)
    summed = np.bincount(found.ids, counted)
    ids = np.flatnonzero(summed > 0)
    return Postings(ids, summed[ids].astype(np.float32))


def highest(lists: Sequence[Postings]) -> Postings:
    """The postings of several terms, at least one, as if they were one that stands as often as the most frequent."""
    if len(lists) == 1:
        return lists[0]
    frequencies = np.zeros(max(part.top for part in lists) + 1, np.float32)
    for part in lists:
        frequencies[part.ids] = np.maximum(frequencies[part.ids], part.frequencies)
    ids = np.flatnonzero(frequencies)
    return Postings(ids, frequencies[ids])


_ROWS_AT_ONCE = 4_096
_BEGIN_AT = 60_000
"""Terms of some five hundred passages. Each time it writes the common words again."""
_FIELD_BITS = 3
_FIELD = (1 << _FIELD_BITS) - 1
_ROW_BITS = SHARD_BITS + _FIELD_BITS
TOO_LONG = 0
"""The number of every term longer than MAX_TERM_LENGTH."""


class _Numbers(dict[str, int]):
    """Numbers terms in order of appearance; a dictionary with a default, as each word of each note reads it."""

    def __init__(self) -> None:
        super().__init__()
        self.names = [""]

    def __missing__(self, term: str) -> int:
        number = len(self.names) if len(term) <= MAX_TERM_LENGTH else TOO_LONG
        if number != TOO_LONG:
            self.names.append(term)
        self[term] = number
        return number


class _Documents:
    """Documents and their terms, flat."""

    def __init__(self) -> None:
        self.fields: list[int] = []
        self.ids: list[int] = []
        self.lengths: list[int] = []
        self.terms: list[int] = []

    def append(self, field: Field, document: int, terms: Iterable[int]) -> None:
        before = len(self.terms)
        self.terms.extend(terms)
        self.fields.append(field)
        self.ids.append(document)
        self.lengths.append(len(self.terms) - before)


class PostingBatch:
    """Collects what a transaction adds and removes, and writes it in one pass.

    Removal needs the very terms that were added, so a caller analyses the old text again; that way a deletion leaves
    neither entry nor word behind.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.counts: defaultdict[str, int] = defaultdict(int)
        """By term, how many entries were written, less those that were dropped."""
        self._reset()

    def _reset(self) -> None:
        self._numbers = _Numbers()
        self._added = _Documents()
        self._removed = _Documents()
        self._fresh: set[tuple[Field, int]] = set()

    def add(self, field: Field, document: int, terms: Iterable[str]) -> None:
        """Note that `document` holds `terms` (repeats count) in `field`."""
        self._added.append(field, document, map(self._numbers.__getitem__, terms))
        self._fresh.add((field, document))

    def remove(self, field: Field, document: int, terms: Iterable[str]) -> None:
        """Take `document` out of the postings of `terms` in `field`."""
        if (field, document) in self._fresh:
            self.flush()  # or the addition would be written after its own removal
        self._removed.append(field, document, map(self._numbers.__getitem__, terms))

    def rows_are_there(self) -> None:
        """Write what waits if it is much, and a server works on it while more is made ready."""
        if self._connection.dialect.works_ahead and len(self._added.terms) > _BEGIN_AT:
            self.flush()

    def clear(self) -> None:
        """Forget all postings, before they are written anew."""
        self._connection.execute("DELETE FROM posting")

    def flush(self) -> None:
        """Write: removals first, then additions (so that a note's own id can be replaced). Empties the batch."""
        self._erase(self._rows(self._removed))
        rows = self._rows(self._added)
        while some := list(islice(rows, _ROWS_AT_ONCE)):  # a server takes in some while the next are made ready
            for term, _, _, entries in some:
                self.counts[term] += len(entries) >> 1
            self._connection.dialect.add_postings(self._connection, some)
        self._reset()

    def _rows(self, documents: "_Documents") -> Iterator[tuple[str, int, int, bytes]]:
        """(term, field, shard, entries), in the order of the table's key.

        One after the other: 100,000 at once would be looked through for garbage, while every search stands still.
        """
        if not documents.terms:
            return
        names = self._numbers.names
        # Terms sorted as the key sorts them, so that inserts walk the B-tree forwards.
        by_name = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
        order = np.empty(len(names), np.int64)
        order[by_name] = np.arange(len(names))
        # One number says shard, term, field and document, in this order: sorting those is quicker than sorting columns.
        term, field, document = (
            np.array(each, np.int64) for each in (documents.terms, documents.fields, documents.ids)
        )
        of_documents = ((document >> SHARD_BITS) * len(names) << _ROW_BITS) + (field << SHARD_BITS) + (document & _LOW)
        keys = np.repeat(of_documents, documents.lengths) + (order[term] << _ROW_BITS)
        keys, counts = np.unique(keys[term != TOO_LONG], return_counts=True)
        entries = ((keys & _LOW) << FREQUENCY_BITS | np.minimum(counts, MAX_FREQUENCY)).astype("<u2").tobytes()
        rows, starts = np.unique(keys >> SHARD_BITS, return_index=True)
        shard, place = np.divmod(rows >> _FIELD_BITS, len(names))
        columns = (each.tolist() for each in (by_name[place], rows & _FIELD, shard))
        spans = pairwise([*starts.tolist(), len(keys)])
        for number, of_field, of_shard, (start, end) in zip(*columns, spans, strict=True):
            yield names[number], of_field, of_shard, entries[2 * start : 2 * end]

    def _erase(self, removed: Iterable[tuple[str, int, int, bytes]]) -> None:
        """Drop documents from their rows; a row goes with its last entry."""
        by_shard: defaultdict[int, dict[tuple[str, int], bytes]] = defaultdict(dict)
        for term, field, shard, entries in removed:
            by_shard[shard][term, field] = entries
        shorter: list[tuple[str, int, int, bytes]] = []
        empty: list[tuple[str, int, int]] = []
        for shard, gone in by_shard.items():
            found = self._connection.execute(_ROWS, (shard, json_texts({term for term, _ in gone})))
            rows = [row for row in cast("Iterable[tuple[str, int, bytes]]", found) if row[:2] in gone]
            kept = _without([row[2] for row in rows], [gone[row[:2]] for row in rows])
            for (term, field, old), left in zip(rows, kept, strict=True):
                self.counts[term] -= (len(old) - len(left)) >> 1
                if left:
                    shorter.append((term, field, shard, left))
                else:
                    empty.append((term, field, shard))
        self._connection.dialect.replace_postings(self._connection, shorter)
        self._connection.executemany("DELETE FROM posting WHERE term = ? AND field = ? AND shard = ?", empty)


_ROWS = "SELECT term, field, entries FROM posting WHERE shard = ? AND term IN (SELECT value FROM json_each(?))"


def _without(rows: Sequence[bytes], gone: Sequence[bytes]) -> Iterator[bytes]:
    """The entries of each row but for those of some documents; for all rows of a shard at once."""
    old, old_row = _joined(rows)
    went, went_row = _joined(gone)
    is_kept = ~are_among(old_row + (old >> FREQUENCY_BITS), distinct(went_row + (went >> FREQUENCY_BITS)))
    kept = old[is_kept].tobytes()
    ends = 2 * np.cumsum(np.bincount(old_row[is_kept] >> SHARD_BITS, minlength=len(rows)))
    for start, end in pairwise([0, *ends.tolist()]):
        yield kept[start:end]


def _joined(rows: Sequence[bytes]) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The entries of all rows, and for each the number of its row, above the bits of a document."""
    numbers = np.arange(len(rows), dtype=np.int64) << SHARD_BITS
    lengths = np.fromiter((len(entries) >> 1 for entries in rows), np.int64, len(rows))
    return np.frombuffer(b"".join(rows), "<u2"), np.repeat(numbers, lengths)
