"""Bringing one profile's store in step with its vaults."""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.indexing.batches import Batches, Outcome, ReadFiles, batches
from scrubjay.daemon.indexing.moved_notes import move_candidates, moved_notes
from scrubjay.daemon.indexing.plan import IndexingPlan, plan
from scrubjay.daemon.indexing.prepare import Found, PrepareContext, Skipped, find_credentials, prepare_many
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.indexing.sharing import Matter, Share, Sharing
from scrubjay.daemon.indexing.vanished_notes import (
    MANY,
    NOTES_MISSING,
    TOO_MANY,
    count_disk,
    is_most,
    keep_missing,
    known_missing,
    missing_notes,
)
from scrubjay.daemon.processes.priority import lower_disk_priority
from scrubjay.daemon.vault.allowlist import Allowance
from scrubjay.daemon.vault.drives import scan_with_drives
from scrubjay.daemon.vault.read import Below, FileStamp, RawNote, ReadLimits, read_note, redact_path
from scrubjay.daemon.vault.scan import DRIVE_AWAY, UNREADABLE_FOLDER, VAULT_AWAY, VAULT_EMPTY, ScanResult
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import VaultDecisions, decisions_of
from scrubjay.profiles.store.leases import Claims, vaults_looked_after
from scrubjay.profiles.store.rows import NO_DECISIONS, FailureRow, KnownNote, NoteBundle
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.waiting import take_over

_T = TypeVar("_T")
_R = TypeVar("_R")


class Indexer:
    """Reads what changed, prepares it and stores it. Embedding comes later, see `embedding_pass`.

    Not thread-safe: to be called from one thread at a time.
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
        self._decisions = VaultDecisions()  # of the vault in hand
        self._sharing = Sharing(store)

    def reconcile(
        self, stop: threading.Event, *, full: bool = False, retry: bool = False, forget_missing: bool = False
    ) -> None:
        """Compare every allowed file with the store and update the store.

        `full` reads all of them again, `retry` those that could not be indexed; `forget_missing` forgets notes that
        stay in the index because so many are gone at once, see `missing_notes`.
        Raises StoreError. Files and folders that can't be read become failures in the store.
        """
        self._progress.scanning()
        self._store.say_seen()
        self._forget_removed_vaults()
        for vault in self._vaults.values():
            if not stop.is_set():
                self._look_at_all(vault, stop, full=full, retry=retry, forget_missing=forget_missing)
        self._progress.phase("idle")

    def refresh(self, vault_id: str, paths: Collection[str], stop: threading.Event) -> None:
        """The same for some paths of a vault: files, or folders with all below them; "" is the whole vault."""
        vault = self._vaults.get(vault_id)
        if vault is None:
            return
        self._store.say_seen()
        rows = self._failure_rows(vault)
        if "" in paths or _was_away(rows) or self._has_secret_name(rows, paths):
            self._look_at_all(vault, stop)
        else:
            self._look_at(vault, paths, rows, stop)
        self._progress.phase("idle")

    def _look_at_all(
        self,
        vault: VaultFolder,
        stop: threading.Event,
        *,
        full: bool = False,
        retry: bool = False,
        forget_missing: bool = False,
    ) -> None:
        found = scan_with_drives(vault, self._store, empty_is_away=not forget_missing)
        known = self._known(vault.id)
        share = self._share(vault, found, known, whole=True, forget_missing=forget_missing)
        known = share.known
        rows = self._failure_rows(vault)
        failures = {row.path: row for row in rows}
        allowance = Allowance.of_vault(vault)
        fingerprint = self._context.fingerprint
        work = plan(share.found, known, failures, fingerprint, full=full, retry=retry, allows=allowance.allows)
        work = self._move(vault, work, known, failures)
        kept, before = None, known_missing(vault, self._store)
        if not forget_missing:
            kept = missing_notes(vault, found, work, known, allowance, before=before)
        if kept is not None:
            work = work.without((), {note.id for note in kept.notes})
        missing = before.union(note.id for note in kept.notes) if kept else frozenset[int]()
        if missing != before:
            keep_missing(vault, self._store, missing)
        try:
            self._update_store(
                vault, share, failures, work, stop, kept.row if kept else None, forget_missing=forget_missing
            )
        finally:  # what went wrong shows in the count
            left_out = self._failure_rows(vault)
            self._progress.counted(vault.id, count_disk(found, self._store.read(reads.known_notes, vault.id), left_out))

    def _look_at(
        self, vault: VaultFolder, paths: Collection[str], rows: Sequence[FailureRow], stop: threading.Event
    ) -> None:
        # Names that differ in case or normalisation alone may be one file: what is known, or left out, under either one
        # is looked at too.
        named = Below({file_key(path) for path in paths})
        known = {path: n for path, n in self._known(vault.id, paths).items() if file_key(path) in named}
        left_out = {row.path for row in rows if file_key(row.path) in named}
        found = scan_with_drives(vault, self._store, only={*paths, *known, *left_out - {"."}})
        failures = _failures_in(rows, named)
        share = self._share(vault, found, known, whole=False)
        work = plan(share.found, share.known, failures, self._context.fingerprint)
        work = self._move(vault, work, share.known, failures)
        gone = len(work.forget)
        if gone >= MANY and is_most(gone, len(self._store.read(reads.known_notes, vault.id)) - gone):
            self._look_at_all(vault, stop)
        else:
            self._update_store(vault, share, failures, work, stop)

    def credentials_in(self, vault_id: str, path: str) -> tuple[Found, ...]:
        """What the filter finds in a note as it is on disk; nothing where there is no such note that may be read.

        Raises Unreadable, StoreError.
        """
        vault = self._vaults.get(vault_id)
        stamps = scan_with_drives(vault, self._store, only={path}).files if vault else ()
        for stamp in stamps:
            if vault and stamp.path == path:
                raw = read_note(vault_id, Path(vault.root), stamp, self._limits, self._digest)
                decisions = decisions_of(self._store, vault_id).of(path, raw.digest)
                return find_credentials(replace(raw, decisions=decisions), self._context)
        return ()

    def _update_store(
        self,
        vault: VaultFolder,
        share: Share,
        failures: Mapping[str, FailureRow],
        work: IndexingPlan,
        stop: threading.Event,
        kept: FailureRow | None = None,
        *,
        forget_missing: bool = False,
    ) -> None:
        """Do what is planned. kept: what to say of notes that were planned to be forgotten, but stay."""
        work, left_out = self._within_limits(vault, work, share.known)
        new = sum(stamp.path not in share.known for stamp in work.read)
        self._progress.reading(scanned=len(share.found.files), to_read=len(work.read), new=new)
        # A vault that has never had a note is not away.
        told = [
            row
            for row in share.found.problems
            if row.code != VAULT_EMPTY or self._store.read(reads.known_notes, vault.id)
        ]
        self._put_problems((*told, *left_out, *([kept] if kept else ())), work.cleared, failures)
        if any(note.path in self._decisions.by_path for note in work.forget):
            with self._store.writing() as writer:  # before the notes are read that they may have become
                writer.leave_decisions(note.id for note in work.forget)
            self._decisions = decisions_of(self._store, vault.id)
        if share.take:
            self._take(vault, share)
        to_read: Sequence[FileStamp] = work.read
        while to_read and not stop.is_set():
            overtaken = self._read(vault, share, failures, to_read, stop)
            to_read = [stamp for stamp in to_read if stamp.path in overtaken]
            if to_read:
                self._decisions = decisions_of(self._store, vault.id)
        if not stop.is_set() and (work.read or work.forget):
            self._finish(vault, work, forget_missing=forget_missing)
        self._store.refresh_anchors(lambda: not stop.is_set())

    def _read(
        self,
        vault: VaultFolder,
        share: Share,
        failures: Mapping[str, FailureRow],
        to_read: Sequence[FileStamp],
        stop: threading.Event,
    ) -> frozenset[str]:
        """Read, prepare and store these files; the paths of those that are to be read again, see `Stored`."""
        notes = Batches(vault, self._store, self._context, self._limits, self._prepare)
        decisions = self._decisions
        overtaken: set[str] = set()

        def read(batch: list[FileStamp]) -> ReadFiles:
            return notes.read(batch, share.known, failures, decisions)

        # Three threads: while one batch is written, the next is prepared, and the one after it is read, so that the
        # process that prepares never waits for the disk. At most one waits at each step, so memory is flat.
        with (
            ThreadPoolExecutor(1, "store", initializer=lower_disk_priority) as writer,
            ThreadPoolExecutor(1, "read", initializer=lower_disk_priority) as reader,
        ):
            writing: Future[frozenset[str]] | None = None
            for files in _one_ahead(reader, read, batches(to_read)):
                if stop.is_set():
                    break
                outcome = notes.prepare(files, share.known)
                if writing is not None:
                    overtaken |= writing.result()
                paths = [stamp.path for stamp in files.batch]
                new = sum(path not in share.known for path in paths)
                compared = {path: share.compared[path] for path in paths if path in share.compared}
                writing = writer.submit(self._put, notes, outcome, compared, new, decisions)
            if writing is not None:
                overtaken |= writing.result()
        return frozenset(overtaken)

    def _finish(self, vault: VaultFolder, work: IndexingPlan, *, forget_missing: bool) -> None:
        """Forget what is planned to be forgotten, and take in what links call notes: all of it, or a first part."""
        allows = Allowance.of_vault(vault).allows
        deleted = [note.id for note in work.forget if allows(note.path)]
        excluded = [note.id for note in work.forget if not allows(note.path)]
        with self._store.writing() as writer:
            claims = Claims(self._store, writer, vault.id)
            gone = claims.forgettable(deleted, deleted=True, asked=forget_missing)
            writer.forget_notes(gone)
            writer.forget_notes(claims.forgettable(excluded, deleted=False), "excluded")
            writer.refresh_anchors()

    def _take(self, vault: VaultFolder, share: Share) -> None:
        """Look after notes from now on that no other machine does any more."""
        with self._store.writing() as writer:
            Claims(self._store, writer, vault.id).taken([note for note, _ in share.take], self._expected)

    def _share(
        self,
        vault: VaultFolder,
        found: ScanResult,
        known: Mapping[str, KnownNote],
        *,
        whole: bool,
        forget_missing: bool = False,
    ) -> Share:
        """What of a vault is this machine's business; what need not be prepared again has the common fingerprint."""
        share = self._sharing.of_vault(
            vault.id,
            found,
            known,
            lambda note: note.fingerprint == self._expected(note),
            whole=whole,
            forget_missing=forget_missing,
        )
        common = self._context.fingerprint
        marked = {
            path: replace(note, fingerprint=common if path in share.prepared else "")
            for path, note in share.known.items()
        }
        return replace(share, known=marked)

    def _expected(self, note: KnownNote) -> str:
        """The fingerprint that a note would have, were it prepared now."""
        return self._context.fingerprint_of(self._decisions.by_path.get(note.path, NO_DECISIONS))

    def _known(self, vault_id: str, places: Collection[str] | None = None) -> dict[str, KnownNote]:
        """As `reads.known_notes`; from now on `_decisions` are those about this vault."""
        self._decisions = decisions_of(self._store, vault_id)
        return self._store.read(reads.known_notes, vault_id, places)

    def _failure_rows(self, vault: VaultFolder) -> list[FailureRow]:
        """What could not be indexed of its notes and folders; files of other kinds are not this indexer's."""
        return [row for row in self._store.read(reads.failures) if row.vault == vault.id and not row.kind]

    def _has_secret_name(self, failures: Sequence[FailureRow], paths: Collection[str]) -> bool:
        """Whether one of the paths is of a file that is known by a redacted name, which others may share."""
        if not any(MARK_START in row.path for row in failures):
            return False
        return any(redact_path(path, self._context.rules)[1] for path in paths)

    def _move(
        self, vault: VaultFolder, work: IndexingPlan, known: Mapping[str, KnownNote], failures: Mapping[str, FailureRow]
    ) -> IndexingPlan:
        """Apply moves of notes that only changed their folder; returns the rest of the plan."""
        files, notes = move_candidates(work, known, failures, self._context.fingerprint)
        moves = moved_notes(vault, files, notes, self._limits, self._digest, self._context.rules)
        if not moves:
            return work
        with self._store.writing() as writer:
            moves = Claims(self._store, writer, vault.id).moved(moves)
            writer.move_notes(moves)
            for move in moves:  # one that could not be read under its new path can be now
                writer.clear_failure(vault.id, move.path)
        return work.without({move.path for move in moves}, {move.note_id for move in moves})

    def _put(
        self, notes: Batches, outcome: Outcome, compared: Mapping[str, Matter], new: int, decisions: VaultDecisions
    ) -> frozenset[str]:
        stored = notes.put(outcome, self._expected, decisions)
        bundles = [bundle for bundle in outcome.bundles if bundle.note.path not in stored.overtaken]
        self._sharing.decided(notes.vault.id, compared, {row.path for row in stored.failures} | stored.overtaken)
        self._progress.stored(
            read=outcome.files - len(stored.overtaken),
            new=new,
            redacted=sum(1 for bundle in bundles if bundle.redactions),
            failed=len(stored.failures),
            chunked=sum(len(bundle.chunks) for bundle in bundles),
        )
        return stored.overtaken

    def _within_limits(
        self, vault: VaultFolder, work: IndexingPlan, known: Mapping[str, KnownNote]
    ) -> tuple[IndexingPlan, tuple[FailureRow, ...]]:
        """The plan without the oldest new notes that the profile has no room for, and a word about them."""
        new = [stamp.path for stamp in work.read if stamp.path not in known]  # newest first
        if not new:
            return work, ()
        room = max(0, self._limits.max_notes - self._store.read(reads.note_count) + len(work.forget))
        if len(new) <= room:
            return work, ()
        reason = (
            f"{len(new) - room:,} notes were left out: a profile holds at most {self._limits.max_notes:,}. Allow fewer "
            "folders, or raise limits.notes_per_profile in settings.toml."
        )
        return work.without(set(new[room:]), set()), (FailureRow(vault.id, ".", TOO_MANY, reason, 0, 0),)

    def _put_problems(
        self, problems: Sequence[FailureRow], cleared: Sequence[FailureRow], before: Mapping[str, FailureRow]
    ) -> None:
        """Store what is new of the problems. A row that is put again is not cleared first."""
        told = {problem.path for problem in problems}
        cleared = [row for row in cleared if row.path not in told]
        problems = [problem for problem in problems if before.get(problem.path) != problem]
        if problems or cleared:
            with self._store.writing() as writer:
                for row in cleared:
                    writer.clear_failure(row.vault, row.path)
                for row in problems:
                    writer.put_failure(row)

    def _forget_removed_vaults(self) -> None:
        """Drop the notes of vaults that the profile no longer has. What was said of them waits for their folders."""
        gone = vaults_looked_after(self._store) - self._vaults.keys()
        if gone:
            with self._store.writing() as writer:
                for vault in gone:
                    known = (
                        *self._store.read(reads.known_notes, vault).values(),
                        *self._store.read(reads.known_notes, vault, files=True).values(),
                    )
                    claims = Claims(self._store, writer, vault)
                    writer.forget_notes(claims.forgettable((note.id for note in known), deleted=False), "vault")
        roots = {vault.id: vault.root.encode("utf-8", "surrogatepass") for vault in self._vaults.values()}
        take_over(self._store, {vault: self._digest(root).hex() for vault, root in roots.items()})

    def _digest(self, data: bytes) -> bytes:
        return bytes_digest(data, self._context.key)


def _failures_in(failures: Iterable[FailureRow], only: Below) -> dict[str, FailureRow]:
    """Those failures of a vault that a scan of `only` says something about, by path."""
    return {
        row.path: row
        for row in failures
        if file_key(row.path) in only
        or row.code == DRIVE_AWAY
        or (row.code == UNREADABLE_FOLDER and only.is_ancestor(file_key(row.path)))
    }


def _one_ahead(executor: Executor, function: Callable[[_T], _R], items: Iterable[_T]) -> Iterator[_R]:
    """What `function` makes of each item, in order; it is at the next one while what it made of the last is used."""
    ahead: Future[_R] | None = None
    for item in items:
        begun = executor.submit(function, item)
        if ahead is not None:
            yield ahead.result()
        ahead = begun
    if ahead is not None:
        yield ahead.result()


def _was_away(failures: Iterable[FailureRow]) -> bool:
    """Whether the vault, or most of it, was not there when it was last looked at: changes since then were missed."""
    return any(row.code == NOTES_MISSING or row.code in VAULT_AWAY for row in failures)
