"""Vectors in the database, one a text and model: a signed byte a dimension."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning import calibration, query_matrix
from scrubjay.profiles.search.meaning.calibration import Calibration
from scrubjay.profiles.search.meaning.sketch import sketches
from scrubjay.profiles.store.columns import Changes
from scrubjay.profiles.store.rows import PendingChunk, Vector, Vectors
from scrubjay.profiles.store.statements import Connection, Insert, Value, integers, json_texts, upsert

STEPS = 127
"""Of a dimension's share of a vector's largest one; decision 0021 has what eight bits find of the exact top 10."""
_DIGITS = 9  # of a distance: as many as do not depend on how many rows are multiplied at once


def quantized(vectors: Vectors) -> list[bytes]:
    """Each row as signed bytes. What is positive stays so, or the sketch would not be the vector's own."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    steps = np.rint(vectors / largest * STEPS)
    steps[(steps == 0) & (vectors > 0)] = 1
    return [row.tobytes() for row in steps.astype(np.int8)]


def of_length_one(vectors: NDArray[np.float32]) -> Vectors:
    """Each row with the length of 1; one of zeros stays so."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return vectors / np.maximum(lengths, np.finfo(np.float32).tiny)[:, np.newaxis]


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """Stored vectors as numbers, one row each, and how long the rows are."""

    steps: NDArray[np.float64]
    lengths: NDArray[np.float64]

    @classmethod
    def of(cls, stored: Sequence[bytes]) -> "StoredVectors":
        """Of one at least. Raises ValueError for what was not written as a vector."""
        steps = np.frombuffer(b"".join(stored), np.int8).reshape(len(stored), -1).astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", steps, steps))
        if not lengths.all():
            raise ValueError("a vector without a direction")
        return cls(steps, lengths)

    def distances(self, vector: Vector) -> NDArray[np.float64]:
        """Cosine distances of a vector and each of these, whatever others are measured with them.

        Raises ValueError for a vector of another number of dimensions.
        """
        length = max(float(np.linalg.norm(vector)), float(np.finfo(np.float32).tiny))
        return np.round(1 - self.steps @ vector.astype(np.float64) / (self.lengths * length), _DIGITS)

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """Some of the vectors, of length 1 again."""
        return (self.steps[rows] / self.lengths[rows, np.newaxis]).astype(np.float32)


def sketches_of(stored: Sequence[bytes], around: Calibration | None) -> list[bytes]:
    """The sketch of each stored vector, around the centre of its model's; around zero where none was measured."""
    if not stored:
        return []
    if around is None:
        return sketches(np.frombuffer(b"".join(stored), np.int8).reshape(len(stored), -1))
    return sketches(unquantized(stored) - around.mean)


def unquantized(stored: Sequence[bytes]) -> Vectors:
    """The vectors, of length 1 again, one row each. Raises ValueError for what was not written as one."""
    return StoredVectors.of(stored).vectors(np.arange(len(stored))) if stored else np.empty((0, 0), np.float32)


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
    connection: Connection,
    model: int | None,
    added: Sequence[tuple[int, bytes, int]],
    known: Mapping[bytes, int],
    changes: Changes,
) -> None:
    """Chunks came to be: tie each to its vector if there is one, or else put its text in the queue.

    added: (chunk id, digest, place), of which `place_in_queue` says what it is; the largest come first.
    known: see `known_texts`.
    """
    changes.model = model
    changes.embedded.extend((chunk, known[digest]) for chunk, digest, _ in added if digest in known)
    waiting: dict[bytes, int] = {}
    for _, digest, place in added:
        if digest not in known:
            waiting[digest] = max(place, waiting.get(digest, place))
    connection.insert(_WAIT, [(place, digest) for digest, place in waiting.items()])


_LATEST = "max(pending_embedding.mtime_ns, excluded.mtime_ns)"
_WAIT = Insert("pending_embedding", ("mtime_ns", "digest"), f" ON CONFLICT (digest) DO UPDATE SET mtime_ns = {_LATEST}")
_THESE = "(SELECT unhex(value) FROM json_each(?))"


def _hexadecimal(digests: Iterable[bytes]) -> str:
    return json_texts(digest.hex() for digest in digests)


def known_texts(connection: Connection, model: int | None, digests: Collection[bytes]) -> dict[bytes, int]:
    """The ids of those texts' vectors that a model has, by digest."""
    if model is None or not digests:
        return {}
    sql = f"SELECT digest, id FROM embedding WHERE model_id = ? AND digest IN {_THESE}"  # noqa: S608
    return dict(cast("list[tuple[bytes, int]]", connection.execute(sql, (model, _hexadecimal(digests))).fetchall()))


_WAITING_OF = (
    "SELECT DISTINCT waiting.digest, waiting.mtime_ns"
    " FROM note CROSS JOIN chunk CROSS JOIN pending_embedding AS waiting"
    " WHERE {} AND chunk.note_id = note.id AND waiting.digest = chunk.digest ORDER BY 2 DESC, 1 LIMIT ?"
)
_OF_NOTES = _WAITING_OF.format("note.id IN (SELECT value FROM carray(?))")
_OF_VAULT = _WAITING_OF.format("note.vault = ?")


def pending(connection: Connection, limit: int) -> list[PendingChunk]:
    """The texts of the newest notes that have no vector, newest first."""
    sql = "SELECT digest, mtime_ns FROM pending_embedding ORDER BY mtime_ns DESC, digest LIMIT ?"
    return _with_texts(connection, sql, (limit,))


def pending_of_notes(connection: Connection, notes: Sequence[int], limit: int) -> list[PendingChunk]:
    """As `pending`, of the notes with these ids."""
    return _with_texts(connection, _OF_NOTES, (integers(notes), limit))


def pending_of_vault(connection: Connection, vault: str, limit: int) -> list[PendingChunk]:
    """As `pending`, of the notes of one vault. It looks at all of its passages."""
    return _with_texts(connection, _OF_VAULT, (vault, limit))


def _with_texts(connection: Connection, sql: str, parameters: Sequence[Value]) -> list[PendingChunk]:
    """The texts whose digests a statement gives first."""
    found: list[PendingChunk] = []
    for digest, _ in connection.execute(sql, parameters).fetchall():
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


def embedded_count(connection: Connection, model: str) -> int:
    """How many texts a model has embedded."""
    return _count(connection, model_id(connection, model))


def stored_by(chosen_by: str) -> Insert:
    """`Dialect.put_vectors`, given the column that has what candidates are chosen by."""
    sets = f"{chosen_by} = excluded.{chosen_by}, vector = excluded.vector"
    rest = f" ON CONFLICT (digest, model_id) DO UPDATE SET {sets} RETURNING digest, id"
    return Insert("embedding", ("model_id", "digest", chosen_by, "vector"), rest)


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
    chunks = _chunks_with(connection, digests)
    connection.execute(f"DELETE FROM pending_embedding WHERE digest IN {_THESE}", (_hexadecimal(digests),))  # noqa: S608
    packed = quantized(vectors)
    made_of = zip(digests, vectors, packed, sketches_of(packed, calibration.load(connection, model)), strict=True)
    stored = {digest: (numbers, vector, sketch) for digest, numbers, vector, sketch in made_of if digest in chunks}
    dialect = connection.dialect
    rows = connection.insert(
        dialect.put_vectors,
        [
            (model_row, digest, dialect.chosen_by(sketch, numbers), vector)
            for digest, (numbers, vector, sketch) in stored.items()
        ],
    )
    if stored:
        changes.model = model_row
    for digest, embedding_id in cast("list[tuple[bytes, int]]", rows.fetchall()):
        changes.sketches.append((embedding_id, stored[digest][2]))
        changes.embedded.extend((chunk, embedding_id) for chunk in chunks[digest])


def _chunks_with(connection: Connection, digests: Iterable[bytes]) -> dict[bytes, list[int]]:
    """The ids of the chunks that hold these texts, by digest; texts that none holds are left out."""
    sql = f"SELECT digest, id FROM chunk WHERE digest IN {_THESE} ORDER BY id"  # noqa: S608
    found: dict[bytes, list[int]] = {}
    for digest, chunk in cast("Iterable[tuple[bytes, int]]", connection.execute(sql, (_hexadecimal(digests),))):
        found.setdefault(digest, []).append(chunk)
    return found


def calibration_is_due(connection: Connection, model: str) -> bool:
    """Whether a model has many more vectors than when its calibration was measured; or vectors, and none was."""
    known = calibration.load(connection, model)
    return embedded_count(connection, model) >= (calibration.GROWN * known.vectors if known else 1)


def calibrate(connection: Connection, model: str, changes: Changes) -> None:
    """Measure a model's calibration by its vectors; sketches are made anew where the centre is another."""
    row = model_id(connection, model)
    count, notes = _count(connection, row), _some_notes(connection, row)
    found = passages_of(connection, model, notes, calibration.PASSAGES)
    if row is None or not found:
        return
    known, new = calibration.load(connection, model), calibration.measured(found, count)
    if known is not None and calibration.is_near(known, new):
        calibration.keep(connection, model, msgspec.structs.replace(new, centre=known.centre))
        return
    calibration.keep(connection, model, new)
    connection.dialect.choose_anew(connection, row, lambda stored: sketches_of(stored, new))
    changes.model_changed = True


def _count(connection: Connection, model_row: int | None) -> int:
    return cast("int", connection.execute("SELECT count(*) FROM embedding WHERE model_id = ?", (model_row,)).get)


def _some_notes(connection: Connection, model_row: int | None) -> list[int]:
    """Notes that a model has vectors for, `calibration.NOTES` at most, anywhere among them; the same each time."""
    sql = "SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM embedding WHERE model_id = ?"
    first, last = cast("tuple[int, int]", connection.execute(sql, (model_row,)).get)
    wanted = np.unique(np.linspace(first, last, 2 * calibration.NOTES).astype(np.int64))
    sql = (
        "SELECT DISTINCT chunk.note_id FROM carray(?) AS wanted CROSS JOIN embedding CROSS JOIN chunk"
        " WHERE embedding.id = wanted.value AND model_id = ? AND chunk.digest = embedding.digest ORDER BY chunk.note_id"
    )
    notes = [cast("int", note) for (note,) in connection.execute(sql, (integers(wanted), model_row))]
    return (
        [notes[at] for at in np.unique(np.linspace(0, len(notes) - 1, calibration.NOTES).astype(int))] if notes else []
    )


def forget_orphans(connection: Connection, digests: Iterable[bytes], changes: Changes) -> None:
    """Drop the vectors and the places in the queue of those digests that no chunk holds."""
    for digest in digests:
        if connection.execute("SELECT 1 FROM chunk WHERE digest = ? LIMIT 1", (digest,)).get is not None:
            continue
        connection.execute("DELETE FROM pending_embedding WHERE digest = ?", (digest,))
        rows = connection.execute("DELETE FROM embedding WHERE digest = ? RETURNING id", (digest,)).fetchall()
        changes.gone_embeddings.extend(cast("int", row[0]) for row in rows)


def forget_other_models(connection: Connection, model: str) -> None:
    """Drop every other model, its vectors and what was learned for it; nothing where another one is in use by now."""
    if not is_current(connection, model):
        return
    query_matrix.forget_others(connection, model)
    calibration.forget_others(connection, model)
    others = "SELECT id FROM model WHERE fingerprint <> ?"
    connection.execute(f"DELETE FROM embedding WHERE model_id IN ({others})", (model,))  # noqa: S608
    connection.execute("DELETE FROM model WHERE fingerprint <> ?", (model,))


def vectors_of(connection: Connection, digests: Sequence[bytes]) -> dict[bytes, Vector]:
    """The vectors that the model in use has for these texts; texts without one are left out."""
    model = current_model(connection)
    sql = f"SELECT digest, vector FROM embedding WHERE model_id = ? AND digest IN {_THESE}"  # noqa: S608
    rows = cast("list[tuple[bytes, bytes]]", connection.execute(sql, (model, _hexadecimal(digests))).fetchall())
    vectors = unquantized([vector for _, vector in rows])
    return dict(zip((digest for digest, _ in rows), vectors, strict=True))


def vectors_of_notes(connection: Connection, notes: Sequence[int]) -> tuple[NDArray[np.int64], Vectors]:
    """The vectors that the model in use has for the different texts of these notes, each with its note; by notes."""
    sql = (
        "SELECT note_id, embedding.digest, vector FROM chunk CROSS JOIN embedding WHERE embedding.digest = chunk.digest"
        " AND model_id = ? AND note_id IN (SELECT value FROM carray(?)) ORDER BY note_id, embedding.digest"
    )
    rows = connection.execute(sql, (current_model(connection), integers(notes)))
    found = {(note, digest): vector for note, digest, vector in cast("Iterable[tuple[int, bytes, bytes]]", rows)}
    owners = np.array([note for note, _ in found], np.int64)
    return owners, unquantized(list(found.values()))


def passages_of(connection: Connection, model: str, notes: Sequence[int], most: int) -> dict[int, Vectors]:
    """The vectors that a model has for the first `most` passages of these notes; those without one are left out."""
    found: dict[int, list[bytes]] = {}
    for note, vector in stored_passages_of(connection, model, notes, most):
        found.setdefault(note, []).append(vector)
    return {note: unquantized(vectors) for note, vectors in found.items()}


def stored_passages_of(
    connection: Connection, model: str, notes: Sequence[int], most: int
) -> Iterable[tuple[int, bytes]]:
    """The same as stored, each with its note, by note and place."""
    sql = (
        "SELECT note_id, vector FROM chunk CROSS JOIN embedding WHERE embedding.digest = chunk.digest AND model_id = ?"
        " AND note_id IN (SELECT value FROM carray(?)) AND position < ? ORDER BY note_id, position"
    )
    wanted = integers(notes)
    rows = connection.execute(sql, (model_id(connection, model), wanted, most)) if notes else ()
    return cast("Iterable[tuple[int, bytes]]", rows)
