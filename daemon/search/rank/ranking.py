"""From what the legs returned to an order, with every point accounted for. Pure; every constant was measured.

docs/retrieval.md has the table of what was tried, and on what.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.search.rank.fusion import ScoreTable, best_first, convex_combination, ranks, weighted_rrf
from scrubjay.daemon.search.rank.legs import Candidates
from scrubjay.daemon.search.rank.neighbours import DEPTH, SHARE, neighbour_points
from scrubjay.daemon.search.types import ScorePart, Signal

SEMANTIC_WEIGHT = 0.68
"""Of the semantic leg in the convex combination where it is as decided as usual; the words have the rest."""
USUAL_LEAD = 0.134
LEAD_PLACE = 10
"""How much nearer its best passage is than the one at this place: a leg that likes ten passages alike knows little."""
LEAD_SLOPE = 1.0
WEIGHT_RANGE = (0.25, 0.9)
CODE_WEIGHT = 0.26
"""What the semantic leg gets in addition where the words found nothing but program code; see `code_share`."""
QUERY_SHARE_WEIGHT = 0.5
"""Of the words' share: what a passage earns that says the whole query, beside what its words earn one by one. It earns
the square of the share of the query that it holds, so that little comes of half a query. Program code earns none."""
TITLE_WEIGHT = 0.4
"""Of the words' share: what a passage earns by how alike its note's title is to the query."""
NAMED_POINTS = 1.0
"""For the passages of a note that is called what the query says, as a whole: more than all else comes to."""
RRF_WEIGHTS = (0.4, 0.6)
"""Lexical, semantic: for profiles whose models differ, so that distances don't compare."""

SIGNALS: tuple[Signal, ...] = ("lexical", "semantic", "neighbours", "completeness")
PRIORS: tuple[Signal, ...] = ("links", "graph", "recency", "ladder", "importance")
"""Rows that stand below those of SIGNALS where a profile has set a prior."""
Fusion: TypeAlias = Literal["convex", "rrf"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates with their points: a row for each of SIGNALS (and PRIORS), a column for each candidate."""

    candidates: Candidates
    points: ScoreTable

    @property
    def scores(self) -> NDArray[np.float64]:
        """The fused score of each candidate."""
        return self.points.sum(axis=0)

    def parts(self, column: int) -> tuple[ScorePart, ...]:
        """What made up one candidate's score; the points sum to it."""
        lexical, semantic = self.candidates.scores
        similarity = float(semantic[column])
        return (
            _part("lexical", self.points[0, column], lexical, column, float(lexical[column])),
            _part("semantic", self.points[1, column], semantic, column, 1.0 - similarity),
            ScorePart("neighbours", float(self.points[2, column])),
            ScorePart("completeness", float(self.points[3, column])),
            *(
                ScorePart(signal, float(row[column]))
                for signal, row in zip(PRIORS, self.points[len(SIGNALS) :], strict=False)
                if row[column]
            ),
        )


def fuse(
    candidates: Candidates,
    *,
    lexical_ceiling: float,
    fusion: Fusion = "convex",
    models: NDArray[np.int64] | None = None,
    trust: float = 1.0,
    code: float = 0.0,
) -> Ranked:
    """Fuse the legs. lexical_ceiling: the score of a passage that holds every word of the query without end.

    A leg that returned nothing leaves the other its order. models: which model embedded each candidate, where they are
    several; their similarities do not compare, so the legs are then fused by rank, each model's best standing first.
    trust: how much of its weight the semantic leg keeps, 0 to 1, for a query that its model hardly reads.
    code: how much of what the words found is program code, 0 to 1.
    """
    points = np.zeros((len(SIGNALS), len(candidates)))
    if models is not None:
        points[:2] = weighted_rrf(
            np.stack((candidates.scores[0], _by_place(candidates.scores[1], models))), RRF_WEIGHTS
        )
    elif fusion == "rrf":
        points[:2] = weighted_rrf(candidates.scores, RRF_WEIGHTS)
    else:
        meaning = trust * semantic_weight(candidates.scores[1], code)
        weights = (1 - meaning, meaning)
        points[:2] = convex_combination(candidates.scores, weights, (0.0, 0.0), (lexical_ceiling, 1.0))
        points[3] = (1 - meaning) * _completeness(candidates.coverage, code)
    points[3] += NAMED_POINTS * candidates.coverage[2]
    return Ranked(candidates, points)


def _completeness(coverage: ScoreTable, code: float) -> NDArray[np.float64]:
    """What candidates earn by holding the query as a whole, and by their titles. coverage: as in `Candidates`."""
    query_share, title, _ = np.square(coverage)
    return QUERY_SHARE_WEIGHT * (1 - code) * query_share + TITLE_WEIGHT * title


def _by_place(similarities: NDArray[np.float64], models: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scores that say nothing but the place of each candidate among those of its own model; NaN stays."""
    placed = np.full(len(similarities), np.nan)
    for model in np.unique(models):
        places = ranks(np.where(models == model, similarities, np.nan))
        placed[places > 0] = -places[places > 0]
    return placed


def semantic_weight(similarities: NDArray[np.float64], code: float = 0.0) -> float:
    """The semantic leg's share for this query, from the lead of its best passage; NaN where it did not return one.

    code: as in `fuse`.
    """
    found = np.sort(similarities[~np.isnan(similarities)])[::-1]
    if not len(found):
        return 0.0
    lead = float(found[0] - found[:LEAD_PLACE][-1])
    weight = SEMANTIC_WEIGHT + LEAD_SLOPE * (lead - USUAL_LEAD) + CODE_WEIGHT * code
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
    return Ranked(ranked.candidates, points)


def _of_legs(ranked: Ranked) -> NDArray[np.float64]:
    """What the two legs alone gave each candidate."""
    return ranked.points[:2].sum(axis=0)


def _part(signal: Signal, points: float, leg: NDArray[np.float64], column: int, raw: float) -> ScorePart:
    if np.isnan(leg[column]):
        return ScorePart(signal, float(points))
    return ScorePart(signal, float(points), int(ranks(leg)[column]), raw)
