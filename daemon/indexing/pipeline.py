"""The pipeline: from a plan to what the store has of the notes, or of the documents, of a profile's vaults."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from scrubjay.daemon.failures import FailureReason, passes
from scrubjay.daemon.indexing.moved_notes import move_candidates, moved_notes
from scrubjay.daemon.indexing.plan import SECRET_IN_NAME_REASON, IndexingPlan, by_id, is_as_before
from scrubjay.daemon.indexing.prepare import CredentialFinding, FlawedBundle, Skipped
from scrubjay.daemon.indexing.source import R, Raw, Source, Unchanged
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.daemon.vault.read import FileStamp, UnreadableNote, redact_path
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.profiles.errors import StoreError, StoreRefused, Unavailable
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.decisions import VaultDecisions, decisions_of, decisions_on
from scrubjay.profiles.store.ownership import Share
from scrubjay.profiles.store.rows import FailureRow, KnownNote, NoteBundle, NoteMove, NoteRow
from scrubjay.profiles.store.store import Store

# A batch is one transaction: big ones write fewer pages, small ones lose less. What is in it is found when all of it is
# stored, so the first is small, that somebody new finds notes at once, and each is twice as big as the one before.
# Three are in memory at a time, in all forms from bytes to rows.
_BATCH_NOTES, _FIRST_NOTES = 512, 128
_CHANGED_AT_ONCE = 200  # a note that goes is in many pages of the database, each of which is written to the log
_BATCH_BYTES, _FIRST_BYTES = 4_000_000, 1_000_000
_SMALL_INDEX = 40_000  # notes; what is read again is in more pages of a larger index, each of which goes to the log
_AMPLE_ROOM = 2 << 30
_LEAST_SHARE = 1 / 8

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadFiles(Generic[R]):
    """What reading one batch of files of a vault came to."""

    vault: str  # id
    decisions: VaultDecisions  # that the files were read with
    paths: tuple[str, ...] = ()  # all that were read
    raws: tuple[R, ...] = ()  # to be prepared
    failures: tuple[FailureRow, ...] = ()
    unchanged: tuple[Unchanged, ...] = ()
    forget: tuple[int, ...] = ()  # ids of notes that may not stay: too large now, no text any more


@dataclass(frozen=True, slots=True)
class Outcome:
    """What reading and preparing one batch of files came to."""

    vault: str  # id
    decisions: VaultDecisions  # that the files were read with
    paths: tuple[str, ...] = ()
    bundles: tuple[NoteBundle, ...] = ()
    failures: tuple[FailureRow, ...] = ()  # without flaws of what is among the bundles
    unchanged: tuple[Unchanged, ...] = ()
    forget: tuple[int, ...] = ()  # ids of notes that may not stay: opted out, too large now, a secret in the name


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing one batch came to."""

    bundles: tuple[NoteBundle, ...]  # what is indexed now, here or by another machine
    failures: tuple[FailureRow, ...]  # what could not be indexed
    overtaken: frozenset[str]  # paths of notes that the user decided about since they were read: to be read again

    @property
    def passages(self) -> int:
        """How many passages were stored."""
        return sum(len(bundle.chunks) for bundle in self.bundles)


class Pipeline(Generic[R]):
    """The steps that notes and documents take alike. Each is whole when it returns; all raise StoreError."""

    def __init__(self, store: Store, source: Source[R]) -> None:
        self._store = store
        self._source = source
        self._ownership = store.ownership()

    def share(
        self,
        vault: VaultFolder,
        found: ScanResult,
        known: Mapping[str, KnownNote],
        *,
        whole: bool,
        forget_missing: bool = False,
    ) -> Share[FileStamp]:
        """What of a vault is this machine's: see `Ownership.share`."""
        fingerprint, decisions = self._source.fingerprint, decisions_of(self._store, vault.id)
        return self._ownership.share(
            vault.id,
            found.files,
            known,
            lambda note: note.fingerprint == fingerprint(note, decisions),
            whole=whole,
            forget_missing=forget_missing,
        )

    def prepared(self, vault_id: str, known: Iterable[KnownNote], decisions: VaultDecisions) -> frozenset[str]:
        """The paths of those known files that need not be prepared again where their bytes are the same."""
        return frozenset(
            note.path
            for note in known
            if note.fingerprint == self._source.fingerprint(note, decisions)
            or self._ownership.is_compared(vault_id, note.path)
        )

    def move(
        self, vault: VaultFolder, work: IndexingPlan, share: Share[FileStamp], failures: Mapping[str, FailureRow]
    ) -> IndexingPlan:
        """Apply moves of files that only changed their folder, see `parts`; returns the rest of the plan."""
        files, notes = move_candidates(work, share.known, failures, share.prepared)
        moves = moved_notes(files, notes, lambda stamp: self._source.digest_on_disk(vault, stamp))
        moved: list[NoteMove] = []
        for part in parts(moves):
            with self._store.writing() as writer:
                movable = self._ownership.movable(writer, vault.id, part)
                writer.move_notes(movable)
                for move in movable:  # one that could not be read under its new path can be now
                    writer.clear_failure(vault.id, move.path)
                writer.refresh_anchors()
            moved.extend(movable)
        return work.without({move.path for move in moved}, {move.note_id for move in moved})

    def without_waiting(self, work: IndexingPlan, failures: Mapping[str, FailureRow]) -> IndexingPlan:
        """The plan without files that are as they were when there was no room for them, as many as there is none for.

        Or all of them would be prepared again at each look.
        """
        waiting = [
            stamp.path
            for stamp in work.read
            if (row := failures.get(stamp.path))
            and row.code == str(FailureReason.OVER_QUOTA)
            and is_as_before(stamp, row)
        ]
        left = self._ownership.passages_left() if waiting else None
        return work if left is None else work.without(set(waiting[max(left, 0) :]), ())

    def tell(
        self, problems: Iterable[FailureRow], cleared: Iterable[FailureRow], before: Mapping[str, FailureRow]
    ) -> None:
        """Store what is new of the problems. A row that is put again is not cleared first."""
        told = {row.path: row for row in problems}
        cleared = [row for row in cleared if row.path not in told]
        new = [row for row in told.values() if before.get(row.path) != row]
        if new or cleared:
            with self._store.writing() as writer:
                for row in cleared:
                    writer.clear_failure(row.vault, row.path)
                for row in new:
                    writer.put_failure(row)

    def take(self, vault: VaultFolder, share: Share[FileStamp]) -> None:
        """Look after notes from now on that no other machine does any more."""
        if share.orphans:
            with self._store.writing() as writer:
                decisions = decisions_on(writer.connection, vault.id)
                self._ownership.taken(
                    writer, vault.id, share.orphans, lambda note: self._source.fingerprint(note, decisions)
                )

    def forget(
        self, vault: VaultFolder, notes: Collection[KnownNote], failed: Collection[str] = (), *, asked: bool = False
    ) -> None:
        """Forget what is planned to be forgotten, and take in what links call notes, in one transaction: see `parts`.

        failed: paths of which something is known that is over once the note is forgotten, and not sooner: a note that
        is moved instead would never be known for flawed again.
        asked: whether notes of machines that are away are this one's to forget.
        """
        allows = self._source.allowance(vault).allows
        deleted = [note.id for note in notes if allows(note.path)]
        excluded = [note.id for note in notes if not allows(note.path)]
        with self._store.writing() as writer:
            may = partial(self._ownership.forgettable, writer, vault.id)
            gone, left_out = may(deleted, deleted=True, asked=asked), may(excluded, deleted=False)
            writer.forget_notes(gone)
            writer.forget_notes(left_out, "excluded")
            forgotten = {*gone, *left_out}
            for note in notes:
                if note.path in failed and note.id in forgotten:
                    writer.clear_failure(vault.id, note.path)
            writer.refresh_anchors()

    def forget_excluded(self, vault: VaultFolder) -> None:
        """Forget what the store has of a vault and may not be read, whatever else is to be done."""
        allows = self._source.allowance(vault).allows
        excluded = (note for note in self._source.known(vault.id).values() if not allows(note.path))
        for part in parts(by_id(excluded)):
            self.forget(vault, part)

    def credentials_in(self, vault: VaultFolder | None, path: str) -> tuple[CredentialFinding, ...]:
        """What the filter finds in a file as it is on disk; nothing where there is no such file that may be read.

        Raises UnreadableNote, and what is wrong with reading as such.
        """
        for stamp in self._source.scan(vault, {path}).files if vault else ():
            if vault and stamp.path == path:
                raw = self._source.read(vault, stamp, None, decisions_of(self._store, vault.id))
                return () if isinstance(raw, Unchanged) else self._source.credentials(raw)
        return ()

    def read(
        self,
        vault: VaultFolder,
        batch: Sequence[FileStamp],
        known: Mapping[str, KnownNote],
        prepared: Collection[str],
        decisions: VaultDecisions,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> ReadFiles[R]:
        """Read some files: the first, and those after it while `goes_on`. Raises what is wrong with reading as such.

        known: what the store has of them, by path. prepared: the paths of those that need not be prepared again where
        their bytes are the same. decisions: what the user decided about credentials of this vault.
        """
        paths: list[str] = []
        raws: list[R] = []
        failures: list[FailureRow] = []
        unchanged: list[Unchanged] = []
        forget: list[int] = []
        for stamp in batch:
            if paths and not goes_on():
                break
            paths.append(stamp.path)
            before = known.get(stamp.path)
            try:
                found = self._source.read(vault, stamp, before if stamp.path in prepared else None, decisions)
            except UnreadableNote as error:
                if error.failure is FailureReason.GONE:
                    continue
                failures.append(self._failure(vault.id, stamp, error.failure, error.reason))
                if before and not error.failure.passes:
                    forget.append(before.id)
                continue
            if isinstance(found, Unchanged):
                unchanged.append(found)
            else:
                raws.append(found)
        return ReadFiles(
            vault.id, decisions, tuple(paths), tuple(raws), tuple(failures), tuple(unchanged), tuple(forget)
        )

    def prepare(self, read: ReadFiles[R], known: Mapping[str, KnownNote]) -> Outcome:
        """Prepare what was read. Raises only what is wrong with preparing as such, and not with one note."""
        bundles: list[NoteBundle] = []
        failures, forget = list(read.failures), list(read.forget)
        for raw, prepared in self._prepared(read.raws):
            if isinstance(prepared, Exception):
                failures.append(self._unexpected(read.vault, raw, prepared))
            elif isinstance(prepared, Skipped):
                failures.append(_row(read.vault, raw, prepared.path, prepared.code, prepared.reason))
                if raw.path in known and not prepared.code.passes:
                    forget.append(known[raw.path].id)
            elif isinstance(prepared, FlawedBundle) and raw.path in known and passes(prepared.flaw.code):
                failures.append(prepared.flaw)  # what was read of it before stays
            else:
                bundles.append(prepared)
        return Outcome(
            read.vault, read.decisions, read.paths, tuple(bundles), tuple(failures), read.unchanged, tuple(forget)
        )

    def put(self, outcome: Outcome) -> Stored:
        """Store a batch, and say what of it could not be indexed: what failed before, and what can't be stored.

        What another machine looks after is left as it is, and so is a note that the user has decided about since it
        was read.
        """
        try:
            stored = self._put(outcome)
        except Exception as error:  # one of the notes may be at fault; which, is found out now
            if _is_of_the_store(error):
                raise
            _log.warning("a batch can't be stored as a whole", extra={"error": type(error).__name__})
            stored = self._put_singly(outcome)
        failed = {row.path for row in stored.failures}
        self._ownership.settled(outcome.vault, outcome.paths, failed=failed, again=stored.overtaken)
        return stored

    def _put_singly(self, outcome: Outcome) -> Stored:
        bundles: list[NoteBundle] = []
        failures = list(outcome.failures)
        overtaken: set[str] = set()
        for bundle in outcome.bundles:
            try:
                stored = self._put(Outcome(outcome.vault, outcome.decisions, bundles=(bundle,)))
            except Exception as error:
                if _is_of_the_store(error):
                    raise
                failures.append(self._unexpected(outcome.vault, bundle.note, error))
            else:
                bundles += stored.bundles
                failures += stored.failures
                overtaken |= stored.overtaken
        self._put(replace(outcome, bundles=(), failures=tuple(failures)))
        return Stored(tuple(bundles), tuple(failures), frozenset(overtaken))

    def _put(self, outcome: Outcome) -> Stored:
        """Store all in one transaction. What was decided anew would be brought back as it was, so it is left out."""
        with self._store.writing() as writer:
            now = decisions_on(writer.connection, outcome.vault)
            current = [each for each in outcome.bundles if now.about(each.note) == outcome.decisions.about(each.note)]
            writable = self._ownership.writable(writer, outcome.vault, current)
            writer.put_notes(writable.bundles)
            over = [self._over_quota(outcome.vault, each.note) for each in writable.over]
            flaws = [each.flaw for each in writable.bundles if isinstance(each, FlawedBundle)]
            for failure in (*flaws, *outcome.failures, *over):
                writer.put_failure(failure)
            known = [each.note for each in outcome.unchanged]
            taken = self._ownership.taken(
                writer, outcome.vault, known, lambda note: self._source.fingerprint(note, now)
            )
            for each in outcome.unchanged:
                if each.note.path in taken:
                    writer.touch_note(each.note.id, each.stamp.mtime_ns, each.stamp.size, each.stamp.changed_ns)
            forget = self._ownership.forgettable(writer, outcome.vault, outcome.forget, deleted=False)
            writer.forget_notes(forget, "excluded")
        overtaken = {bundle.note.path for bundle in outcome.bundles} - {bundle.note.path for bundle in current}
        waiting = {each.note.path for each in writable.over}
        indexed = tuple(each for each in current if each.note.path not in waiting)
        return Stored(indexed, (*outcome.failures, *over), frozenset(overtaken))

    def _prepared(self, raws: Sequence[R]) -> Iterator[tuple[R, NoteBundle | Skipped | Exception]]:
        """Each note with what preparing it came to; one after the other where all at once fails."""
        if not raws:
            return
        results: Sequence[NoteBundle | Skipped | Exception]
        try:
            results = self._source.prepare(raws)
        except Unavailable:  # no note is at fault
            raise
        except Exception:
            if len(raws) < 2:
                raise
            results = [self._prepared_alone(raw) for raw in raws]
            if all(isinstance(result, Exception) for result in results):
                raise
        yield from zip(raws, results, strict=True)

    def _prepared_alone(self, raw: R) -> NoteBundle | Skipped | Exception:
        try:
            return self._source.prepare([raw])[0]
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001  (whatever is wrong with this note, the others go in)
            return error

    def _failure(self, vault: str, file: FileStamp | Raw | NoteRow, code: FailureReason, reason: str) -> FailureRow:
        """A file that could not be indexed. What stands in its name is hidden as what stands in it."""
        shown, secrets = redact_path(file.path, self._source.context.rules)
        if secrets:
            code, reason = FailureReason.SECRET_IN_NAME, SECRET_IN_NAME_REASON
        return _row(vault, file, shown, code, reason)

    def _over_quota(self, vault: str, note: NoteRow) -> FailureRow:
        reason = (
            f"There is no room for this {self._source.noun}: the team's owner has set how many passages you may bring."
            " It waits until you have fewer, or the owner lets you bring more (`scrubjay team quota`), and is looked at"
            " every quarter of an hour; `scrubjay index` looks at once."
        )
        return self._failure(vault, note, FailureReason.OVER_QUOTA, reason)

    def _unexpected(self, vault: str, note: Raw | NoteRow, error: Exception) -> FailureRow:
        kind, noun = type(error).__name__, self._source.noun
        _log.error("a %s can't be indexed", noun, extra={"error": kind})
        reason = f"Scrubjay could not index this {noun} ({kind}) and tries again now and then; please report this."
        return self._failure(vault, note, FailureReason.UNEXPECTED, reason)


def _row(vault: str, file: FileStamp | Raw | NoteRow, shown: str, code: FailureReason, reason: str) -> FailureRow:
    stamps = (file.mtime_ns, file.size, file.changed_ns)
    return FailureRow(vault, shown, code, reason, *stamps, kind=file_kind(file.path) or "")


def _is_of_the_store(error: Exception) -> bool:
    """Whether an error is one of the store as such, and no note is at fault."""
    return isinstance(error, StoreError) and not isinstance(error, StoreRefused)


def parts(notes: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """What is to be moved or forgotten, cut so that a transaction takes little memory, and others can write between."""
    for start in range(0, len(notes), _CHANGED_AT_ONCE):
        yield notes[start : start + _CHANGED_AT_ONCE]


def batches(
    stamps: Iterable[FileStamp], room: int, notes: int = 0, known: Collection[str] = ()
) -> Iterator[list[FileStamp]]:
    """The files in their order, cut into batches that grow.

    room: bytes of memory; below 2 GB, batches are smaller. notes: how many are in the index. known: paths of those that
    may be among the files.
    """
    again = max(1.0, notes / _SMALL_INDEX)  # how many new notes one that is read again counts for
    share = max(_LEAST_SHARE, min(1.0, room / _AMPLE_ROOM))
    largest_notes, largest_bytes = max(1, round(share * _BATCH_NOTES)), round(share * _BATCH_BYTES)
    batch: list[FileStamp] = []
    count, size, most_notes, most_bytes = 0.0, 0.0, min(_FIRST_NOTES, largest_notes), min(_FIRST_BYTES, largest_bytes)
    for stamp in stamps:
        weight = again if stamp.path in known else 1.0
        if batch and (count + weight > most_notes or size + weight * stamp.size > most_bytes):
            yield batch
            batch, count, size = [], 0.0, 0.0
            most_notes, most_bytes = min(2 * most_notes, largest_notes), min(2 * most_bytes, largest_bytes)
        batch.append(stamp)
        count += weight
        size += weight * stamp.size
    if batch:
        yield batch
