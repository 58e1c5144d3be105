"""From the candidates of both legs to one score a passage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.number_sets import distinct
from scrubjay.profiles.search.rank.legs import Candidates
from scrubjay.profiles.search.types import Fusion, ScorePart, Signal

# Fusing the legs: arithmetic on score tables, no I/O.
#
# A score table has one row a leg and one column a candidate; higher is better; NaN means that the leg did not return
# the candidate. Both functions give a table of points of the same shape, whose columns sum to the fused scores: that
# table is the explanation. Candidates that no leg returned get no points.

ScoreTable: TypeAlias = NDArray[np.float64]  # shape (legs, candidates)
Scores: TypeAlias = NDArray[np.float64]  # shape (candidates,)
Ranks: TypeAlias = NDArray[np.int64]  # shape (candidates,)

RRF_K = 60


def ranks(scores: Scores) -> Ranks:
    """1-based places, best first; equal scores share a place and the next one follows on; 0 where `scores` is NaN.

    Shared places make a text that many notes hold count once, so the same notes fuse alike in one profile or in three.
    """
    places = np.zeros(len(scores), dtype=np.int64)
    present = ~np.isnan(scores)
    _, inverse = np.unique(-scores[present], return_inverse=True)
    places[present] = inverse + 1
    return places


def weighted_rrf(table: ScoreTable, weights: Sequence[float], *, k: int = RRF_K) -> ScoreTable:
    """Points weight / (k + rank) in every leg that returned the candidate.

    weights: one a row, >= 0. Raises ValueError where their number differs from the rows or one is negative.
    Source: Cormack, Clarke and Büttcher, SIGIR 2009 (unweighted, k = 60).
    """
    _check(table, weights)
    points = np.zeros_like(table)
    for row, weight in enumerate(weights):
        places = ranks(table[row])
        found = places > 0
        points[row, found] = weight / (k + places[found])
    return points


def convex_combination(
    table: ScoreTable, weights: Sequence[float], floors: Sequence[float], ceilings: Sequence[float | None]
) -> ScoreTable:
    """Points weight * (score - floor) / (ceiling - floor): scores put on one scale, and nothing lost but the scale.

    floors: the least score each leg can give in theory (0 for BM25), so that a leg whose scores all lie close together
    is not stretched as plain min-max would.
    ceilings: the most each leg can give for this query, or None for the highest score that it did give. With a
    theoretical ceiling a leg whose best hit is poor says so; with None its best hit always gets the whole weight.
    weights: one a row, >= 0. Scores under the floor count as the floor. A leg that returned nothing gives nothing.
    Raises ValueError where a number of values differs from the rows or a weight is negative.
    Source: with None and floors (0, -1), TM2C2 of Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
    Retrieval", TOIS 2023.
    """
    _check(table, weights)
    if not len(floors) == len(ceilings) == len(table):
        raise ValueError("one floor and one ceiling for every leg are needed")
    points = np.zeros_like(table)
    for row, (weight, floor, ceiling) in enumerate(zip(weights, floors, ceilings, strict=True)):
        found = ~np.isnan(table[row])
        if not found.any():
            continue
        reach = (float(table[row, found].max()) if ceiling is None else ceiling) - floor
        if reach > 0:
            points[row, found] = weight * np.maximum(table[row, found] - floor, 0) / reach
    return points


def best_first(scores: Scores) -> NDArray[np.int64]:
    """Indexes of candidates, best first; equal scores keep their order, which callers make the digests'."""
    return np.argsort(-scores, kind="stable")


def _check(table: ScoreTable, weights: Sequence[float]) -> None:
    if len(weights) != len(table):
        raise ValueError("one weight for every leg is needed")
    if any(weight < 0 for weight in weights):
        raise ValueError("weights can't be negative")


# Score regularisation: passages about the same thing should score alike.
#
# A passage's score moves part of the way to the mean score of those candidates that its vector is nearest to. It is
# pseudo-relevance feedback without a second search: a passage among good ones rises, a stray hit among poor ones
# sinks. Source: Diaz, "Regularizing ad hoc retrieval scores", CIKM 2005; measured in docs/retrieval.md.

SHARE = 0.35
"""How far a score moves towards its neighbours' mean."""
NEIGHBOURS = 5
DEPTH = 50
"""Candidates that take part: the best by fused score."""
_SAME_TEXT = 0.9999


def neighbour_points(
    scores: NDArray[np.float64], vectors: NDArray[np.float32], share: float = SHARE
) -> NDArray[np.float64]:
    """What each score gains (or loses, < 0) by its neighbours.

    scores: shape (n,). vectors: shape (n, dim), rows L2-normalised, or all zeros for a passage without a vector, which
    neither gains nor gives. Equal texts are no neighbours of one another. share: how far a score moves.
    """
    if len(scores) <= 1:
        return np.zeros(len(scores))
    likeness = np.maximum(vectors @ vectors.T, 0.0).astype(np.float64)
    np.fill_diagonal(likeness, 0.0)
    likeness[likeness > _SAME_TEXT] = 0.0
    if len(scores) > NEIGHBOURS:
        edge = np.partition(likeness, -NEIGHBOURS, axis=1)[:, -NEIGHBOURS][:, np.newaxis]
        likeness[likeness < edge] = 0.0
    total = likeness.sum(axis=1)
    known = total > 0
    points = np.zeros(len(scores))
    means = (likeness[known] @ scores) / total[known]
    points[known] = share * (means - scores[known])
    return points


# From what the legs returned to an order, with every point accounted for. Pure; every constant was measured.
#
# docs/retrieval.md has the table of what was tried, and on what.

SEMANTIC_WEIGHT = 0.68
"""Of the semantic leg in the convex combination where it is as decided as usual; the words have the rest."""
USUAL_LEAD = 0.134
LEAD_PLACE = 10
"""How much nearer its best passage is than the one at this place: a leg that likes ten passages alike knows little."""
LEAD_SLOPE = 1.0
WEIGHT_RANGE = (0.25, 0.9)
ASSUMED_QUANTILE = 0.75
"""Of the similarities of what words found: taken for passages without a vector, while they wait to be embedded."""
CODE_WEIGHT = 0.26
"""What the semantic leg gets in addition where the words found nothing but program code; see `code_share`."""
ACROSS_WEIGHT = 0.25
"""What it gets in addition where the query is in another language than the notes; see `across_languages`."""
QUERY_SHARE_WEIGHT = 0.5
"""Of the words' share: what a passage earns that says the whole query, beside what its words earn one by one. It earns
the square of the share of the query that it holds, so that little comes of half a query, and more where that stands in
one sentence, see `statements.py`. Program code earns none."""
TITLE_WEIGHT = 0.4
"""Of the words' share: what a passage earns by how alike its note's title is to the query."""
NAMED_POINTS = 1.0
"""For the passages of a note that is called what the query says, as a whole: more than all else comes to."""
RRF_WEIGHTS = (0.4, 0.6)
"""Lexical, semantic: by rank, where that is asked for, or models differ, so that distances don't compare."""

SIGNALS: tuple[Signal, ...] = ("lexical", "semantic", "neighbours", "completeness")
PRIORS: tuple[Signal, ...] = ("recency", "importance", "opened")
"""Rows that stand below those of SIGNALS where a profile has set a prior, or a note was opened before."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates with their points: a row for each of SIGNALS (and PRIORS), a column for each candidate.

    ranked_by: the legs' scores, as far as they compare: of several models, those by meaning say a place in its own.
    """

    candidates: Candidates
    points: ScoreTable
    ranked_by: ScoreTable

    @property
    def scores(self) -> NDArray[np.float64]:
        """The fused score of each candidate."""
        return self.points.sum(axis=0)

    def parts(self, column: int) -> tuple[ScorePart, ...]:
        """What made up one candidate's score; the points sum to it."""
        lexical, semantic = self.candidates.scores
        similarity = float(semantic[column])
        return (
            _part("lexical", self.points[0, column], self._rank(0, column), float(lexical[column])),
            _part("semantic", self.points[1, column], self._rank(1, column), 1.0 - similarity),
            ScorePart("neighbours", float(self.points[2, column])),
            ScorePart("completeness", float(self.points[3, column])),
            *(
                ScorePart(signal, float(row[column]))
                for signal, row in zip(PRIORS, self.points[len(SIGNALS) :], strict=False)
                if row[column]
            ),
        )

    def _rank(self, leg: int, column: int) -> int:
        return int(ranks(self.ranked_by[leg])[column])


def fuse(
    candidates: Candidates,
    *,
    lexical_ceiling: float,
    fusion: Fusion = "convex",
    models: NDArray[np.int64] | None = None,
    trust: float = 1.0,
    code: float = 0.0,
    across: float = 0.0,
) -> Ranked:
    """Fuse the legs. lexical_ceiling: the score of a passage that holds every word of the query without end.

    A leg that returned nothing leaves the other its order. fusion: "rrf" takes the candidates' ranks in the legs, and
    nothing else but the names of notes. models: which model embedded each candidate, where they are several; their
    similarities do not compare, so the legs are then fused by rank, each model's best standing first.
    trust: how much of its weight the semantic leg keeps, 0 to 1, for a query that its model hardly reads.
    code: how much of what the words found is program code, 0 to 1. across: how much of it is in another language than
    the query, which the model reads too.
    """
    points = np.zeros((len(SIGNALS), len(candidates)))
    lexical, semantic = candidates.scores
    comparable = np.stack((lexical, semantic if models is None else _by_place(semantic, models)))
    if models is not None or fusion == "rrf":
        meaning = trust * RRF_WEIGHTS[1]
        points[:2] = weighted_rrf(comparable, (1 - meaning, meaning))
    else:
        meaning = trust * semantic_weight(candidates.scores[1], code, across)
        weights = (1 - meaning, meaning)
        points[:2] = convex_combination(_assumed(candidates.scores), weights, (0.0, 0.0), (lexical_ceiling, 1.0))
        points[3] = (1 - meaning) * _completeness(candidates.coverage, code)
    points[3] += NAMED_POINTS * candidates.coverage[2]
    return Ranked(candidates, points, comparable)


def _assumed(scores: ScoreTable) -> ScoreTable:
    """With a similarity assumed for what words found and has no vector yet: one that such passages seldom exceed.

    Else a note would stand below all others until its passages are embedded, however well it says the query. Measured
    in docs/decisions/0005: so no share of embedded notes is worse than words alone.
    """
    found = ~np.isnan(scores[0])
    known = found & ~np.isnan(scores[1])
    missing = found & ~known
    if not missing.any() or not known.any():
        return scores
    assumed = scores.copy()
    assumed[1, missing] = np.quantile(scores[1, known], ASSUMED_QUANTILE)
    return assumed


def _completeness(coverage: ScoreTable, code: float) -> NDArray[np.float64]:
    """What candidates earn by holding the query as a whole, and by their titles. coverage: as in `Candidates`."""
    _, title, _, complete = coverage
    return QUERY_SHARE_WEIGHT * (1 - code) * complete + TITLE_WEIGHT * np.square(title)


def _by_place(similarities: NDArray[np.float64], models: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scores that say nothing but the place of each candidate among those of its own model; NaN stays."""
    placed = np.full(len(similarities), np.nan)
    for model in distinct(models):
        places = ranks(np.where(models == model, similarities, np.nan))
        placed[places > 0] = -places[places > 0]
    return placed


def semantic_weight(similarities: NDArray[np.float64], code: float = 0.0, across: float = 0.0) -> float:
    """The semantic leg's share for this query, from the lead of its best passage; NaN where it did not return one.

    code, across: as in `fuse`.
    """
    found = np.sort(similarities[~np.isnan(similarities)])[::-1]
    if not len(found):
        return 0.0
    lead = float(found[0] - found[:LEAD_PLACE][-1])
    weight = SEMANTIC_WEIGHT + LEAD_SLOPE * (lead - USUAL_LEAD) + CODE_WEIGHT * code + ACROSS_WEIGHT * across
    return min(max(weight, WEIGHT_RANGE[0]), WEIGHT_RANGE[1])


def deepest(ranked: Ranked) -> NDArray[np.int64]:
    """The candidates whose neighbours count: `with_neighbours` takes their vectors."""
    return best_first(_of_legs(ranked))[:DEPTH]


def with_neighbours(
    ranked: Ranked, columns: NDArray[np.int64], vectors: NDArray[np.float32], trust: float = 1.0
) -> Ranked:
    """Add what `columns` gain from one another. vectors: a row for each of `columns`, zeros where there is none.

    Only what the legs gave is shared: that one passage holds the whole query says nothing of those around it.
    trust: as in `fuse`.
    """
    points = ranked.points.copy()
    points[2, columns] = neighbour_points(_of_legs(ranked)[columns], vectors, SHARE * trust)
    return replace(ranked, points=points)


def _of_legs(ranked: Ranked) -> NDArray[np.float64]:
    """What the two legs alone gave each candidate."""
    return ranked.points[:2].sum(axis=0)


def _part(signal: Signal, points: float, rank: int, raw: float) -> ScorePart:
    return ScorePart(signal, float(points), rank, raw) if rank else ScorePart(signal, float(points))
