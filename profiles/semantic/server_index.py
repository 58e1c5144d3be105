"""The index for candidates by meaning on a server, of one model's vectors: built once they are many."""

from typing import cast

from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.semantic import embeddings
from scrubjay.profiles.semantic.server_candidates import INDEXED_FROM


def to_index(connection: Connection, model: str) -> tuple[int, int] | None:
    """The row id of a model and the number of its vectors, where they are many and have no index; else None."""
    row = embeddings.model_id(connection, model)
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
