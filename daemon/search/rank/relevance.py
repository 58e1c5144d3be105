"""Whether a result is likely what was meant: tiers from how near and how complete it is."""

from dataclasses import dataclass

from scrubjay.daemon.search.types import Relevance


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosine similarity, and share of the query's word weight in the passage, from which a tier is given.

    held: the least share of the words, each counted once, that a high tier by words takes: one rare word said often is
    not what was asked.
    """

    high_similarity: float
    medium_similarity: float
    high_coverage: float
    medium_coverage: float
    query_share: float


DEFAULT = Thresholds(
    high_similarity=0.55, medium_similarity=0.42, high_coverage=0.52, medium_coverage=0.5, query_share=0.6
)
"""Calibrated for the bundled model: of questions put to notes about something else, nine in ten are "low" at best, and
of questions that the notes can answer, three in a hundred; see docs/retrieval.md."""


def relevance(
    similarity: float | None,
    coverage: float,
    query_share: float = 1.0,
    thresholds: Thresholds = DEFAULT,
    *,
    trust: float = 1.0,
) -> Relevance:
    """The tier of one passage. similarity: cosine, None where the passage has no vector. coverage: in [0, ...).

    held: share of the query's words that it holds, each counted once; 1 where the query is of one word.
    trust: how much of the query its model can read, 0 to 1; what it can't read is alike to anything that it can't read.
    """
    near = -1.0 if similarity is None else similarity * trust
    if near >= thresholds.high_similarity or (
        coverage >= thresholds.high_coverage and query_share >= thresholds.query_share
    ):
        return "high"
    if near >= thresholds.medium_similarity or coverage >= thresholds.medium_coverage:
        return "medium"
    return "low"
