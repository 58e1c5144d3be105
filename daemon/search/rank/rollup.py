"""From passages to notes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def best_passage(scores: NDArray[np.float64], notes: Sequence[int]) -> NDArray[np.int64]:
    """Index of the best passage of every note, best note first; equal scores keep the order of `scores`.

    scores: higher is better, shape (passages,). notes: an integer a passage, equal for the passages of one note.
    """
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(np.asarray(notes, dtype=np.int64)[order], return_index=True)
    return order[np.sort(first)]
