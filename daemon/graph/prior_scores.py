"""Priors, which move a result after fusion: links, age, stated importance. Pure; off unless a profile has it on.

Every function takes the scores of one search's candidates, >= 0 and higher is better, and gives them in the same order.
Their ablation is in docs/retrieval.md; `daemon.search.priors` puts them to work.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.graph.centrality import Weights, arrivals, pagerank
from scrubjay.daemon.graph.csr import Csr, FrozenGraph, Rows

MIN_EDGES = 10
"""Links among the candidates; with fewer, what they say is chance."""

_LEG_DAMPING = 0.5  # most of the weight stays within two links of where the search arrived
_LEG_TOLERANCE = 1e-3
_IMPORTANCE = {"low": 0.95, "normal": 1.0, "medium": 1.0, "high": 1.05, "critical": 1.1, "highest": 1.1}


@dataclass(frozen=True, slots=True)
class GraphWeights:
    """Shares of the fused score, of PageRank and of eigenvector centrality; they sum to 1."""

    score: float = 0.9
    pagerank: float = 0.05
    centrality: float = 0.05


def edges_among(graph: Csr, rows: Rows) -> int:
    """How many links lead from one of these notes to another."""
    _, targets = graph.of_all(rows)
    return int(np.isin(targets, rows).sum())


def with_graph(
    scores: Weights, pageranks: Weights, centralities: Weights, edges: int, weights: GraphWeights
) -> Weights:
    """Mix the scores with how much the links make of the candidates, each relative to the best candidate.

    edges: see `edges_among`; below MIN_EDGES the scores are returned unchanged. A measure that is 0 for all candidates
    says nothing, and its share goes back to the score.
    """
    best = float(scores.max(initial=0.0))
    if edges < MIN_EDGES or best <= 0:
        return scores
    mixed = np.zeros(len(scores))
    share = weights.score
    for values, weight in ((pageranks, weights.pagerank), (centralities, weights.centrality)):
        top = float(values.max(initial=0.0))
        if top > 0:
            mixed += weight * values / top
        else:
            share += weight
    return best * (mixed + share * scores / best)


def with_recency(scores: Weights, ages_days: Weights, half_life_days: float, least: float = 0.5) -> Weights:
    """Scores times least + (1 - least) / 2^(age / half-life): from 1 for now down to `least` for ever ago.

    ages_days: below 0 (a file from the future) counts as now; NaN (unknown) leaves the score. Raises ValueError for a
    half-life that is not above 0.
    """
    if half_life_days <= 0:
        raise ValueError("the half-life must be above 0 days")
    fresh = least + (1.0 - least) * np.exp2(-np.maximum(ages_days, 0.0) / half_life_days)
    return scores * np.where(np.isnan(ages_days), 1.0, fresh)


def decay_ladder(groups: Sequence[str], times: Sequence[int], step: float = 0.05, least: float = 0.8) -> Weights:
    """A factor for each note: 1 for the newest of its group, `step` less for each rung below, not below `least`.

    groups: such as author or folder. Notes compare within their group only, so old notes that nothing succeeded lose
    nothing. Equal times share a rung.
    """
    rungs: defaultdict[str, set[int]] = defaultdict(set)
    for group, time in zip(groups, times, strict=True):
        rungs[group].add(time)
    places = {
        group: {time: rung for rung, time in enumerate(sorted(seen, reverse=True))} for group, seen in rungs.items()
    }
    factors = [1.0 - step * places[group][time] for group, time in zip(groups, times, strict=True)]
    return np.maximum(np.array(factors, dtype=np.float64), least)


def importance(properties: Mapping[str, str | tuple[str, ...]]) -> float:
    """The factor that a note's own frontmatter sets by `importance` (or `priority`, in words); 1 where it does not.

    Words from low (0.95) to critical (1.1); a number from 1 to 5 for `importance`, 3 being 1.0.
    """
    by_name = {name.casefold(): value for name, value in properties.items()}
    for name in ("importance", "priority"):
        written = by_name.get(name, "")
        word = written.strip().casefold() if isinstance(written, str) else ""
        if word in _IMPORTANCE:
            return _IMPORTANCE[word]
        if name == "importance" and word in {"1", "2", "3", "4", "5"}:
            return 1.0 + 0.05 * (int(word) - 3)
    return 1.0


def graph_leg(graph: FrozenGraph, seeds: Mapping[int, float], limit: int) -> tuple[tuple[int, float], ...]:
    """The notes that links lead to from the seeds, in either direction: best first, equal ones by id.

    seeds: note id -> its fused score, > 0; unknown ids are passed over. Values are personalised PageRank less what a
    note has for being a seed itself, so that what no other leg found can come first; the best note has 1.
    """
    restart = np.zeros(len(graph.ids))
    for note_id, score in seeds.items():
        if note_id in graph.row_of:
            restart[graph.row_of[note_id]] = score
    if restart.sum() <= 0:
        return ()
    ranks = pagerank(graph.both, restart, _LEG_DAMPING, _LEG_TOLERANCE)
    reached = arrivals(graph.both, ranks, _LEG_DAMPING)
    top = float(reached.max(initial=0.0))
    best: NDArray[np.int64] = np.argsort(-reached, kind="stable")[:limit]
    return tuple((int(graph.ids[row]), float(reached[row]) / top) for row in best if reached[row] > 0)
