"""Fusing the legs: arithmetic on score tables, no I/O.

A score table has one row a leg and one column a candidate; higher is better; NaN means that the leg did not return the
candidate. Both functions give a table of points of the same shape, whose columns sum to the fused scores: that table is
the explanation. Candidates that no leg returned get no points.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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
