"""Candidates of the semantic leg on a server: the texts whose vectors are nearest by `halfvec`.

Few vectors are compared one by one; of many an index proposes some (HNSW; Malkov and Yashunin, TPAMI 2020), and goes on
looking where a filter leaves too few. Their distances are then measured as in a file, see `semantic_leg.measure`.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.filters import NoteFilter
from scrubjay.profiles.database.rows import Vector
from scrubjay.profiles.database.sql import Connection, Halves, Value, integers
from scrubjay.profiles.database.where import compiled_for
from scrubjay.profiles.semantic.semantic_leg import Measured

INDEXED_FROM = 50_000
"""Vectors of a model; fewer are compared one by one in a few milliseconds, and none is missed."""
FEW_PASSING = 10_000
"""Passages that pass a filter; so few are compared one by one, and the index is left aside."""
SPARE = 2
"""For each hit that is wanted, so many candidates: two bytes a dimension order nearly as the vectors themselves do."""
_LEAST = 100  # candidates; half as many as the index looks for at once, see `server.arguments`


def to_choose(limit: int) -> int:
    """How many texts are chosen for a leg of `limit` hits."""
    return max(SPARE * limit, _LEAST)


def chosen(
    connection: Connection,
    model_row: int,
    vector: Vector,
    limit: int,
    where: NoteFilter | None,
    passing: NDArray[np.bool_] | None,
    also: Sequence[int],
) -> Measured:
    """The chunks of the texts nearest to a vector among the notes that pass, with those of `also` that have a vector.

    Their stored vectors come with them, for the price of one way to the server less.

    passing: by chunk id, what passes `where`; None where that is None.
    """
    texts, values = _texts(connection, len(vector), where, passing)
    # Numbers are part of the statement: a plan for any model or any LIMIT would not use the index.
    texts = texts.format(model=model_row, most=to_choose(limit))
    sql = (
        f"WITH texts AS MATERIALIZED ({texts})"  # noqa: S608
        " SELECT found.chunk, found.text, embedding.vector FROM ("
        "SELECT chunk.id AS chunk, texts.id AS text FROM texts JOIN chunk ON chunk.digest = texts.digest"
        " UNION SELECT chunk.id, embedding.id FROM carray(?) AS also JOIN chunk ON chunk.id = also.value"
        f" JOIN embedding ON embedding.digest = chunk.digest AND model_id = {model_row}"
        ") AS found JOIN embedding ON embedding.id = found.text ORDER BY 1, 2"
    )
    answer = connection.execute(sql, (*values, Halves(vector), integers(also))).fetchall()
    rows = cast("list[tuple[int, int, bytes]]", answer)
    found = np.array([(chunk, text) for chunk, text, _ in rows], np.int64).reshape(-1, 2)
    if passing is not None:
        there = found[:, 0] < len(passing)
        there[there] = passing[found[there, 0]]
        found = found[there | np.isin(found[:, 0], np.array(also, np.int64))]
    return Measured(found[:, 0], found[:, 1].astype(np.int32), {text: stored for _, text, stored in rows})


def _texts(
    connection: Connection, dimensions: int, where: NoteFilter | None, passing: NDArray[np.bool_] | None
) -> tuple[str, Sequence[Value]]:
    """The statement that finds texts, and its values but for the vector, which comes last."""
    halfvec = f"halfvec({dimensions})"
    distance = f"CAST(near AS {halfvec}) <=> CAST(? AS {halfvec})"
    of_model = "SELECT id, digest FROM embedding WHERE model_id = {model}"
    if where is None or passing is None:
        return f"{of_model} ORDER BY {distance} LIMIT {{most}}", ()
    if np.count_nonzero(passing) <= FEW_PASSING:
        these = integers(np.flatnonzero(passing))
        held = "SELECT digest FROM chunk WHERE id IN (SELECT value FROM carray(?))"
        # A sum is in no index's order.
        return f"{of_model} AND digest IN ({held}) ORDER BY ({distance}) + 0 LIMIT {{most}}", (these,)
    condition, values = compiled_for(connection, where)
    held = "SELECT 1 FROM chunk JOIN note ON note.id = chunk.note_id WHERE chunk.digest = embedding.digest"
    return f"{of_model} AND EXISTS ({held} AND {condition}) ORDER BY {distance} LIMIT {{most}}", values
