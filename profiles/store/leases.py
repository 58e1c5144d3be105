"""Leases and tombstones of a team's profile: which machine looks after which note, and what stays deleted."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import KnownNote, NoteBundle, NoteMove, NoteRow
from scrubjay.profiles.store.statements import Connection, integers, json_texts, upsert
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.writer import Writer

OVER_SECONDS = 45 * 60
"""A machine that has not been seen for so long holds nothing: three times as long as it usually waits to say so."""
LOST_SECONDS = 7 * 86_400
"""One that has not been seen for so long may never come back: what it has not handed on is no longer waited for."""
TOMBSTONE_DAYS = 180
"""A machine that was away for longer may bring back what was deleted."""
Holder: TypeAlias = Literal["ours", "theirs", "over", "lost"]
"""Who has a lease: this machine, another one that lives, one that is away, or one (or none) that is not waited for."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Who looks after a note."""

    holder: Holder
    clock_ns: int  # see above
    fingerprint: str = ""  # what its holder would prepare it with: with another one, it is to be prepared again


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A note was deleted."""

    digest: bytes  # of its file's bytes
    clock_ns: int  # of that version
    holder: Holder  # who had it, and deleted it


def may_write(
    digest: bytes, mtime_ns: int, stored: bytes | None, lease: Lease | None, tombstone: Tombstone | None
) -> bool:
    """Whether this machine may write the note that its file (of this digest and time) holds; it has the lease then.

    stored: the digest of the note that is there; None: there is none. lease: None where nobody looks after it.
    """
    if stored is None:
        if tombstone is None or tombstone.holder == "ours":
            return True  # where it was deleted, a file that is there again was put back
        is_other = digest != tombstone.digest
        return is_other and (mtime_ns > tombstone.clock_ns or tombstone.holder == "lost")
    if lease is None or lease.holder in ("ours", "lost"):
        return True
    if digest == stored:
        return lease.holder == "over"
    return mtime_ns > lease.clock_ns


def may_take(digest: bytes, stored: bytes | None, lease: Lease | None) -> bool:
    """Whether this machine, whose file has this digest, looks after the note from now on though it writes nothing."""
    return digest == stored and (lease is None or lease.holder != "theirs")


def may_forget(lease: Lease | None, *, asked: bool) -> bool:
    """Whether this machine may forget a note whose file it does not have.

    asked: whether the user wants what is missing forgotten.
    """
    return lease is not None and (lease.holder == "ours" or (asked and lease.holder != "theirs"))


def next_clock(
    digest: bytes, mtime_ns: int, stored: bytes | None, lease: Lease | None, tombstone: Tombstone | None
) -> int:
    """The clock of the version that is being written."""
    before = lease if stored is not None else tombstone
    if before is None:
        return mtime_ns
    return before.clock_ns if digest == stored else max(mtime_ns, before.clock_ns + 1)


_SEEN = "machine.seen_at > clock_timestamp() - make_interval(secs => {})"
# ?1 is this machine.
_HOLDER = (
    "CASE WHEN {0}.machine = ?1 THEN 'ours'"
    f" WHEN {_SEEN.format(OVER_SECONDS)} THEN 'theirs' WHEN {_SEEN.format(LOST_SECONDS)} THEN 'over' ELSE 'lost' END"
)
_LEASE = f"{_HOLDER.format('note_lease')}, note_lease.clock_ns, note_lease.fingerprint"
_TOMBSTONE = f"tombstone.digest, tombstone.clock_ns, {_HOLDER.format('tombstone')}"
_LEASED = "note_lease LEFT JOIN machine ON machine.id = note_lease.machine"
_BURIED = "tombstone LEFT JOIN machine ON machine.id = tombstone.machine"
_LISTED = "path IN (SELECT value FROM json_each(?3))"
_PUT_LEASE = upsert("note_lease", ("vault", "path"), ("machine", "clock_ns", "fingerprint"))
_BURY = (
    "INSERT INTO tombstone (vault, path, digest, clock_ns, machine) VALUES (?, ?, ?, ?, ?) ON CONFLICT (vault, path) DO"
    " UPDATE SET digest = excluded.digest, clock_ns = excluded.clock_ns, machine = excluded.machine,"
    " gone_at = excluded.gone_at"
)


@dataclass(frozen=True, slots=True)
class Leases:
    """Who looks after the notes of a vault, and which of them were deleted, by path."""

    held: Mapping[str, Lease] = field(default_factory=dict[str, Lease])
    tombstones: Mapping[str, Tombstone] = field(default_factory=dict[str, Tombstone])


def leases_of(store: Store, vault: str, paths: Collection[str] | None = None) -> Leases:
    """The leases and tombstones of a vault in a team's profile. paths: of these alone. Raises StoreError."""
    among = "" if paths is None else f" AND {_LISTED}"
    values = (store.machine, vault, *(() if paths is None else (json_texts(sorted(paths)),)))
    sql = f"SELECT path, {_LEASE} FROM {_LEASED} WHERE vault = ?2{among}"  # noqa: S608
    buried = f"SELECT path, {_TOMBSTONE} FROM {_BURIED} WHERE vault = ?2{among}"  # noqa: S608
    with store.reading() as connection:
        held = cast("list[tuple[str, Holder, int, str]]", connection.execute(sql, values).fetchall())
        gone = cast("list[tuple[str, bytes, int, Holder]]", connection.execute(buried, values).fetchall())
    return Leases(
        {path: Lease(holder, clock, fingerprint) for path, holder, clock, fingerprint in held},
        {path: Tombstone(digest, clock, holder) for path, digest, clock, holder in gone},
    )


def vaults_looked_after(store: Store) -> frozenset[str]:
    """The vaults of which this machine looks after notes; of a file, all that it has notes of. Raises StoreError."""
    if not store.machine:
        return frozenset(store.read(reads.vaults))
    with store.reading() as connection:
        sql = "SELECT DISTINCT vault FROM note_lease WHERE machine = ?"
        return frozenset(str(vault) for (vault,) in connection.execute(sql, (store.machine,)))


class _State(NamedTuple):
    """What a profile has at a path."""

    stored: bytes | None
    lease: Lease | None
    tombstone: Tombstone | None


class Claims:
    """What this machine may write of a vault, in one transaction: asked there, since another one may have come first.

    Not to be used after the transaction of `writer`.
    """

    def __init__(self, store: Store, writer: Writer, vault: str) -> None:
        self._machine = store.machine
        self._connection: Connection = writer.connection
        self._vault = vault

    def writable(self, bundles: Iterable[NoteBundle]) -> list[NoteBundle]:
        """Those of the notes that may be written; they are to be, since this machine has their leases now."""
        bundles = list(bundles)
        if not (self._machine and bundles):
            return bundles
        states = self._states([bundle.note.path for bundle in bundles])
        found = [bundle for bundle in bundles if self._is_writable(bundle.note, states[bundle.note.path])]
        self._put(
            (note.path, next_clock(note.digest, note.mtime_ns, *state), note.fingerprint)
            for note, state in ((bundle.note, states[bundle.note.path]) for bundle in found)
        )
        sql = "DELETE FROM tombstone WHERE vault = ? AND path IN (SELECT value FROM json_each(?))"
        self._connection.execute(sql, (self._vault, json_texts(bundle.note.path for bundle in found)))
        return found

    def taken(self, notes: Sequence[KnownNote], fingerprint: Callable[[KnownNote], str]) -> frozenset[str]:
        """The paths of those of the notes, whose files are as they are stored, that this machine looks after now.

        fingerprint: what it would prepare a note with.
        """
        if not (self._machine and notes):
            return frozenset(note.path for note in notes)
        states = self._states([note.path for note in notes])
        found = [note for note in notes if may_take(note.digest, states[note.path].stored, states[note.path].lease)]
        leases = ((note, states[note.path].lease) for note in found)
        self._put((note.path, lease.clock_ns if lease else note.mtime_ns, fingerprint(note)) for note, lease in leases)
        return frozenset(note.path for note in found)

    def forgettable(self, ids: Iterable[int], *, deleted: bool, asked: bool = False) -> list[int]:
        """Those of the notes that may be forgotten; they are to be, since nobody looks after them any more.

        deleted: their files are gone, which others are to know. asked: see `may_forget`.
        """
        ids = list(ids)
        if not (self._machine and ids):
            return ids
        sql = (
            f"SELECT note.id, note.path, note.digest, {_LEASE} FROM note"  # noqa: S608
            f" JOIN ({_LEASED}) ON note_lease.vault = note.vault AND note_lease.path = note.path"
            " WHERE note.id IN (SELECT value FROM carray(?2))"
        )
        rows = self._connection.execute(sql, (self._machine, integers(ids))).fetchall()
        leases = [(note, path, digest, Lease(*lease)) for note, path, digest, *lease in rows]
        found = [each for each in leases if may_forget(each[3], asked=asked)]
        self._release(path for _, path, _, _ in found)
        if deleted:
            self._bury((path, digest, lease.clock_ns) for _, path, digest, lease in found)
        return [note for note, *_ in found]

    def moved(self, moves: Iterable[NoteMove]) -> list[NoteMove]:
        """Those of the notes that may be moved; they are to be, and their leases have been."""
        moves = list(moves)
        if not (self._machine and moves):
            return moves
        ids = [move.note_id for move in moves]
        sql = "SELECT id, path, digest FROM note WHERE id IN (SELECT value FROM carray(?))"
        known = {
            note: (str(path), bytes(digest)) for note, path, digest in self._connection.execute(sql, (integers(ids),))
        }
        states = self._states([path for path, _ in known.values()])
        taken = self._states([move.path for move in moves])
        found = [
            move
            for move in moves
            if move.note_id in known
            and taken[move.path].stored is None
            and (lease := states[known[move.note_id][0]].lease)
            and lease.holder == "ours"
        ]
        leases = {move.path: states[known[move.note_id][0]].lease for move in found}
        self._release(known[move.note_id][0] for move in found)
        self._put((path, lease.clock_ns, lease.fingerprint) for path, lease in leases.items() if lease)
        self._bury((*known[move.note_id], lease.clock_ns) for move in found if (lease := leases[move.path]))
        sql = "DELETE FROM tombstone WHERE vault = ? AND path IN (SELECT value FROM json_each(?))"
        self._connection.execute(sql, (self._vault, json_texts(leases)))
        return found

    def _is_writable(self, note: NoteRow, state: _State) -> bool:
        return may_write(note.digest, note.mtime_ns, *state)

    def _states(self, paths: Iterable[str]) -> dict[str, _State]:
        here = "vault = ?2 AND path = wanted.value"
        sql = (
            f"SELECT wanted.value, note.digest, held.*, buried.* FROM json_each(?3) AS wanted"  # noqa: S608
            " LEFT JOIN note ON note.vault = ?2 AND note.path = wanted.value"
            f" LEFT JOIN LATERAL (SELECT {_LEASE} FROM {_LEASED} WHERE {here}) AS held ON TRUE"
            f" LEFT JOIN LATERAL (SELECT {_TOMBSTONE} FROM {_BURIED} WHERE {here}) AS buried ON TRUE"
        )
        rows = cast(
            "list[tuple[str, bytes | None, Any, Any, Any, Any, Any, Any]]",
            self._connection.execute(sql, (self._machine, self._vault, json_texts(paths))).fetchall(),
        )
        return {
            path: _State(
                stored,
                None if lease[0] is None else Lease(*lease),
                None if tombstone[0] is None else Tombstone(*tombstone),
            )
            for path, stored, *rest in rows
            for lease, tombstone in [(rest[:3], rest[3:])]
        }

    def _put(self, leases: Iterable[tuple[str, int, str]]) -> None:
        rows = [(self._vault, path, self._machine, clock, fingerprint) for path, clock, fingerprint in leases]
        if rows:
            self._connection.executemany(_PUT_LEASE, rows)

    def _release(self, paths: Iterable[str]) -> None:
        sql = "DELETE FROM note_lease WHERE vault = ? AND path IN (SELECT value FROM json_each(?))"
        self._connection.execute(sql, (self._vault, json_texts(paths)))

    def _bury(self, gone: Iterable[tuple[str, bytes, int]]) -> None:
        rows = [(self._vault, path, digest, clock, self._machine) for path, digest, clock in gone]
        if rows:
            self._connection.executemany(_BURY, rows)
            old = f"gone_at < clock_timestamp() - make_interval(days => {TOMBSTONE_DAYS})"
            self._connection.execute(f"DELETE FROM tombstone WHERE {old}")  # noqa: S608
