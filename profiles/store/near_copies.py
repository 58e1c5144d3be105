"""Where it is kept which notes say nearly the same: a sketch of each note's text, and the pairs that were found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.store.statements import Connection, integers, upsert
from scrubjay.profiles.store.store import Store

Ids = NDArray[np.int64]
Hashes = NDArray[np.uint32]
Stamp: TypeAlias = tuple[bytes, str]
"""What a note's text is known by: the digest of its bytes, and the fingerprint of what prepared it."""


@dataclass(frozen=True, slots=True)
class Sketches:
    """The sketches of all notes: note i's hashes are `hashes[starts[i]:starts[i + 1]]`, ascending."""

    note_ids: Ids  # shape (n,), ascending
    starts: Ids  # shape (n + 1,)
    hashes: Hashes

    def of(self, row: int) -> Hashes:
        """One note's sketch."""
        return self.hashes[self.starts[row] : self.starts[row + 1]]

    def rows_of(self, places: Ids) -> Ids:
        """The row that each of these hashes (by its place) is of."""
        return np.searchsorted(self.starts, places, "right") - 1


@dataclass(frozen=True, slots=True)
class NearCopy:
    """Two notes that say nearly the same; `note_id` is the smaller id."""

    note_id: int
    other_id: int
    likeness: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class NearCopyPass:
    """What was found when all notes were last compared."""

    frame: Hashes  # runs of words that many notes share, ascending
    changed: int  # notes that were compared since


@dataclass(frozen=True, slots=True)
class MadeSketches:
    """Sketches of notes that are to be kept, by id, each with what the note's text was known by."""

    of_notes: Mapping[int, tuple[Stamp, Hashes]]

    def put(self, connection: Connection) -> None:
        """Keep them; notes that are gone, or have changed meanwhile, are passed over."""
        unchanged = "WHERE EXISTS (SELECT 1 FROM note WHERE id = ?1 AND digest = ?2 AND fingerprint = ?3)"
        put = upsert("note_sketch", ("note_id",), ("sketch",), f"SELECT ?1, ?4 {unchanged}")
        done = f"DELETE FROM stale_sketch {unchanged} AND note_id = ?1"  # noqa: S608
        made = self.of_notes.items()
        connection.executemany(
            put, ((note_id, *stamp, sketch.astype("<u4").tobytes()) for note_id, (stamp, sketch) in made)
        )
        connection.executemany(done, ((note_id, *stamp) for note_id, (stamp, _) in made))


@dataclass(frozen=True, slots=True)
class FoundPairs:
    """The pairs that were found by comparing notes, to be kept. of: of which notes; None: of all."""

    version: str
    pairs: Sequence[NearCopy]
    compared: NearCopyPass
    of: Sequence[int] | None

    def put(self, connection: Connection) -> None:
        """Keep them in place of those that were found of these notes before."""
        there = "EXISTS (SELECT 1 FROM note WHERE id = ?1) AND EXISTS (SELECT 1 FROM note WHERE id = ?2)"
        put = upsert("near_copy", ("note_id", "other_id"), ("likeness",), f"SELECT ?1, ?2, ?3 WHERE {there}")
        runs = upsert("shared_runs", ("id",), ("version", "runs", "changed"))
        if self.of is None:
            connection.execute("DELETE FROM near_copy")
        else:
            gone = "DELETE FROM near_copy WHERE note_id = ?1 OR other_id = ?1"
            connection.executemany(gone, ((note_id,) for note_id in self.of))
        connection.executemany(put, ((pair.note_id, pair.other_id, pair.likeness) for pair in self.pairs))
        connection.execute(runs, (1, self.version, self.compared.frame.astype("<u4").tobytes(), self.compared.changed))


def last_compared(store: Store, version: str) -> NearCopyPass | None:
    """When all notes were last compared by this version; None where they never were."""
    with store.reading(short=True) as connection:
        sql = "SELECT runs, changed FROM shared_runs WHERE version = ?"
        row = cast("tuple[bytes, int] | None", connection.execute(sql, (version,)).get)
    return None if row is None else NearCopyPass(_hashes(row[0]), row[1])


def stale_sketches(store: Store, *, all_notes: bool) -> list[int]:
    """The Markdown notes without a sketch of their text as it is now, by id; or all of them."""
    sql = "SELECT id FROM note WHERE kind = '' ORDER BY id" if all_notes else "SELECT note_id FROM stale_sketch"
    with store.reading() as connection:
        return [int(note_id) for (note_id,) in connection.execute(sql).fetchall()]


def note_stamps(store: Store, note_ids: Sequence[int]) -> dict[int, Stamp]:
    """What the texts of these notes are known by; to be asked for before they are read."""
    with store.reading() as connection:
        return stamps_of(connection, note_ids)


def stamps_of(connection: Connection, note_ids: Sequence[int]) -> dict[int, Stamp]:
    """The same, of one connection."""
    sql = "SELECT id, digest, fingerprint FROM note WHERE id IN (SELECT value FROM carray(?))"
    rows = cast("list[tuple[int, bytes, str]]", connection.execute(sql, (integers(note_ids),)).fetchall())
    return {note_id: (digest, fingerprint) for note_id, digest, fingerprint in rows}


def load_sketches(store: Store) -> Sketches:
    """All sketches that are kept."""
    with store.reading() as connection:
        sql = "SELECT note_id, sketch FROM note_sketch ORDER BY note_id"
        rows = cast("list[tuple[int, bytes]]", connection.execute(sql).fetchall())
    counts = np.array([len(sketch) // 4 for _, sketch in rows], np.int64)
    return Sketches(
        np.array([note_id for note_id, _ in rows], np.int64),
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        _hashes(b"".join(sketch for _, sketch in rows)),
    )


def sketch_of(store: Store, note_id: int) -> Hashes | None:
    """The sketch of a note's text as it is now; None where none of it has been made yet."""
    sql = "SELECT sketch FROM note_sketch WHERE note_id = ?1 AND ?1 NOT IN (SELECT note_id FROM stale_sketch)"
    with store.reading(short=True) as connection:
        found = cast("bytes | None", connection.execute(sql, (note_id,)).get)
    return None if found is None else _hashes(found)


def near_copies(store: Store) -> tuple[NearCopy, ...]:
    """The pairs that are kept, by their ids."""
    with store.reading() as connection:
        sql = "SELECT note_id, other_id, likeness FROM near_copy ORDER BY note_id, other_id"
        rows = cast("list[tuple[int, int, float]]", connection.execute(sql).fetchall())
    return tuple(NearCopy(*row) for row in rows)


def groups_of(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Notes that hang together by pairs, each group ascending, in the order of their first."""
    leader: dict[int, int] = {}

    def first(note: int) -> int:
        while leader.setdefault(note, note) != note:
            leader[note] = leader[leader[note]]
            note = leader[note]
        return note

    for one, other in pairs:
        low, high = sorted((first(one), first(other)))
        leader[high] = low
    members: dict[int, list[int]] = {}
    for note in sorted(leader):
        members.setdefault(first(note), []).append(note)
    return [tuple(notes) for notes in members.values()]


def _hashes(stored: bytes) -> Hashes:
    return np.frombuffer(stored, "<u4").astype(np.uint32, copy=False)
