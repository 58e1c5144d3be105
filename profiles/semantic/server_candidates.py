"""Candidates of the semantic leg on a server: the texts whose vectors are nearest by `halfvec`.

Few vectors are compared one by one; of many an index proposes some (HNSW; Malkov and Yashunin, TPAMI 2020), and goes on
looking where a filter leaves too few. Their distances are then measured as in a file, see `semantic_leg.measure`.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np

from scrubjay.profiles.database.filters import NoteFilter
from scrubjay.profiles.database.rows import Vector
from scrubjay.profiles.database.sql import Connection, Halves, integers
from scrubjay.profiles.database.where import compiled_for
from scrubjay.profiles.semantic.semantic_leg import Measured

INDEXED_FROM = 50_000
"""Vectors of a model; fewer are compared one by one in a few milliseconds, and none is missed."""


def chosen(
    connection: Connection, model_row: int, vector: Vector, k: int, where: NoteFilter | None, also: Sequence[int]
) -> Measured:
    """The chunks of the `k` nearest texts among the notes that pass, with those of `also` that have a vector."""
    halfvec = f"halfvec({len(vector)})"
    condition, values = ("TRUE", ()) if where is None else compiled_for(connection, where)
    holds = "SELECT 1 FROM chunk JOIN note ON note.id = chunk.note_id WHERE chunk.digest = embedding.digest"
    passing = "" if where is None else f" AND EXISTS ({holds} AND {condition})"
    searched = str(min(max(k, _LEAST_SEARCHED), _MOST_SEARCHED))
    connection.execute("SELECT set_config('hnsw.ef_search', ?, TRUE)", (searched,))
    sql = (
        f"WITH texts AS MATERIALIZED (SELECT id, digest FROM embedding WHERE model_id = {model_row}{passing}"  # noqa: S608
        f" ORDER BY CAST(near AS {halfvec}) <=> CAST(? AS {halfvec}) LIMIT ?)"
        " SELECT chunk.id, texts.id FROM texts JOIN chunk ON chunk.digest = texts.digest"
        f" JOIN note ON note.id = chunk.note_id WHERE {condition}"
        " UNION SELECT chunk.id, embedding.id FROM carray(?) AS also JOIN chunk ON chunk.id = also.value"
        f" JOIN embedding ON embedding.digest = chunk.digest AND model_id = {model_row}"
    )
    bindings = (*(values if passing else ()), Halves(vector), k, *values, integers(also))
    rows = cast("list[tuple[int, int]]", connection.execute(sql, bindings).fetchall())
    found = np.array(sorted(rows), np.int64).reshape(-1, 2)
    return Measured(found[:, 0], found[:, 1].astype(np.int32))


_LEAST_SEARCHED, _MOST_SEARCHED = 100, 1_000  # as pgvector allows
