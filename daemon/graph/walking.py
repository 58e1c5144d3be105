"""A walk from one note of a store, about a query or about the note itself."""

import numpy as np

from daemon.graph.centrality import Weights
from daemon.graph.csr import FrozenGraph, Rows
from daemon.graph.meaning import LikenessTo, mean_vector
from daemon.graph.traverse import CLOSED, Walk, traverse
from profiles.rows import Vector
from profiles.store import Store


def walk_from(store: Store, graph: FrozenGraph, note_id: int, vector: Vector | None, *, hops: int, deep: bool) -> Walk:
    """Walk along links from a note. vector: of what the walk is about; None: of the note.

    deep: nothing within reach is dropped. Where there is no vector at all, no likeness is known, and only a deep walk
    gets anywhere.
    """
    about = mean_vector(store, store.note_chunks(note_id)) if vector is None else vector
    likeness = _unknown if about is None else LikenessTo(store, graph, about)
    return traverse(graph, [note_id], likeness, hops=hops, gates=None if deep else CLOSED)


def _unknown(rows: Rows) -> Weights:
    return np.full(len(rows), np.nan)
