"""BM25F, and how completely a chunk and its note's title say what was searched for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.words.postings import CHUNK_FIELDS, NOTE_FIELDS, Field, Postings
from scrubjay.profiles.store.columns import Columns, Ints

# BM25F: one score for a word that may stand in several weighted fields of a document.
#
# The weighted frequencies of the fields are added up first and saturated once, so that a word in the title and in the
# aliases does not count as two words. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and
# Beyond, 2009, sections 3.4 and 3.6; idf in Lucene's form, which is never negative.

K1 = 0.7
"""How fast repetition stops to matter: faster than the usual 1.2, since chunks are short."""
B = 0.4
"""How much a long text lowers the score of a word in it: less than the usual .75, since chunks are much of a length.

Both are near those of Anserini's baselines, .9 and .4 (Yang, Fang and Lin, SIGIR 2017); see docs/retrieval.md.
"""
B_TITLE = 0.3
AVERAGE_TITLE = 4.0
"""Tokens; a constant, so that the scores of several stores compare."""

FIELD_WEIGHTS: Mapping[Field, float] = {
    Field.BODY: 1.0,
    Field.HEADINGS: 1.5,
    Field.TITLE: 3.0,
    Field.ALIASES: 3.0,
    Field.TAGS: 1.5,
    Field.ANCHORS: 1.5,
    Field.PATH: 0.5,
}

LexicalScores = NDArray[np.float32]  # indexed by document id; 0 where nothing was found


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths of one field, in terms, indexed by document id, and how they are normalised (`b` in [0, 1])."""

    field: Field
    lengths: Ints
    average: float
    b: float


def idf(documents: int, frequency: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)): above 0 even for a word that all documents hold."""
    return log(1 + (max(documents - frequency, 0) + 0.5) / (frequency + 0.5))


def add(
    scores: LexicalScores,
    evidence: Mapping[Field, Sequence[Postings]],
    fields: Sequence[Field],
    weight: float,
    lengths: Lengths,
    spare: LexicalScores,
) -> None:
    """Add one word's score to each document that holds it in `fields`; ids past the end of `scores` are passed over.

    weight: the word's idf times its weight in the query. spare: zeros, as many as `scores`, and zeros again afterwards:
    of a million passages, clearing such an array for each word would take longer than all else here.
    """
    found = [_weighted(part, field, lengths, len(scores)) for field in fields for part in evidence.get(field, ())]
    if not found:
        return
    if len(found) == 1:
        ids, frequency = found[0]
        scores[ids] += _saturated(frequency, weight)
        return
    (ids, frequency), *others = found
    spare[ids] = frequency
    for ids, frequency in others:
        spare[ids] += frequency
    for ids, _ in found:
        scores[ids] += _saturated(spare[ids], weight)
        spare[ids] = 0  # a document in two lists is scored by the first


def add_to_owners(
    scores: LexicalScores,
    evidence: Mapping[Field, Sequence[Postings]],
    fields: Sequence[Field],
    weight: float,
    owners: Ints,
    norms: LexicalScores,
) -> None:
    """Add one word's score to each owner of the documents that hold it, as if they were one document.

    scores: indexed by owner id. owners: the owner of each document, by document id; documents past its end are passed
    over. norms: by owner id, what its frequencies are divided by for its length. weight: as in `add`.
    """
    parts = [(field, part) for field in fields for part in evidence.get(field, ())]
    if not parts:
        return
    frequency = np.zeros(len(scores))
    for field, part in parts:
        known = part.below(len(owners))
        frequency += np.bincount(owners[known.ids], known.frequencies * np.float32(FIELD_WEIGHTS[field]), len(scores))
    scores += _saturated(frequency.astype(np.float32) / norms, weight)


def _saturated(frequency: LexicalScores, weight: float) -> LexicalScores:
    points: LexicalScores = frequency * np.float32(weight * (K1 + 1))
    points /= frequency + np.float32(K1)
    return points


def union(lists: Sequence[Postings]) -> int:
    """In how many documents at least one of several terms stands."""
    if len(lists) <= 1:
        return sum(len(part.ids) for part in lists)
    seen = np.zeros(max(part.top for part in lists) + 1, bool)
    for part in lists:
        seen[part.ids] = True
    return int(np.count_nonzero(seen))


def _weighted(part: Postings, field: Field, lengths: Lengths, size: int) -> tuple[NDArray[np.int64], LexicalScores]:
    """Ids below `size` and their weighted, length-normalised frequencies in one field."""
    part = part.below(size)
    frequency = part.frequencies * np.float32(FIELD_WEIGHTS[field])
    if field is lengths.field:
        norms = np.float32(lengths.b / lengths.average) * lengths.lengths[part.ids]
        norms += np.float32(1 - lengths.b)
        frequency /= norms
    return part.ids, frequency


# How completely chunks, and the titles of their notes, contain the query.
#
# BM25 adds words up: a passage that says two of three often can pass one that says all three once. Coverage is
# separate evidence for that; docs/retrieval.md has what it is worth.

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
        self._wanted, self._size = wanted, size

    def find(self, evidence: Mapping[Field, Sequence[Postings]], fields: Sequence[Field]) -> NDArray[np.bool_]:
        there = np.zeros(self._size, bool)
        for part in (each for field in fields for each in evidence.get(field, ())):
            there[part.below(self._size).ids] = True
        return there[self._wanted]
