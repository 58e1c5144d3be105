"""Which remembered entries fit a query best. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.daemon.search.rank.fusion import convex_combination, semantic_weight
from scrubjay.daemon.search.rank.words import relevance
from scrubjay.daemon.search.types import Relevance
from scrubjay.profiles.journal.entries import JournalEntry
from scrubjay.profiles.text import analysis

_HARDLY_BETTER = 0.25  # of a score in [0, 1]
_SHARED = 0.4
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class RecallCandidate:
    """An entry that some leg found, and where. similarity: cosine to the query, None where meaning was not compared."""

    profile: str
    entry: JournalEntry
    similarity: float | None


@dataclass(frozen=True, slots=True)
class Recalled:
    """An entry in answer to a query. `score` in [0, 1] compares inside one answer."""

    profile: str
    entry: JournalEntry
    score: float
    relevance: Relevance


def ranked(candidates: Sequence[RecallCandidate], query: str) -> tuple[Recalled, ...]:
    """Best first, of nearly equal ones the newer; of equal texts in one profile the newest alone.

    The score is a convex combination of the similarity and of the share of the query's words that the entry holds; how
    much meaning weighs follows from the lead of the best similarity, as it does for notes.
    """
    newest = sorted(candidates, key=lambda candidate: (-candidate.entry.at_ns, candidate.profile, candidate.entry.key))
    distinct = list({(each.profile, each.entry.text): each for each in reversed(newest)}.values())[::-1]
    words = frozenset(analysis.query_terms(query))
    coverage = np.array([_coverage(words, each.entry) for each in distinct])
    similarity = np.array([np.nan if each.similarity is None else each.similarity for each in distinct])
    meaning = semantic_weight(similarity) if words else 1.0
    table = np.array([coverage, similarity]).reshape(2, len(distinct))
    scores = convex_combination(table, (1 - meaning, meaning), (0.0, 0.0), (1.0, 1.0)).sum(axis=0)
    answers = [
        Recalled(each.profile, each.entry, float(score), relevance(each.similarity, float(share)))
        for each, score, share in zip(distinct, scores, coverage, strict=True)
    ]
    return tuple(_newer_first(sorted(answers, key=lambda answer: -answer.score)))


def _newer_first(answers: list[Recalled]) -> list[Recalled]:
    """Best first, but that an entry is put before older ones that are about the same and hardly better.

    A fact that has changed is said again in nearly the same words, and of both the later one holds.
    """
    words = [frozenset(analysis.query_terms(answer.entry.text)) for answer in answers]
    order: list[int] = []
    for place, answer in enumerate(answers):
        before = next(
            (
                at
                for at, other in enumerate(order)
                if answers[other].entry.at_ns < answer.entry.at_ns
                and answers[other].score - answer.score <= _HARDLY_BETTER
                and _alike(words[other], words[place])
            ),
            len(order),
        )
        order.insert(before, place)
    return [answers[place] for place in order]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts have two words in common, and these are two fifths of all they have (Jaccard's index)."""
    common = len(one & other)
    return common >= _FEWEST and common >= _SHARED * len(one | other)


def _coverage(words: frozenset[str], entry: JournalEntry) -> float:
    if not words:
        return 0.0
    text_words = frozenset(analysis.terms("\n".join((entry.text, *entry.tags))))
    return len(words & text_words) / len(words)
