"""How completely chunks, and the titles of their notes, contain the query.

BM25 adds words up: a passage that says two of three often can pass one that says all three once. Coverage is
separate evidence for that; docs/retrieval.md has what it is worth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.columns import Columns
from scrubjay.profiles.lexical.posting import CHUNK_FIELDS, NOTE_FIELDS, Field, Postings

_NAMES = (Field.TITLE, Field.ALIASES)
_CONJUNCTION = 2  # words from which on "all of them" says more than "one of them"

Shares = NDArray[np.float64]  # one number a chunk, 0 to 1


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """A part of the query that some note contains: its postings, and its weight (times its idf).

    is_word: a whole word; the pairs of characters that stand for a run of an unspaced script are none.
    """

    evidence: Mapping[Field, Sequence[Postings]]
    weight: float
    is_word: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """For each chunk given.

    query_share: the share of the query's weight whose words it or its note's header contains, however often; 0 for a
    query of fewer than two words, which every hit contains whole. Pairs of characters do not count: any long text
    contains most.
    title: how alike the title and aliases of its note are to the query. The harmonic mean (F1) of the share of the
    query's weight that they hold, and of the share of the title's words that were asked for.
    """

    query_share: Shares
    title: Shares


def coverage(chunks: Sequence[int], parts: Sequence[ScoredPart], columns: Columns) -> Coverage:
    """The coverage of some chunks. columns: hold all of them."""
    ids = np.array(chunks, np.int64)
    notes = columns.note_of[ids]
    query_share, named, names = np.zeros(len(ids)), np.zeros(len(ids)), np.zeros(len(ids))
    in_chunk, in_note = _Finder(ids, len(columns.note_of)), _Finder(notes, len(columns.first_chunk))
    for part in parts:
        if part.is_word:
            there = in_chunk.find(part.evidence, CHUNK_FIELDS) | in_note.find(part.evidence, NOTE_FIELDS)
            query_share += part.weight * there
        in_title = in_note.find(part.evidence, _NAMES)
        named += part.weight * in_title
        names += in_title
    total = sum(part.weight for part in parts)
    if total <= 0:
        return Coverage(query_share, named)
    if sum(part.is_word for part in parts) < _CONJUNCTION:
        query_share[:] = 0
    precision = np.minimum(names / np.maximum(columns.title_tokens[notes], 1), 1)
    return Coverage(query_share / total, _harmonic(named / total, precision))


def _harmonic(a: Shares, b: Shares) -> Shares:
    both = a + b
    return np.divide(2 * a * b, both, out=np.zeros_like(both), where=both > 0)


class _Finder:
    """Tells which of some documents stand in postings. size: one more than the greatest id there may be of them."""

    def __init__(self, wanted: NDArray[np.integer], size: int) -> None:
        self._wanted = wanted
        self._is_wanted, self._there = np.zeros(size, bool), np.zeros(size, bool)
        self._is_wanted[wanted] = True

    def find(self, evidence: Mapping[Field, Sequence[Postings]], fields: Sequence[Field]) -> NDArray[np.bool_]:
        found = [self._among(part.ids) for field in fields for part in evidence.get(field, ())]
        for ids in found:
            self._there[ids] = True
        there = self._there[self._wanted]
        for ids in found:
            self._there[ids] = False
        return there

    def _among(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of `ids` that are wanted; postings may be newer than the columns."""
        if len(ids) and int(ids.max()) >= len(self._is_wanted):
            ids = ids[ids < len(self._is_wanted)]
        return ids[self._is_wanted[ids]]
