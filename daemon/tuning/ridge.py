"""Ridge regression towards the identity. Pure; by products of arrays alone, since the bundled program has no LAPACK."""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


class TowardsIdentity:
    """The regression of `targets` on `queries`, row by row, for any strength of the ridge."""

    def __init__(self, queries: Matrix, targets: Matrix) -> None:
        """Both of shape (pairs, dim)."""
        self._products = queries.T @ queries
        self._wanted = queries.T @ targets

    def matrix(self, ridge: float) -> Matrix:
        """The W with the least |queries W - targets|² + ridge |W - I|², which is (QᵀQ + λI)⁻¹ (QᵀD + λI).

        ridge: λ > 0. Source: Hoerl and Kennard, "Ridge Regression", Technometrics 1970, with I in place of 0.
        """
        diagonal = ridge * np.eye(len(self._products))
        return _solved(self._products + diagonal, self._wanted + diagonal)


def _solved(symmetric: Matrix, wanted: Matrix) -> Matrix:
    """The X with symmetric @ X = wanted, by Cholesky's decomposition. symmetric: positive definite."""
    lower = _cholesky(symmetric)
    found = np.empty_like(wanted)
    for row in range(len(lower)):
        found[row] = (wanted[row] - lower[row, :row] @ found[:row]) / lower[row, row]
    upper = np.ascontiguousarray(lower.T)
    for row in reversed(range(len(lower))):
        found[row] = (found[row] - upper[row, row + 1 :] @ found[row + 1 :]) / upper[row, row]
    return found


def _cholesky(symmetric: Matrix) -> Matrix:
    """The lower triangle L with L @ L.T = symmetric."""
    lower = np.zeros_like(symmetric)
    for at in range(len(symmetric)):
        column = symmetric[at:, at] - lower[at:, :at] @ lower[at, :at]
        lower[at:, at] = column / np.sqrt(column[0])
    return lower
