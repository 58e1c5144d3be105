"""Some notes at a time: read, prepared, and stored in one transaction; a note that can't be is left out by name."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.daemon.failures import Failure
from scrubjay.daemon.indexing.plan import SECRET_IN_NAME_REASON
from scrubjay.daemon.indexing.prepare import FlawedBundle, PrepareContext, Skipped
from scrubjay.daemon.vault.read import FileStamp, RawNote, ReadLimits, Unreadable, read_note, redact_path
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.errors import StoreError, StoreRefused, Unavailable
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.decisions import VaultDecisions, decisions_on
from scrubjay.profiles.store.leases import Claims
from scrubjay.profiles.store.rows import FailureRow, KnownNote, NoteBundle, NoteRow
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.writer import Writer

# A batch is one transaction: big ones write fewer pages, small ones lose less. What is in it is found when all of it is
# stored, so the first is small, that somebody new finds notes at once, and each is twice as big as the one before.
_BATCH_NOTES, _FIRST_NOTES = 512, 128
_BATCH_BYTES, _FIRST_BYTES = 4_000_000, 1_000_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """What reading one batch of files came to."""

    batch: Sequence[FileStamp]
    raws: tuple[RawNote, ...]  # to be prepared
    failures: tuple[FailureRow, ...]
    touched: tuple[tuple[KnownNote, FileStamp], ...]  # new time stamps, but the same bytes
    forget: tuple[int, ...]  # ids of notes that may not stay: too large now, no text any more


@dataclass(frozen=True, slots=True)
class Outcome:
    """What reading and preparing one batch of files came to."""

    files: int
    bundles: tuple[NoteBundle, ...]
    failures: tuple[FailureRow, ...]
    touched: tuple[tuple[KnownNote, FileStamp], ...]  # new time stamps, but the same bytes
    forget: tuple[int, ...]  # ids of notes that may not stay: opted out, too large now, a secret in the name


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing one batch came to."""

    failures: tuple[FailureRow, ...]  # what could not be indexed
    overtaken: frozenset[str]  # paths of notes that the user decided about since they were read: to be read again


class Batches:
    """Takes the notes of one vault from the disk to the store."""

    def __init__(
        self,
        vault: VaultFolder,
        store: Store,
        context: PrepareContext,
        limits: ReadLimits,
        prepare: Callable[[Sequence[RawNote], PrepareContext], list[NoteBundle | Skipped]],
    ) -> None:
        self.vault = vault
        self._store = store
        self._context = context
        self._limits = limits
        self._prepare = prepare

    def read(
        self,
        batch: Sequence[FileStamp],
        known: Mapping[str, KnownNote],
        failed: Mapping[str, FailureRow],
        decisions: VaultDecisions,
    ) -> ReadFiles:
        """Read some files; `known` and `failed`, by path, are what the store has of them.

        decisions: what the user decided about credentials of this vault.
        """
        raws: list[RawNote] = []
        failures: list[FailureRow] = []
        touched: list[tuple[KnownNote, FileStamp]] = []
        forget: list[int] = []
        for stamp in batch:
            before = known.get(stamp.path)
            try:
                raw = read_note(self.vault.id, Path(self.vault.root), stamp, self._limits, self._digest)
            except Unreadable as error:
                if error.failure is Failure.GONE:
                    continue
                failures.append(self._failure(stamp, error.failure, error.reason))
                if before and not error.failure.passes:
                    forget.append(before.id)
                continue
            as_before = before and (before.digest, before.fingerprint) == (raw.digest, self._context.fingerprint)
            if before and as_before and stamp.path not in failed:
                touched.append((before, stamp))
            else:
                raws.append(replace(raw, decisions=decisions.of(raw.path, raw.digest)))
        return ReadFiles(batch, tuple(raws), tuple(failures), tuple(touched), tuple(forget))

    def prepare(self, read: ReadFiles, known: Mapping[str, KnownNote]) -> Outcome:
        """Prepare what was read. Raises only what is wrong with preparing as such, and not with one note."""
        bundles: list[NoteBundle] = []
        failures, forget = list(read.failures), list(read.forget)
        for raw, prepared in self._prepared(read.raws):
            if isinstance(prepared, NoteBundle):
                bundles.append(prepared)
                if isinstance(prepared, FlawedBundle):
                    failures.append(prepared.flaw)
            elif isinstance(prepared, Skipped):
                stamps = (raw.mtime_ns, raw.size, raw.changed_ns)
                failures.append(FailureRow(self.vault.id, prepared.path, prepared.code, prepared.reason, *stamps))
                if raw.path in known and not prepared.code.passes:
                    forget.append(known[raw.path].id)
            else:
                failures.append(self._unexpected(raw, prepared))
        return Outcome(len(read.batch), tuple(bundles), tuple(failures), read.touched, tuple(forget))

    def put(self, outcome: Outcome, fingerprint: Callable[[KnownNote], str], decisions: VaultDecisions) -> Stored:
        """Store a batch, and say what of it could not be indexed: what failed before, and what can't be stored.

        What another machine looks after is left as it is, and so is a note that the user has decided about since it
        was read. fingerprint: what a note would have, were it prepared now. decisions: those that it was read with.
        Raises StoreError.
        """
        try:
            with self._store.writing() as writer:
                current = self._current(writer, outcome.bundles, decisions)
                self._put(writer, outcome, current, outcome.failures, fingerprint)
        except Exception as error:  # one of the notes may be at fault; which, is found out now
            if isinstance(error, StoreError) and not isinstance(error, StoreRefused):
                raise
            _log.warning("a batch can't be stored as a whole", extra={"error": type(error).__name__})
            return self._put_singly(outcome, fingerprint, decisions)
        overtaken = {bundle.note.path for bundle in outcome.bundles} - {bundle.note.path for bundle in current}
        return Stored(outcome.failures, frozenset(overtaken))

    def _put_singly(
        self, outcome: Outcome, fingerprint: Callable[[KnownNote], str], decisions: VaultDecisions
    ) -> Stored:
        failures = list(outcome.failures)
        overtaken: set[str] = set()
        for bundle in outcome.bundles:
            try:
                with self._store.writing() as writer:
                    current = self._current(writer, [bundle], decisions)
                    if not current:
                        overtaken.add(bundle.note.path)
                    for writable in Claims(self._store, writer, self.vault.id).writable(current):
                        writer.put_note(writable)
            except Exception as error:
                if isinstance(error, StoreError) and not isinstance(error, StoreRefused):
                    raise
                failures.append(self._unexpected(bundle.note, error))
        with self._store.writing() as writer:
            self._put(writer, outcome, (), failures, fingerprint)
        return Stored(tuple(failures), frozenset(overtaken))

    def _current(self, writer: Writer, bundles: Sequence[NoteBundle], before: VaultDecisions) -> list[NoteBundle]:
        """Those about which the same is decided now; the others would bring back how their credentials stood."""
        now = decisions_on(writer.connection, self.vault.id)
        return [each for each in bundles if now.about(each.note) == before.about(each.note)]

    def _put(
        self,
        writer: Writer,
        outcome: Outcome,
        bundles: Iterable[NoteBundle],
        failures: Iterable[FailureRow],
        fingerprint: Callable[[KnownNote], str],
    ) -> None:
        claims = Claims(self._store, writer, self.vault.id)
        writer.put_notes(claims.writable(bundles))
        for failure in failures:
            writer.put_failure(failure)
        taken = claims.taken([note for note, _ in outcome.touched], fingerprint)
        for note, stamp in outcome.touched:
            if note.path in taken:
                writer.touch_note(note.id, stamp.mtime_ns, stamp.size, stamp.changed_ns)
        writer.forget_notes(claims.forgettable(outcome.forget, deleted=False), "excluded")

    def _prepared(self, raws: Sequence[RawNote]) -> Iterator[tuple[RawNote, NoteBundle | Skipped | Exception]]:
        """Each note with what preparing it came to; one after the other where all at once fails."""
        try:
            results = list[NoteBundle | Skipped | Exception](self._prepare(raws, self._context))
        except Unavailable:  # no note is at fault
            raise
        except Exception:
            if len(raws) < 2:
                raise
            results = [self._prepared_alone(raw) for raw in raws]
            if all(isinstance(result, Exception) for result in results):
                raise
        yield from zip(raws, results, strict=True)

    def _prepared_alone(self, raw: RawNote) -> NoteBundle | Skipped | Exception:
        try:
            return self._prepare([raw], self._context)[0]
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001  (whatever is wrong with this note, the others go in)
            return error

    def _failure(self, stamp: FileStamp, code: Failure, reason: str) -> FailureRow:
        """A file that could not be indexed. What stands in its name is hidden as what stands in it."""
        shown, secrets = redact_path(stamp.path, self._context.rules)
        if secrets:
            code, reason = Failure.SECRET_IN_NAME, SECRET_IN_NAME_REASON
        return FailureRow(self.vault.id, shown, code, reason, stamp.mtime_ns, stamp.size, stamp.changed_ns)

    def _unexpected(self, note: RawNote | NoteRow, error: Exception) -> FailureRow:
        kind = type(error).__name__
        _log.error("a note can't be indexed", extra={"error": kind})
        reason = f"Scrubjay could not index this note ({kind}) and tries again now and then; please report this."
        stamp = FileStamp(note.path, note.mtime_ns, note.size, "", note.changed_ns)
        return self._failure(stamp, Failure.UNEXPECTED, reason)

    def _digest(self, data: bytes) -> bytes:
        return bytes_digest(data, self._context.key)


def batches(stamps: Iterable[FileStamp]) -> Iterator[list[FileStamp]]:
    """The files in their order, cut into batches that grow."""
    batch: list[FileStamp] = []
    size, most_notes, most_bytes = 0, min(_FIRST_NOTES, _BATCH_NOTES), _FIRST_BYTES
    for stamp in stamps:
        if batch and (len(batch) >= most_notes or size + stamp.size > most_bytes):
            yield batch
            batch, size = [], 0
            most_notes, most_bytes = min(2 * most_notes, _BATCH_NOTES), min(2 * most_bytes, _BATCH_BYTES)
        batch.append(stamp)
        size += stamp.size
    if batch:
        yield batch
