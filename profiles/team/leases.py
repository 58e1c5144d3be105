"""Leases and tombstones of a team's profile: which machine looks after which note, and what stays deleted."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from scrubjay.profiles.store.ownership import F, Ownership, Share, Stamped, Writable
from scrubjay.profiles.store.rows import KnownNote, NoteBundle, NoteMove, NoteRow
from scrubjay.profiles.store.snapshots import Snapshots
from scrubjay.profiles.store.statements import Connection, Cursor, Insert, integers, json_texts, put
from scrubjay.profiles.store.writer import Writer
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.quotas import BROUGHT, LEFT

OVER_SECONDS = 45 * 60
"""A machine that has not been seen for so long holds nothing: three times as long as it usually waits to say so."""
LOST_SECONDS = 7 * 86_400
"""One that has not been seen for so long may never come back: what it has not handed on is no longer waited for."""
TOMBSTONE_DAYS = 180
"""A machine that was away for longer may bring back what was deleted, or replaced."""
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


def dated(mtime_ns: int, now_ns: int) -> int:
    """The date of a file as it counts. now_ns: the server's, which no file is later than, whatever a clock says."""
    return min(mtime_ns, now_ns)


def may_write(
    digest: bytes,
    mtime_ns: int,
    stored: bytes | None,
    lease: Lease | None,
    tombstone: Tombstone | None,
    replaced: Collection[bytes] = (),
) -> bool:
    """Whether this machine may write the note that its file (of this digest and time) holds; it has the lease then.

    stored: the digest of the note that is there; None: there is none. lease: None where nobody looks after it.
    replaced: the digests of versions before, which have a new date by a checkout or a restored backup, not by an edit.
    """
    if stored is None:
        if tombstone is None or tombstone.holder == "ours":
            return True  # where it was deleted, a file that is there again was put back
        is_other = digest != tombstone.digest
        if digest in replaced and tombstone.holder != "lost":
            return False
        return is_other and (mtime_ns > tombstone.clock_ns or tombstone.holder == "lost")
    if lease is None or lease.holder in ("ours", "lost"):
        return True
    if digest == stored:
        return lease.holder == "over"
    return digest not in replaced and mtime_ns > lease.clock_ns


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


_NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000000000 AS bigint)"
_OLD = f"{{}} < clock_timestamp() - make_interval(days => {TOMBSTONE_DAYS})"
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
_PUT_LEASE = put("note_lease", ("vault", "path"), ("machine", "clock_ns", "fingerprint"))
_REPLACED = "SELECT array_agg(replaced.digest) FROM replaced WHERE vault = ?2 AND path = wanted.value"
_PUT_REPLACED = put("replaced", ("vault", "path", "digest"), ())
_BURY = Insert(
    "tombstone",
    ("vault", "path", "digest", "clock_ns", "machine"),
    " ON CONFLICT (vault, path) DO UPDATE SET digest = excluded.digest, clock_ns = excluded.clock_ns,"
    " machine = excluded.machine, gone_at = excluded.gone_at",
)


class _State(NamedTuple):
    """What a profile has at a path."""

    stored: bytes | None
    lease: Lease | None
    tombstone: Tombstone | None
    replaced: frozenset[bytes]  # digests of versions before
    now_ns: int  # by the server's clock

    def may_be(self, note: NoteRow) -> bool:
        """Whether this machine may write this there."""
        return may_write(note.digest, dated(note.mtime_ns, self.now_ns), *self[:4])

    def clock_of(self, note: NoteRow) -> int:
        """The clock of the lease of this machine then."""
        return next_clock(note.digest, dated(note.mtime_ns, self.now_ns), *self[:3])

    def replaced_by(self, digest: bytes) -> Iterable[bytes]:
        """The digests of versions that are over then."""
        before = (self.stored, self.tombstone and self.tombstone.digest)
        return {each for each in before if each is not None and each != digest}


Matter: TypeAlias = tuple[Stamped, bytes, Holder]
"""A file, and what it was compared with: the digest of a note, or of one that was deleted, and who has it, or had."""


class LeasedOwnership(Ownership):
    """See `Ownership`: those of which this machine has the lease. It remembers what files were compared with.

    Leases are asked for anew in each transaction, since another machine may have come first.
    """

    def __init__(self, store: Snapshots, machine: str) -> None:
        super().__init__(store)
        self._machine = machine
        self._compared: dict[tuple[str, str], Matter] = {}  # by vault and path: files that are to be read
        self._decided: dict[tuple[str, str], Matter] = {}  # nothing was to be done

    def vaults(self) -> frozenset[str]:
        """See `Ownership`."""
        with self._store.reading() as connection:
            sql = "SELECT DISTINCT vault FROM note_lease WHERE machine = ?"
            return frozenset(str(vault) for (vault,) in connection.execute(sql, (self._machine,)))

    def own(self, vault: str, notes: Mapping[str, KnownNote]) -> Mapping[str, KnownNote]:
        """See `Ownership`."""
        if not notes:
            return notes
        held, _ = self._leases(vault, notes)
        return {path: note for path, note in notes.items() if path in held and held[path].holder == "ours"}

    def share(
        self,
        vault: str,
        files: Sequence[F],
        known: Mapping[str, KnownNote],
        is_prepared: Callable[[KnownNote], bool],
        *,
        whole: bool,
        forget_missing: bool = False,
    ) -> Share[F]:
        """See `Ownership`: without what is other machines' business."""
        stamps = {stamp.path: stamp for stamp in files}
        held, tombstones = self._leases(vault, None if whole else {*known, *stamps})
        mine: dict[str, KnownNote] = {}
        outdated: set[str] = set()
        orphans: list[KnownNote] = []
        beside: list[F] = []
        for path, note in known.items():
            lease, stamp = held.get(path) or Lease("lost", note.mtime_ns), stamps.get(path)
            if lease.holder == "ours":
                mine[path] = note
                if not is_prepared(replace(note, fingerprint=lease.fingerprint)):
                    outdated.add(path)
            elif stamp is None:
                if forget_missing and lease.holder != "theirs":
                    mine[path] = note
            elif (stamp.mtime_ns, stamp.size) == (note.mtime_ns, note.size):
                if lease.holder != "theirs":
                    orphans.append(note)
            else:
                beside.append(stamp)
                may_win = lease.holder != "theirs" or stamp.mtime_ns > lease.clock_ns
                if may_win and self._is_to_compare(vault, (stamp, note.digest, lease.holder)):
                    mine[path] = note
        own = [stamp for path, stamp in stamps.items() if path in mine]
        for path in stamps.keys() - known.keys():
            gone = tombstones.get(path)
            if (
                not gone
                or gone.holder == "ours"
                or self._is_to_compare(vault, (stamps[path], gone.digest, gone.holder))
            ):
                own.append(stamps[path])
        own.sort(key=lambda stamp: stamp.path)
        return Share(tuple(own), mine, frozenset(mine) - outdated, tuple(orphans), tuple(beside))

    def is_compared(self, vault: str, path: str) -> bool:
        """See `Ownership`."""
        return (vault, path) in self._compared

    def settled(self, vault: str, paths: Iterable[str], *, failed: Collection[str], again: Collection[str]) -> None:
        """See `Ownership`."""
        for path in paths:
            if matter := self._compared.get((vault, path)):
                if path not in failed and path not in again:
                    self._decided[vault, path] = matter
                if path not in again:
                    del self._compared[vault, path]

    def writable(self, writer: Writer, vault: str, bundles: Sequence[NoteBundle]) -> Writable:
        """See `Ownership`: this machine has their leases then."""
        if not bundles:
            return Writable(bundles)
        transaction = _Transaction(self._machine, writer, vault)
        left = _passages_left(writer.connection)
        states = transaction.states([bundle.note.path for bundle in bundles])
        wanted = [each for each in bundles if states[each.note.path].may_be(each.note)]
        found, over = transaction.with_room(wanted, left.get)
        notes = [bundle.note for bundle in found]
        transaction.put((note.path, states[note.path].clock_of(note), note.fingerprint) for note in notes)
        transaction.replace(notes, states)
        transaction.unbury(note.path for note in notes)
        return Writable(found, over)

    def passages_left(self) -> int | None:
        """See `Ownership`."""
        with self._store.reading() as connection:
            return _passages_left(connection).get

    def taken(
        self, writer: Writer, vault: str, notes: Sequence[KnownNote], fingerprint: Callable[[KnownNote], str]
    ) -> frozenset[str]:
        """See `Ownership`."""
        if not notes:
            return frozenset()
        transaction = _Transaction(self._machine, writer, vault)
        states = transaction.states([note.path for note in notes])
        found = [note for note in notes if may_take(note.digest, states[note.path].stored, states[note.path].lease)]
        leases = ((note, states[note.path].lease) for note in found)
        transaction.put(
            (note.path, lease.clock_ns if lease else note.mtime_ns, fingerprint(note)) for note, lease in leases
        )
        return frozenset(note.path for note in found)

    def forgettable(
        self, writer: Writer, vault: str, ids: Sequence[int], *, deleted: bool, asked: bool = False
    ) -> Sequence[int]:
        """See `Ownership`: nobody looks after them any more then."""
        if not ids:
            return ids
        transaction = _Transaction(self._machine, writer, vault)
        leases = transaction.leases(ids)
        found = [each for each in leases if may_forget(each[3], asked=asked)]
        transaction.release(path for _, path, _, _ in found)
        if deleted:
            transaction.bury((path, digest, lease.clock_ns) for _, path, digest, lease in found)
        return [note for note, *_ in found]

    def movable(self, writer: Writer, vault: str, moves: Sequence[NoteMove]) -> Sequence[NoteMove]:
        """See `Ownership`: their leases have been moved."""
        if not moves:
            return moves
        transaction = _Transaction(self._machine, writer, vault)
        known = {
            note: (path, digest, lease)
            for note, path, digest, lease in transaction.leases([move.note_id for move in moves])
            if lease.holder == "ours"
        }
        taken = transaction.states([move.path for move in moves])
        found = [move for move in moves if move.note_id in known and taken[move.path].stored is None]
        before = [known[move.note_id] for move in found]
        transaction.release(path for path, _, _ in before)
        transaction.put(
            (move.path, lease.clock_ns, lease.fingerprint) for move, (_, _, lease) in zip(found, before, strict=True)
        )
        transaction.bury((path, digest, lease.clock_ns) for path, digest, lease in before)
        transaction.unbury(move.path for move in found)
        return found

    def _is_to_compare(self, vault: str, matter: Matter) -> bool:
        """Whether a file is to be read, since it was not compared with just this; it is noted then."""
        place = vault, matter[0].path
        if self._decided.get(place) == matter:
            return False
        self._compared[place] = matter
        return True

    def _leases(self, vault: str, paths: Collection[str] | None) -> tuple[Mapping[str, Lease], Mapping[str, Tombstone]]:
        """Who looks after the notes of a vault, and which of them were deleted, by path. paths: of these alone."""
        among = "" if paths is None else f" AND {_LISTED}"
        values = (self._machine, vault, *(() if paths is None else (json_texts(sorted(paths)),)))
        sql = f"SELECT path, {_LEASE} FROM {_LEASED} WHERE vault = ?2{among}"  # noqa: S608
        buried = f"SELECT path, {_TOMBSTONE} FROM {_BURIED} WHERE vault = ?2{among}"  # noqa: S608
        with self._store.reading() as connection:
            held = cast("list[tuple[str, Holder, int, str]]", connection.execute(sql, values).fetchall())
            gone = cast("list[tuple[str, bytes, int, Holder]]", connection.execute(buried, values).fetchall())
        return (
            {path: Lease(holder, clock, fingerprint) for path, holder, clock, fingerprint in held},
            {path: Tombstone(digest, clock, holder) for path, digest, clock, holder in gone},
        )


def _passages_left(connection: Connection) -> Cursor:
    """How many passages this member may bring still; no row where nobody has set that."""
    return connection.execute(LEFT, (cast("ProfileConnection", connection).profile,))


class _Transaction:
    """The leases and tombstones of a vault within the transaction of a writer."""

    def __init__(self, machine: str, writer: Writer, vault: str) -> None:
        self._machine = machine
        self._connection = writer.connection
        self._vault = vault

    def leases(self, ids: Sequence[int]) -> list[tuple[int, str, bytes, Lease]]:
        """(note id, path, digest, lease) of those of the notes that somebody has the lease of."""
        sql = (
            f"SELECT note.id, note.path, note.digest, {_LEASE} FROM note"  # noqa: S608
            f" JOIN ({_LEASED}) ON note_lease.vault = note.vault AND note_lease.path = note.path"
            " WHERE note.id IN (SELECT value FROM carray(?2))"
        )
        rows = self._connection.execute(sql, (self._machine, integers(ids))).fetchall()
        return [(note, str(path), bytes(digest), Lease(*lease)) for note, path, digest, *lease in rows]

    def states(self, paths: Iterable[str]) -> dict[str, _State]:
        """What the profile has at these paths."""
        here = "vault = ?2 AND path = wanted.value"
        sql = (
            f"SELECT wanted.value, note.digest, ({_REPLACED}), {_NOW}, held.*, buried.* FROM json_each(?3) AS wanted"  # noqa: S608
            " LEFT JOIN note ON note.vault = ?2 AND note.path = wanted.value"
            f" LEFT JOIN LATERAL (SELECT {_LEASE} FROM {_LEASED} WHERE {here}) AS held ON TRUE"
            f" LEFT JOIN LATERAL (SELECT {_TOMBSTONE} FROM {_BURIED} WHERE {here}) AS buried ON TRUE"
        )
        rows = cast(
            "list[tuple[str, bytes | None, list[bytes] | None, int, Any, Any, Any, Any, Any, Any]]",
            self._connection.execute(sql, (self._machine, self._vault, json_texts(paths))).fetchall(),
        )
        return {
            path: _State(
                stored,
                None if lease[0] is None else Lease(*lease),
                None if tombstone[0] is None else Tombstone(*tombstone),
                frozenset(replaced or ()),
                now_ns,
            )
            for path, stored, replaced, now_ns, *rest in rows
            for lease, tombstone in [(rest[:3], rest[3:])]
        }

    def with_room(
        self, bundles: Sequence[NoteBundle], left: int | None
    ) -> tuple[Sequence[NoteBundle], Sequence[NoteBundle]]:
        """Those of the notes, one after the other, that there is room for, always if they do not grow; and the rest."""
        if left is None:
            return bundles, ()
        paths = json_texts(bundle.note.path for bundle in bundles)
        before = dict(cast("Iterable[tuple[str, int]]", self._connection.execute(BROUGHT, (self._vault, paths))))
        found, over = list[NoteBundle](), list[NoteBundle]()
        for bundle in bundles:
            more = len(bundle.chunks) - before.get(bundle.note.path, 0)
            if more <= max(left, 0):
                found.append(bundle)
                left -= more
            else:
                over.append(bundle)
        return found, over

    def put(self, leases: Iterable[tuple[str, int, str]]) -> None:
        """This machine looks after notes from now on: their paths, clocks and fingerprints."""
        rows = [(self._vault, path, self._machine, clock, fingerprint) for path, clock, fingerprint in leases]
        if rows:
            self._connection.insert(_PUT_LEASE, rows)

    def release(self, paths: Iterable[str]) -> None:
        """Nobody looks after these any more."""
        sql = "DELETE FROM note_lease WHERE vault = ? AND path IN (SELECT value FROM json_each(?))"
        self._connection.execute(sql, (self._vault, json_texts(paths)))

    def replace(self, notes: Sequence[NoteRow], states: Mapping[str, _State]) -> None:
        """These are written now: what was there before is remembered for as long as what was deleted."""
        over = [(note.path, digest) for note in notes for digest in states[note.path].replaced_by(note.digest)]
        if over:
            self._connection.insert(_PUT_REPLACED, [(self._vault, *each) for each in over])
            self._connection.execute(f"DELETE FROM replaced WHERE {_OLD.format('at')}")  # noqa: S608
        again = [note for note in notes if note.digest in states[note.path].replaced]
        sql = "DELETE FROM replaced WHERE vault = ? AND path = ? AND digest = ?"
        for note in again:
            self._connection.execute(sql, (self._vault, note.path, note.digest))

    def bury(self, gone: Iterable[tuple[str, bytes, int]]) -> None:
        """Notes were deleted: their paths, digests and clocks."""
        rows = [(self._vault, path, digest, clock, self._machine) for path, digest, clock in gone]
        if rows:
            self._connection.insert(_BURY, rows)
            self._connection.execute(f"DELETE FROM tombstone WHERE {_OLD.format('gone_at')}")  # noqa: S608

    def unbury(self, paths: Iterable[str]) -> None:
        """Notes are there again."""
        sql = "DELETE FROM tombstone WHERE vault = ? AND path IN (SELECT value FROM json_each(?))"
        self._connection.execute(sql, (self._vault, json_texts(paths)))
