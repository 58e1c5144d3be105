"""How alike two notes are by what they link to and by their tags: from 0, nothing in common, towards 1.

What many notes have in common says little of two of them, so each thing in common weighs 1 / log2(1 + d)², d being the
number of notes that have it; the sum s of these weights is made s / (1 + s). It is the measure of Adamic and Adar
("Friends and neighbors on the Web", 2003) with the weight squared: of the variants measured in
docs/links-and-related.md, the one that agreed best with meaning.
"""

from dataclasses import dataclass

import numpy as np

from daemon.graph.centrality import Weights
from daemon.graph.csr import Csr, FrozenGraph, Rows


@dataclass(frozen=True, slots=True)
class Likeness:
    """Notes with something in common with a note, in ascending rows; values of each note in (0, 1)."""

    rows: Rows
    values: Weights


def by_links(graph: FrozenGraph, row: int) -> Likeness:
    """Notes that share neighbours with `row`: cited together, or citing the same."""
    return _in_common(graph.both, graph.both, row)


def by_tags(graph: FrozenGraph, row: int) -> Likeness:
    """Notes that share tags with `row`."""
    return _in_common(graph.tags, graph.tagged, row)


def _in_common(has: Csr, had_by: Csr, row: int) -> Likeness:
    own = has.of(row)
    owner, others = had_by.of_all(own)
    counts = had_by.starts[own + 1] - had_by.starts[own]
    weights = 1.0 / np.log2(1.0 + counts) ** 2
    sums = np.bincount(others, weights=weights[owner], minlength=len(has.starts) - 1)
    sums[row] = 0.0
    rows = np.flatnonzero(sums)
    return Likeness(rows, sums[rows] / (1.0 + sums[rows]))
