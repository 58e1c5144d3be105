"""Vectors in the database, one a text and model."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import msgspec
import numpy as np

from scrubjay.profiles.database.columns import Changes
from scrubjay.profiles.database.rows import PendingChunk, Vector, Vectors
from scrubjay.profiles.database.sql import Connection, Engine, Halves, integers, json_texts, upsert
from scrubjay.profiles.semantic import query_matrix
from scrubjay.profiles.semantic.quantized import quantized, unquantized
from scrubjay.profiles.semantic.sketch import sketches

CURRENT = "embedding_model"
"""The name in `meta` of the fingerprint that pending texts are counted against."""


_A_LONG_TIME_NS = 2**62  # 146 years: what is so much older than any note comes after all of them


def place_in_queue(mtime_ns: int, kind: str) -> int:
    """By what texts are put in order that have no vector yet: those of notes first, then those of other files."""
    return max(mtime_ns, -_A_LONG_TIME_NS) - _A_LONG_TIME_NS if kind else mtime_ns


_PLACE_IN_QUEUE = (
    f"CASE note.kind WHEN '' THEN note.mtime_ns ELSE max(note.mtime_ns, -{_A_LONG_TIME_NS}) - {_A_LONG_TIME_NS} END"
)


def current_model(connection: Connection) -> int | None:
    """Row id of the model in use, or None before the first one."""
    sql = "SELECT id FROM model WHERE fingerprint = (SELECT value FROM meta WHERE name = ?)"
    return cast("int | None", connection.execute(sql, (CURRENT,)).get)


def is_current(connection: Connection, model: str) -> bool:
    """Whether a model is the one in use."""
    return connection.execute("SELECT value FROM meta WHERE name = ?", (CURRENT,)).get == model


def model_id(connection: Connection, model: str) -> int | None:
    """Row id of a model, or None for one that has never been used."""
    return cast("int | None", connection.execute("SELECT id FROM model WHERE fingerprint = ?", (model,)).get)


def use_model(connection: Connection, model: str, changes: Changes) -> int:
    """Make `model` the one in use: what it has not embedded is pending from here on. Returns its row id."""
    connection.execute("INSERT INTO model (fingerprint) VALUES (?) ON CONFLICT DO NOTHING", (model,))
    new = cast("int", model_id(connection, model))
    if new != current_model(connection):
        connection.execute(upsert("meta", ("name",), ("value",)), (CURRENT, model))
        seed_pending(connection, new)
        changes.model_changed = True
    return new


def seed_pending(connection: Connection, model: int) -> None:
    """Work out from scratch which texts the model has not embedded."""
    connection.execute("DELETE FROM pending_embedding")
    connection.execute(
        "INSERT INTO pending_embedding (mtime_ns, digest)"  # noqa: S608 (of constants)
        f" SELECT max({_PLACE_IN_QUEUE}), chunk.digest FROM chunk JOIN note ON note.id = chunk.note_id"
        " WHERE NOT EXISTS (SELECT 1 FROM embedding WHERE model_id = ? AND digest = chunk.digest)"
        " GROUP BY chunk.digest",
        (model,),
    )


def queue_for_embedding(
    connection: Connection, model: int | None, chunk_id: int, digest: bytes, place: int, changes: Changes
) -> None:
    """A chunk came to be: tie it to its vector if there is one, or else put its text in the queue.

    place: see `place_in_queue`; the largest come first.
    """
    sql = "SELECT id FROM embedding WHERE model_id = ? AND digest = ?"
    known = cast("int | None", connection.execute(sql, (model, digest)).get)
    if known is not None:
        changes.model = model
        changes.embedded.append((chunk_id, known))
        return
    connection.execute(
        "INSERT INTO pending_embedding (mtime_ns, digest) VALUES (?, ?)"
        " ON CONFLICT (digest) DO UPDATE SET mtime_ns = max(pending_embedding.mtime_ns, excluded.mtime_ns)",
        (place, digest),
    )


def pending(connection: Connection, limit: int) -> list[PendingChunk]:
    """The texts of the newest notes that have no vector, newest first."""
    sql = "SELECT digest FROM pending_embedding ORDER BY mtime_ns DESC, digest LIMIT ?"
    found: list[PendingChunk] = []
    for (digest,) in connection.execute(sql, (limit,)).fetchall():
        row = connection.execute(
            "SELECT note.title, chunk.headings, unpacked(chunk.packed) FROM chunk JOIN note ON note.id = chunk.note_id"
            " WHERE chunk.digest = ? ORDER BY chunk.id LIMIT 1",
            (digest,),
        ).get
        title, headings, text = cast("tuple[str, str, str]", row)
        heads = msgspec.json.decode(headings, type=tuple[str, ...])
        found.append(PendingChunk(cast("bytes", digest), title, heads, text))
    return found


def pending_count(connection: Connection) -> int:
    """How many texts wait for their vector."""
    return cast("int", connection.execute("SELECT count(*) FROM pending_embedding").get)


# What candidates are chosen by is read into RAM from a file, and compared on a server.
_CHOSEN_BY: Mapping[Engine, str] = {"sqlite": "sketch", "postgres": "near"}
_PUT: Mapping[Engine, str] = {
    engine: f"INSERT INTO embedding (model_id, digest, {column}, vector) VALUES (?, ?, ?, ?)"  # noqa: S608
    f" ON CONFLICT (digest, model_id) DO UPDATE SET {column} = excluded.{column}, vector = excluded.vector RETURNING id"
    for engine, column in _CHOSEN_BY.items()
}


def put(connection: Connection, model: str, digests: Sequence[bytes], vectors: Vectors, changes: Changes) -> None:
    """Store vectors and tie them to their chunks; see `Writer.put_embeddings`."""
    if vectors.ndim != 2 or len(vectors) != len(digests):
        raise ValueError(f"{len(digests)} digests need as many vectors, not an array of shape {vectors.shape}")
    in_use = current_model(connection)
    model_row = use_model(connection, model, changes) if in_use is None else model_id(connection, model)
    if model_row is None:
        model_row = use_model(connection, model, changes)
    if not np.isfinite(vectors).all():
        raise ValueError("a vector that holds what is no number")
    for digest, numbers, vector, sketch in zip(digests, vectors, quantized(vectors), sketches(vectors), strict=True):
        chunks = [cast("int", row[0]) for row in connection.execute("SELECT id FROM chunk WHERE digest = ?", (digest,))]
        connection.execute("DELETE FROM pending_embedding WHERE digest = ?", (digest,))
        if not chunks:
            continue
        chosen_by = sketch if connection.engine == "sqlite" else Halves(numbers)
        row = connection.execute(_PUT[connection.engine], (model_row, digest, chosen_by, vector)).get
        embedding_id = cast("int", row)
        changes.model = model_row
        changes.sketches.append((embedding_id, sketch))
        changes.embedded.extend((chunk, embedding_id) for chunk in chunks)


def forget_orphans(connection: Connection, digests: Iterable[bytes], changes: Changes) -> None:
    """Drop the vectors and the places in the queue of those digests that no chunk holds."""
    for digest in digests:
        if connection.execute("SELECT 1 FROM chunk WHERE digest = ? LIMIT 1", (digest,)).get is not None:
            continue
        connection.execute("DELETE FROM pending_embedding WHERE digest = ?", (digest,))
        rows = connection.execute("DELETE FROM embedding WHERE digest = ? RETURNING id", (digest,)).fetchall()
        changes.gone_embeddings.extend(cast("int", row[0]) for row in rows)


def forget_other_models(connection: Connection, model: str) -> None:
    """Drop every other model, its vectors and what was learned for it."""
    query_matrix.forget_others(connection, model)
    others = "SELECT id FROM model WHERE fingerprint <> ?"
    connection.execute(f"DELETE FROM embedding WHERE model_id IN ({others})", (model,))  # noqa: S608
    connection.execute("DELETE FROM model WHERE fingerprint <> ?", (model,))


def vectors_of(connection: Connection, digests: Sequence[bytes]) -> dict[bytes, Vector]:
    """The vectors that the model in use has for these texts; texts without one are left out."""
    model = current_model(connection)
    sql = (
        "SELECT digest, vector FROM embedding WHERE model_id = ? AND digest IN (SELECT unhex(value) FROM json_each(?))"
    )
    wanted = json_texts(digest.hex() for digest in digests)
    rows = cast("list[tuple[bytes, bytes]]", connection.execute(sql, (model, wanted)).fetchall())
    vectors = unquantized([vector for _, vector in rows])
    return dict(zip((digest for digest, _ in rows), vectors, strict=True))


def passages_of(connection: Connection, model: str, notes: Sequence[int], most: int) -> dict[int, Vectors]:
    """The vectors that a model has for the first `most` passages of these notes; those without one are left out."""
    sql = (
        "SELECT note_id, vector FROM chunk CROSS JOIN embedding ON embedding.digest = chunk.digest AND model_id = ?"
        " WHERE note_id IN (SELECT value FROM carray(?)) AND position < ? ORDER BY note_id, position"
    )
    wanted = integers(notes)
    rows = connection.execute(sql, (model_id(connection, model), wanted, most)) if notes else ()
    found: dict[int, list[bytes]] = {}
    for note, vector in cast("Iterable[tuple[int, bytes]]", rows):
        found.setdefault(note, []).append(vector)
    return {note: unquantized(vectors) for note, vectors in found.items()}
