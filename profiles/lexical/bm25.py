"""BM25F: one score for a word that may stand in several weighted fields of a document.

The weighted frequencies of the fields are added up first and saturated once, so that a word in the title and in the
aliases does not count as two words. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and
Beyond, 2009, sections 3.4 and 3.6; idf in Lucene's form, which is never negative.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.columns import Ints
from scrubjay.profiles.lexical.posting import Field, Postings

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
) -> None:
    """Add one word's score to each document that holds it in `fields`; ids past the end of `scores` are passed over.

    weight: the word's idf times its weight in the query.
    """
    found = [_weighted(part, field, lengths, len(scores)) for field in fields for part in evidence.get(field, ())]
    if not found:
        return
    if len(found) == 1:
        ids, frequency = found[0]
        scores[ids] += _saturated(frequency, weight)
        return
    combined = np.zeros_like(scores)
    for ids, frequency in found:
        combined[ids] += frequency
    for ids, _ in found:
        scores[ids] += _saturated(combined[ids], weight)
        combined[ids] = 0  # a document in two lists is scored by the first


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
        ids, frequency_sum = _inside(part, len(owners))
        frequency += np.bincount(owners[ids], frequency_sum * np.float32(FIELD_WEIGHTS[field]), len(scores))
    scores += _saturated(frequency.astype(np.float32) / norms, weight)


def _saturated(frequency: LexicalScores, weight: float) -> LexicalScores:
    points: LexicalScores = frequency * np.float32(weight * (K1 + 1))
    points /= frequency + np.float32(K1)
    return points


def union(lists: Sequence[Postings]) -> int:
    """In how many documents at least one of several terms stands."""
    if len(lists) <= 1:
        return sum(len(part.ids) for part in lists)
    seen = np.zeros(max(int(part.ids.max(initial=0)) for part in lists) + 1, bool)
    for part in lists:
        seen[part.ids] = True
    return int(np.count_nonzero(seen))


def _weighted(part: Postings, field: Field, lengths: Lengths, size: int) -> tuple[NDArray[np.int64], LexicalScores]:
    """Ids below `size` and their weighted, length-normalised frequencies in one field."""
    ids, frequency = _inside(part, size)
    frequency = frequency * np.float32(FIELD_WEIGHTS[field])
    if field is lengths.field:
        norms = np.float32(lengths.b / lengths.average) * lengths.lengths[ids]
        norms += np.float32(1 - lengths.b)
        frequency /= norms
    return ids, frequency


def _inside(part: Postings, size: int) -> tuple[NDArray[np.int64], LexicalScores]:
    """The ids below `size`, with their frequencies."""
    if not len(part.ids) or int(part.ids.max()) < size:
        return part.ids, part.frequencies
    inside = part.ids < size
    return part.ids[inside], part.frequencies[inside]
