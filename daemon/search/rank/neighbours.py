"""Score regularisation: passages about the same thing should score alike.

A passage's score moves part of the way to the mean score of those candidates that its vector is nearest to. It is
pseudo-relevance feedback without a second search: a passage among good ones rises, a stray hit among poor ones sinks.
Source: Diaz, "Regularizing ad hoc retrieval scores", CIKM 2005; measured in docs/retrieval.md.
"""

import numpy as np
from numpy.typing import NDArray

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
