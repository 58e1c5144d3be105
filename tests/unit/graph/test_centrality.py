"""Power iteration against the equations that it solves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.graph.centrality import DAMPING, Weights, eigenvector_centrality, pagerank
from scrubjay.daemon.graph.csr import Csr, from_edges

EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=30)


def csr(edges: list[tuple[int, int]], size: int) -> Csr:
    array = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return from_edges(array[:, 0], array[:, 1], size, size)


def symmetric(edges: list[tuple[int, int]], size: int) -> Csr:
    return csr([pair for a, b in edges if a != b for pair in ((a, b), (b, a))], size)


def solved(edges: list[tuple[int, int]], restart: Weights) -> Weights:
    """PageRank from the linear equations."""
    size = len(restart)
    matrix = np.zeros((size, size))
    for source, target in set(edges):
        matrix[target, source] = 1.0
    out = matrix.sum(axis=0)
    for source in range(size):
        matrix[:, source] = matrix[:, source] / out[source] if out[source] else restart
    return np.linalg.solve(np.eye(size) - DAMPING * matrix, (1 - DAMPING) * restart).astype(np.float64)


@given(EDGES, st.lists(st.integers(0, 3), min_size=8, max_size=8).filter(any))
def test_pagerank_solves_its_equations(edges: list[tuple[int, int]], weights: list[int]) -> None:
    restart = np.array(weights) / sum(weights)
    assert pagerank(csr(edges, 8), np.array(weights, dtype=float)) == pytest.approx(solved(edges, restart), abs=1e-7)


@given(EDGES)
def test_plain_pagerank_restarts_anywhere(edges: list[tuple[int, int]]) -> None:
    ranks = pagerank(csr(edges, 8))
    assert ranks == pytest.approx(solved(edges, np.full(8, 1 / 8)), abs=1e-7)
    assert ranks.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("restart", [[0.0, 0.0], [1.0, -1.0], [1.0], [1.0, 1.0, 1.0]])
def test_weights_that_are_none_are_refused(restart: list[float]) -> None:
    with pytest.raises(ValueError, match="restart"):
        pagerank(csr([(0, 1)], 2), np.array(restart))


@pytest.mark.parametrize(
    ("edges", "size"),
    [
        pytest.param([(0, 1), (0, 2), (0, 3)], 4, id="star, which is bipartite"),
        pytest.param([(0, 1), (1, 2), (2, 0), (2, 3)], 4, id="triangle with a tail"),
        pytest.param([(0, 1), (1, 2), (2, 0), (3, 4)], 6, id="two parts and a note by itself"),
        pytest.param([(a, b) for a in range(5) for b in range(a)], 5, id="everything with everything"),
    ],
)
def test_eigenvector_centrality_is_the_first_eigenvector(edges: list[tuple[int, int]], size: int) -> None:
    matrix = np.zeros((size, size))
    for a, b in edges:
        matrix[a, b] = matrix[b, a] = 1.0
    vector = np.abs(np.linalg.eigh(matrix).eigenvectors[:, -1])
    assert eigenvector_centrality(symmetric(edges, size)) == pytest.approx(vector / vector.max(), abs=1e-4)


@pytest.mark.parametrize("size", [0, 3])
def test_without_links_no_note_stands_out(size: int) -> None:
    assert pagerank(csr([], size)).tolist() == pytest.approx([1 / size] * size if size else [])
    assert eigenvector_centrality(csr([], size)).tolist() == [0.0] * size
