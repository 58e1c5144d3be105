"""Candidates by meaning on a server: an index for one model's vectors, and the texts nearest to a query by it."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning import vectors
from scrubjay.profiles.search.meaning.semantic_leg import Measured
from scrubjay.profiles.store.filter_sql import matching_notes
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.reads import CHUNK_VIEW, CHUNKS
from scrubjay.profiles.store.rows import Vector
from scrubjay.profiles.store.statements import Connection, Value, integers
from scrubjay.profiles.team.bulk import Halves
from scrubjay.profiles.team.connection import ProfileConnection

INDEXED_FROM = 50_000
"""Vectors of a model; fewer are compared one by one in a few milliseconds, and none is missed."""
FEW_PASSING = 10_000
"""Passages that pass a filter; so few are compared one by one, and the index is left aside."""
SPARE = 2
"""For each hit that is wanted, so many candidates: two bytes a dimension order nearly as the vectors themselves do."""
SHOWN_NEAR, SHOWN_BY_WORDS = 40, 60
"""Of the nearest texts, and of the passages that words find: so many come with what is shown of them."""
_LEAST = 100  # candidates; half as many as the index looks for at once, see `server.arguments`


def to_choose(limit: int) -> int:
    """How many texts are chosen for a leg of `limit` hits."""
    return max(SPARE * limit, _LEAST)


def chosen(
    connection: ProfileConnection,
    model_row: int,
    vector: Vector,
    limit: int,
    where: NoteFilter | None,
    passing: NDArray[np.bool_] | None,
    also: Sequence[int],
) -> Measured:
    """The chunks of the texts nearest to a vector among the notes that pass, with those of `also` that have a vector.

    Their stored vectors come with them, and so does what is shown of the first of both: the server is asked once. also:
    the best first.

    passing: by chunk id, what passes `where`; None where that is None.
    """
    texts, values = _texts(connection, len(vector), where, passing)
    # Numbers are part of the statement: a plan for any model or any LIMIT would not use the index.
    texts = texts.format(model=model_row, most=to_choose(limit))
    sql = (
        f"WITH texts AS MATERIALIZED ({texts}), first AS MATERIALIZED (SELECT id FROM texts LIMIT {SHOWN_NEAR})"  # noqa: S608
        " SELECT found.chunk, found.text, embedding.vector, shown.* FROM ("
        "SELECT chunk.id AS chunk, texts.id AS text FROM texts JOIN chunk ON chunk.digest = texts.digest"
        " UNION SELECT chunk.id, embedding.id FROM carray(?) AS also JOIN chunk ON chunk.id = also.value"
        f" JOIN embedding ON embedding.digest = chunk.digest AND model_id = {model_row}"
        ") AS found JOIN embedding ON embedding.id = found.text"
        f" LEFT JOIN LATERAL ({CHUNK_VIEW} WHERE chunk.id = found.chunk AND (found.text IN (SELECT id FROM first)"
        " OR found.chunk IN (SELECT value FROM carray(?)))) AS shown ON TRUE ORDER BY 1, 2"
    )
    answer = connection.execute(
        sql, (*values, Halves(vector), integers(also), integers(also[:SHOWN_BY_WORDS]))
    ).fetchall()
    connection.keep_rows(CHUNKS, {row[0]: row[3:] for row in answer if row[3] is not None})
    rows = [cast("tuple[int, int, bytes]", row[:3]) for row in answer]
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
    held = "SELECT 1 FROM chunk WHERE chunk.digest = embedding.digest AND note_id = ANY (?)"
    these = integers(matching_notes(connection, where))
    return f"{of_model} AND EXISTS ({held}) ORDER BY {distance} LIMIT {{most}}", (these,)


def to_index(connection: Connection, model: str) -> tuple[int, int] | None:
    """The row id of a model and the number of its vectors, where they are many and have no index; else None."""
    row = vectors.model_id(connection, model)
    if row is None:
        return None
    name = f"embedding_near_{row:d}"
    if connection.execute("SELECT 1 WHERE to_regclass(?) IS NOT NULL", (name,)).get:
        return None
    count = cast("int", connection.execute("SELECT count(*) FROM embedding WHERE model_id = ?", (row,)).get)
    return (row, count) if count >= INDEXED_FROM else None


def build(connection: Connection, model_row: int) -> None:
    """Build it, as the team's owner does. Takes minutes, in which nobody writes vectors."""
    with connection:
        connection.execute("SELECT set_config('statement_timeout', '0', TRUE)")
        sql = "SELECT profile, vector_dims(near) FROM embedding WHERE model_id = ? LIMIT 1"
        profile, dimensions = cast("tuple[int, int]", connection.execute(sql, (model_row,)).get)
        build = "SELECT build_vector_index(CAST(? AS integer), ?, CAST(? AS integer))"
        connection.execute(build, (profile, model_row, dimensions)).fetchall()


def built(connection: Connection) -> int:
    """How many vectors are in an index that this role is building; 0 where it builds none."""
    sql = "SELECT max(tuples_done) FROM pg_stat_progress_create_index WHERE relid = to_regclass('embedding')"
    return cast("int | None", connection.execute(sql).get) or 0
