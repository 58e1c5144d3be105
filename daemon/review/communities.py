"""Communities of a graph, and the nodes without which parts of it would not hang together. Pure.

Communities by the method of Blondel et al. ("Fast unfolding of communities in large networks", 2008): nodes move to
the neighbouring community that raises modularity most, then communities become nodes, until nothing moves. All nodes
are looked at at once, and a random half of those that want to move does, so that neighbours do not swap for ever; the
random numbers are seeded, so that the same graph always gives the same.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.graph.csr import Csr, Rows

_SEED = 20_080_727
_ROUNDS, _LEVELS = 20, 12
_FEW = 0.002  # share of the nodes that want to move, from which down the others are left where they are
_LEAST_GAIN = 1e-9


@dataclass(frozen=True, slots=True)
class Articulation:
    """A node whose removal parts its component."""

    row: int
    parts: int  # into how many pieces


def communities(both: Csr) -> Rows:
    """The community of each row, shape (n,): the largest is 0; equal ones in the order of their first rows.

    both: the neighbours of each row, either way. A row without neighbours is a community by itself.
    """
    count = len(both.starts) - 1
    label = np.arange(count)
    tails, heads, weights = both.rows, both.columns, np.ones(len(both.columns), dtype=np.float64)
    loops = np.zeros(count)  # twice the weight within each node, once nodes are communities
    rng = np.random.default_rng(_SEED)
    for _ in range(_LEVELS):
        moved = _moved(tails, heads, weights, loops, rng)
        names, moved = np.unique(moved, return_inverse=True)
        label = moved[label]
        if len(names) == len(loops):
            break
        tails, heads, weights, loops = _joined(moved, tails, heads, weights, loops)
    return _by_size(label)


def _moved(
    tails: Rows, heads: Rows, weights: NDArray[np.float64], loops: NDArray[np.float64], rng: np.random.Generator
) -> Rows:
    """The community that each node ends up in, named after one of its nodes."""
    count = len(loops)
    strength = np.bincount(tails, weights=weights, minlength=count) + loops
    whole = strength.sum()
    label = np.arange(count)
    if not len(tails):
        return label
    for turn in range(_ROUNDS):
        size = np.bincount(label, weights=strength, minlength=count)
        keys = tails * count + label[heads]  # (node, neighbouring community)
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
        linked = np.add.reduceat(weights[order], starts)
        node, target = np.divmod(keys[order][starts], count)
        here = target == label[node]
        gain = linked - strength[node] * (size[target] - np.where(here, strength[node], 0.0)) / whole
        stay = np.zeros(count)  # of its own community without it
        stay -= strength * (size[label] - strength) / whole
        stay[node[here]] = gain[here]
        best, value = _best_of_each(node, gain, target, count)
        better = (best != label) & (value > stay + _LEAST_GAIN)
        wanting = int(better.sum())
        if turn + 1 < _ROUNDS:
            better &= rng.random(count) < 0.5
        label = np.where(better, best, label)
        if wanting <= count * _FEW:
            break
    return label


def _best_of_each(node: Rows, gain: NDArray[np.float64], target: Rows, count: int) -> tuple[Rows, NDArray[np.float64]]:
    """Of each node the community with the greatest gain, of equal ones the first, and that gain; no gain: -inf.

    node: ascending, and target within each.
    """
    firsts = np.flatnonzero(np.diff(node, prepend=-1))
    value = np.full(count, -np.inf)
    value[node[firsts]] = np.maximum.reduceat(gain, firsts)
    at_best = np.flatnonzero(gain == value[node])
    owners, where = np.unique(node[at_best], return_index=True)
    best = np.arange(count)
    best[owners] = target[at_best[where]]
    return best, value


def _joined(
    label: Rows, tails: Rows, heads: Rows, weights: NDArray[np.float64], loops: NDArray[np.float64]
) -> tuple[Rows, Rows, NDArray[np.float64], NDArray[np.float64]]:
    """The graph whose nodes are the communities."""
    count = int(label.max()) + 1
    inside = np.bincount(label, weights=loops, minlength=count).astype(np.float64)
    one, other = label[tails], label[heads]
    same = one == other
    inside += np.bincount(one[same], weights=weights[same], minlength=count)
    keys, where = np.unique(one[~same] * count + other[~same], return_inverse=True)
    joined = np.bincount(where, weights=weights[~same], minlength=len(keys)).astype(np.float64)
    tails, heads = np.divmod(keys, count)
    return tails, heads, joined, inside


def _by_size(label: Rows) -> Rows:
    names, first, inverse, sizes = np.unique(label, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    number = np.empty(len(names), dtype=np.int64)
    number[order] = np.arange(len(names))
    return number[inverse]


def articulations(both: Csr) -> list[Articulation]:
    """The nodes whose removal parts their component, by row. Tarjan (1972), without recursion; linear."""
    count = len(both.starts) - 1
    starts: list[int] = both.starts.tolist()
    columns: list[int] = both.columns.tolist()
    found, low, at = [0] * count, [0] * count, starts[:count]
    parts = [0] * count  # subtrees that hang on each node alone
    clock = 0
    for root in range(count):
        if found[root]:
            continue
        clock += 1
        found[root] = low[root] = clock
        path = [root]
        parts[root] = -1  # a root parts what hangs on it only if that is two subtrees at least
        while path:
            node = path[-1]
            if at[node] < starts[node + 1]:
                other = columns[at[node]]
                at[node] += 1
                if not found[other]:
                    clock += 1
                    found[other] = low[other] = clock
                    path.append(other)
                elif len(path) < 2 or other != path[-2]:
                    low[node] = min(low[node], found[other])
                continue
            path.pop()
            if path:
                above = path[-1]
                low[above] = min(low[above], low[node])
                parts[above] += low[node] >= found[above]
    return [Articulation(row, hanging + 1) for row, hanging in enumerate(parts) if hanging > 0]
