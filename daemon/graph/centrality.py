"""Which notes matter, as the links see it. Plain power iteration on sparse rows; see docs/decisions/."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.graph.csr import Csr

Weights: TypeAlias = NDArray[np.float64]  # shape (n,)

DAMPING = 0.85
TOLERANCE = 1e-9
"""A step that changes less, summed over all notes, is the last."""
_STEPS = 200


def pagerank(
    graph: Csr, restart: Weights | None = None, damping: float = DAMPING, tolerance: float = TOLERANCE
) -> Weights:
    """The share of time that a reader spends at each note who follows links at random. Sums to 1; empty for no notes.

    With probability 1 - damping, and at notes without links, the reader starts again: anywhere, or (personalised
    PageRank) where `restart` says, whose weights are >= 0 and not all zero. Raises ValueError for other weights.
    Source: Page, Brin, Motwani and Winograd, 1999; Haveliwala, WWW 2002 (personalised).
    """
    count = len(graph.starts) - 1
    if count == 0:
        return np.zeros(0)
    start = np.full(count, 1.0) if restart is None else restart
    if start.shape != (count,) or start.min() < 0 or start.sum() <= 0:
        raise ValueError("restart needs one weight >= 0 for each note, and one above 0")
    start = start / start.sum()
    leaving = _leaving(graph, damping)
    rows = graph.rows
    ranks = start
    for _ in range(_STEPS):
        moved = np.bincount(graph.columns, weights=(ranks * leaving)[rows], minlength=count)
        moved = moved + (1.0 - moved.sum()) * start
        change = np.abs(moved - ranks).sum()
        ranks = moved
        if change < tolerance:
            break
    return ranks


def arrivals(graph: Csr, ranks: Weights, damping: float = DAMPING) -> Weights:
    """The share of time at which a reader of these ranks has just come to each note by a link; sums to <= damping."""
    count = len(graph.starts) - 1
    moved: Weights = (ranks * _leaving(graph, damping))[graph.rows]
    return np.bincount(graph.columns, weights=moved, minlength=count).astype(np.float64)


def eigenvector_centrality(graph: Csr) -> Weights:
    """How well connected each note's neighbours are, 0 to 1, the best note having 1.

    graph: symmetric (`FrozenGraph.both`): in a directed one without cycles every note would get 0. Of several
    unconnected parts only the most tightly connected one gets more than about 0. All zeros where nothing is linked.
    Source: Bonacich, 1972. A + I in place of A makes the iteration converge for bipartite graphs too.
    """
    count = len(graph.starts) - 1
    rows, columns = graph.rows, graph.columns
    if len(columns) == 0:
        return np.zeros(count)
    values = graph.degrees / graph.degrees.max()
    for _ in range(_STEPS):
        moved = np.bincount(columns, weights=values[rows], minlength=count) + values
        moved /= moved.max()
        change = np.abs(moved - values).max()
        values = moved
        if change < TOLERANCE:
            break
    return values


def _leaving(graph: Csr, damping: float) -> Weights:
    """What of a row's rank each of its links carries on."""
    degrees = graph.degrees
    return np.where(degrees > 0, damping / np.maximum(degrees, 1), 0.0)
