"""Bringing one profile's store in step with its vaults."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.daemon.indexing.digest import bytes_digest
from scrubjay.daemon.indexing.drives import scan_with_drives
from scrubjay.daemon.indexing.moving import moved_notes
from scrubjay.daemon.indexing.note_filter import Found
from scrubjay.daemon.indexing.plan import Plan, perhaps_moved, plan
from scrubjay.daemon.indexing.prepare import FlawedBundle, PrepareContext, Skipped, find_credentials, prepare_many
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault.file_names import Below
from scrubjay.daemon.vault.read import RawNote, ReadLimits, Unreadable, read_note
from scrubjay.daemon.vault.scan import DRIVE_AWAY, VAULT_AWAY, FileStamp, ScanResult
from scrubjay.daemon.workers.priority import give_way_at_disk
from scrubjay.profiles.database.rows import NO_DECISIONS, Decisions, FailureRow, KnownNote, NoteBundle
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.decisions import decisions_of
from scrubjay.profiles.store.store import Store

_BATCH_NOTES = 512
_BATCH_BYTES = 4_000_000  # a batch is one transaction: big ones write fewer pages, small ones lose less

# What may be over soon says nothing against what was indexed before.
_PASSING = frozenset({"no-permission", "not-downloaded", "read-error"})


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What reading and preparing one batch of files came to."""

    files: int
    bundles: tuple[NoteBundle, ...]
    failures: tuple[FailureRow, ...]
    touched: tuple[tuple[KnownNote, FileStamp], ...]  # a new time stamp, but the same bytes
    forget: tuple[int, ...]  # ids of notes that may not stay: opted out, too large now, a secret in the name


class Indexer:
    """Reads what changed, prepares it and stores it. Embedding comes later, see `embedding_pass`.

    Not a thread: whoever calls it must call from one thread at a time.
    """

    def __init__(
        self,
        vaults: Sequence[VaultFolder],
        store: Store,
        context: PrepareContext,
        progress: Progress,
        limits: ReadLimits,
        prepare: Callable[[Sequence[RawNote], PrepareContext], list[NoteBundle | Skipped]] = prepare_many,
    ) -> None:
        self._vaults = {vault.id: vault for vault in vaults}
        self._store = store
        self._context = context
        self._prepare = prepare
        self._progress = progress
        self._limits = limits
        self._decisions: Mapping[str, Decisions] = {}  # of the vault in hand, by path

    def reconcile(self, stop: threading.Event, *, full: bool = False, retry: bool = False) -> None:
        """Compare every allowed file with the store and bring the store in step.

        `full` reads all of them again, `retry` those that could not be indexed.
        Raises StoreError. Files and folders that can't be read become failures in the store.
        """
        self._progress.scanning()
        self._forget_vaults_that_went()
        for vault in self._vaults.values():
            if not stop.is_set():
                found, known = scan_with_drives(vault, self._store), self._known(vault.id)
                self._bring_in_step(vault, found, known, stop, full=full, retry=retry)
        self._progress.phase("idle")

    def refresh(self, vault_id: str, paths: Collection[str], stop: threading.Event) -> None:
        """The same for some paths of a vault: files, or folders with all below them; "" is the whole vault."""
        vault = self._vaults.get(vault_id)
        if vault is None:
            return
        if "" in paths:
            self._bring_in_step(vault, scan_with_drives(vault, self._store), self._known(vault_id), stop)
            self._progress.phase("idle")
            return
        # Names that differ in case or normalisation alone may be one file: what is known under either is looked at too.
        named = Below({file_key(path) for path in paths})
        known = {path: note for path, note in self._known(vault_id, paths).items() if file_key(path) in named}
        only = {*paths, *known}
        self._bring_in_step(vault, scan_with_drives(vault, self._store, only=only), known, stop, only=Below(only))
        self._progress.phase("idle")

    def credentials_in(self, vault_id: str, path: str) -> tuple[Found, ...]:
        """What the filter finds in a note as it is on disk; nothing where there is no such note that may be read.

        Raises Unreadable, StoreError.
        """
        vault = self._vaults.get(vault_id)
        stamps = scan_with_drives(vault, self._store, only={path}).files if vault else ()
        for stamp in stamps:
            if vault and stamp.path == path:
                raw = read_note(vault_id, Path(vault.root), stamp, self._limits, self._digest)
                decisions = decisions_of(self._store, vault_id).get(path, NO_DECISIONS)
                return find_credentials(replace(raw, decisions=decisions), self._context)
        return ()

    def _bring_in_step(
        self,
        vault: VaultFolder,
        found: ScanResult,
        known: Mapping[str, KnownNote],
        stop: threading.Event,
        *,
        full: bool = False,
        retry: bool = False,
        only: Below | None = None,
    ) -> None:
        failures = self._failures_of(vault, found, only)
        work = plan(found, known, failures, self._context.fingerprint, full=full, retry=retry)
        work, left_out = self._within_limits(vault, work, known)
        self._progress.reading(scanned=len(found.files), to_read=len(work.read))
        self._put_problems((*found.problems, *left_out), work.cleared)
        work = self._move(vault, work, known, failures)
        # Two threads: while one batch is written, the next is read and prepared. At most one waits, so memory is flat.
        with ThreadPoolExecutor(1, "store", initializer=give_way_at_disk) as writer:
            writing: Future[None] | None = None
            for batch in _batches(work.read):
                if stop.is_set():
                    break
                outcome = self._read_and_prepare(vault, batch, known)
                if writing is not None:
                    writing.result()
                writing = writer.submit(self._put, outcome)
            if writing is not None:
                writing.result()
        if not stop.is_set() and (work.read or work.forget):
            with self._store.writing() as writer:
                writer.forget_notes(note.id for note in work.forget)
                writer.refresh_anchors()

    def _known(self, vault_id: str, places: Collection[str] | None = None) -> dict[str, KnownNote]:
        """As `Store.known_notes`, with the common fingerprint if the user's decisions about a note are heeded in it."""
        self._decisions = decisions_of(self._store, vault_id)
        expected = {path: self._context.fingerprint_of(decisions) for path, decisions in self._decisions.items()}
        common = self._context.fingerprint
        return {
            path: replace(note, fingerprint=common if note.fingerprint == expected.get(path, common) else "")
            for path, note in self._store.known_notes(vault_id, places).items()
        }

    def _failures_of(self, vault: VaultFolder, found: ScanResult, only: Below | None) -> dict[str, FailureRow]:
        """The known failures that a scan says something about, by path; only: of what was scanned (None: the vault)."""
        proven_over = VAULT_AWAY if found.files else frozenset[str]()
        return {
            row.path: row
            for row in self._store.failures()
            if row.vault == vault.id
            and (only is None or row.path in only or row.code == DRIVE_AWAY or row.code in proven_over)
        }

    def _move(
        self, vault: VaultFolder, work: Plan, known: Mapping[str, KnownNote], failures: Mapping[str, FailureRow]
    ) -> Plan:
        """Take over notes that only changed their folder; what is left to do comes back."""
        files, notes = perhaps_moved(work, known, failures, self._context.fingerprint)
        moves = moved_notes(vault, files, notes, self._limits, self._digest)
        if not moves:
            return work
        with self._store.writing() as writer:
            writer.move_notes(moves)
        self._progress.stored(read=len(moves), redacted=0, failed=0, chunked=0)
        return work.without({move.path for move in moves}, {move.note_id for move in moves})

    def _read_and_prepare(
        self, vault: VaultFolder, batch: Sequence[FileStamp], known: Mapping[str, KnownNote]
    ) -> _Outcome:
        raws: list[RawNote] = []
        failures: list[FailureRow] = []
        touched: list[tuple[KnownNote, FileStamp]] = []
        forget: list[int] = []
        for stamp in batch:
            before = known.get(stamp.path)
            try:
                raw = read_note(vault.id, Path(vault.root), stamp, self._limits, self._digest)
            except Unreadable as error:
                if error.code == "gone":
                    continue
                row = FailureRow(vault.id, stamp.path, error.code, error.reason, stamp.mtime_ns, stamp.size)
                failures.append(row)
                if before and error.code not in _PASSING:
                    forget.append(before.id)
                continue
            if before and before.digest == raw.digest and before.fingerprint == self._context.fingerprint:
                touched.append((before, stamp))
            else:
                raws.append(replace(raw, decisions=self._decisions.get(raw.path, NO_DECISIONS)))
        bundles: list[NoteBundle] = []
        for raw, prepared in zip(raws, self._prepare(raws, self._context), strict=True):
            if isinstance(prepared, NoteBundle):
                bundles.append(prepared)
                if isinstance(prepared, FlawedBundle):
                    failures.append(prepared.flaw)
                continue
            row = FailureRow(vault.id, prepared.path, prepared.code, prepared.reason, raw.mtime_ns, raw.size)
            failures.append(row)
            if raw.path in known:
                forget.append(known[raw.path].id)
        return _Outcome(len(batch), tuple(bundles), tuple(failures), tuple(touched), tuple(forget))

    def _put(self, outcome: _Outcome) -> None:
        with self._store.writing() as writer:
            for bundle in outcome.bundles:
                writer.put_note(bundle)
            for failure in outcome.failures:
                writer.put_failure(failure)
            for note, stamp in outcome.touched:
                writer.touch_note(note.id, stamp.mtime_ns, stamp.size)
            writer.forget_notes(outcome.forget)
        self._progress.stored(
            read=outcome.files,
            redacted=sum(1 for bundle in outcome.bundles if bundle.redactions),
            failed=len(outcome.failures),
            chunked=sum(len(bundle.chunks) for bundle in outcome.bundles),
        )

    def _within_limits(
        self, vault: VaultFolder, work: Plan, known: Mapping[str, KnownNote]
    ) -> tuple[Plan, tuple[FailureRow, ...]]:
        """The plan without the oldest new notes that the profile has no room for, and a word about them."""
        new = [stamp.path for stamp in work.read if stamp.path not in known]  # newest first
        if not new:
            return work, ()
        room = max(0, self._limits.max_notes - self._store.note_count() + len(work.forget))
        if len(new) <= room:
            return work, ()
        reason = (
            f"{len(new) - room:,} notes were left out: a profile holds at most {self._limits.max_notes:,}. Allow fewer "
            "folders, or raise limits.notes_per_profile in settings.toml."
        )
        return work.without(set(new[room:]), set()), (FailureRow(vault.id, ".", "too-many-notes", reason, 0, 0),)

    def _put_problems(self, problems: Sequence[FailureRow], cleared: Sequence[FailureRow]) -> None:
        if problems or cleared:
            with self._store.writing() as writer:
                for row in cleared:
                    writer.clear_failure(row.vault, row.path)
                for row in problems:
                    writer.put_failure(row)

    def _forget_vaults_that_went(self) -> None:
        """Drop the notes of vaults that the profile no longer has."""
        gone = set(self._store.vaults()) - set(self._vaults)
        if gone:
            with self._store.writing() as writer:
                writer.forget_notes(note.id for vault in gone for note in self._store.known_notes(vault).values())

    def _digest(self, data: bytes) -> bytes:
        return bytes_digest(data, self._context.key)


def _batches(stamps: Sequence[FileStamp]) -> Iterator[list[FileStamp]]:
    batch: list[FileStamp] = []
    size = 0
    for stamp in stamps:
        if batch and (len(batch) >= _BATCH_NOTES or size + stamp.size > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(stamp)
        size += stamp.size
    if batch:
        yield batch
