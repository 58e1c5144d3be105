"""A graph as it is at one moment, in arrays that never change: safe to read from any thread.

Notes are rows 0..n-1; `ids` says which note a row is. Links to the note itself are left out, and several links from one
note to another are one edge.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.graph.resolve import NoteName

Rows: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[np.float64]  # shape (n,)


@dataclass(frozen=True, slots=True)
class Csr:
    """Compressed sparse rows: the neighbours of row i are `columns[starts[i]:starts[i + 1]]`, ascending, each once."""

    starts: Rows  # shape (n + 1,)
    columns: Rows  # shape (edges,)

    @property
    def degrees(self) -> Rows:
        """How many neighbours each row has, shape (n,)."""
        return np.diff(self.starts)

    @property
    def rows(self) -> Rows:
        """The row of each edge, shape (edges,), to go with `columns`."""
        return np.repeat(np.arange(len(self.starts) - 1), self.degrees)

    def of(self, row: int) -> Rows:
        """The neighbours of one row."""
        return self.columns[self.starts[row] : self.starts[row + 1]]

    def of_all(self, rows: Rows) -> tuple[Rows, Rows]:
        """All edges of `rows`: for each, the index into `rows` of its row, and its column. Linear in their number."""
        counts = self.starts[rows + 1] - self.starts[rows]
        owner = np.repeat(np.arange(len(rows)), counts)
        offsets = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return owner, self.columns[self.starts[rows][owner] + offsets]


@dataclass(frozen=True, slots=True)
class FrozenGraph:
    """Links and tags of all notes at one moment."""

    ids: Rows  # note id of each row, ascending
    row_of: Mapping[int, int]  # note id -> row
    names: tuple[NoteName, ...]  # of each row
    out: Csr  # note -> notes that it links to
    into: Csr  # note -> notes that link to it
    both: Csr  # note -> either
    tags: Csr  # note -> tags, numbered as in `tag_names`
    tagged: Csr  # tag -> notes
    tag_names: tuple[str, ...]  # folded, without "#"


def from_edges(sources: Rows, targets: Rows, size: int, width: int) -> Csr:
    """Rows of `size` sources with their targets (each in 0..width-1), in any order and with repeats."""
    edges = np.sort(sources * width + targets)  # np.unique takes several times as long
    edges = edges[np.flatnonzero(np.diff(edges, prepend=-1))]
    rows, columns = np.divmod(edges, max(width, 1))
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=size))))
    return Csr(starts, columns)
