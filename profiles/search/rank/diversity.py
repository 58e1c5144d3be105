"""From passages to notes: the best passage of each; and variety among the passages of one note."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# From passages to notes.


def best_passage(scores: NDArray[np.float64], notes: Sequence[int]) -> NDArray[np.int64]:
    """Index of the best passage of every note, best note first; equal scores keep the order of `scores`.

    scores: higher is better, shape (passages,). notes: an integer a passage, equal for the passages of one note.
    """
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(np.asarray(notes, dtype=np.int64)[order], return_index=True)
    return order[np.sort(first)]


# Maximal marginal relevance inside a note, so that a list of passages does not repeat one note's overlapping parts.

_RELEVANCE_WEIGHT = 0.7


def diversify(
    scores: Sequence[float],
    notes: Sequence[int],
    vectors: Sequence[NDArray[np.float32] | None],
    *,
    keep: int,
) -> list[int]:
    """Choose `keep` passages one by one; a passage loses points for likeness to those already chosen of ITS note.

    scores: higher is better, best first not required. notes: an integer a passage, equal for passages of one note.
    vectors: L2-normalised, or None where a passage has none yet (it is then taken for unlike the others).
    Returns indexes in the order chosen. Passages of different notes never push one another down.
    Source: Carbonell and Goldstein, SIGIR 1998, with likeness restricted to the own note and scores scaled
    """
    if not scores:
        return []
    best = max(scores)
    relevance = [score / best if best > 0 else 0.0 for score in scores]
    likeness = [0.0] * len(scores)
    left = list(range(len(scores)))
    chosen: list[int] = []
    while left and len(chosen) < keep:
        pick = max(left, key=lambda i: (_marginal(relevance[i], likeness[i]), -i))
        left.remove(pick)
        chosen.append(pick)
        for i in left:
            likeness[i] = max(likeness[i], _likeness(pick, i, notes, vectors))
    return chosen


def _marginal(relevance: float, likeness: float) -> float:
    return _RELEVANCE_WEIGHT * relevance - (1 - _RELEVANCE_WEIGHT) * likeness


def _likeness(a: int, b: int, notes: Sequence[int], vectors: Sequence[NDArray[np.float32] | None]) -> float:
    left, right = vectors[a], vectors[b]
    if notes[a] != notes[b] or left is None or right is None:
        return 0.0
    return max(0.0, float(left @ right))
