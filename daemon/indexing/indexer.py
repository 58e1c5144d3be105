"""Bringing one profile's store in step with its vaults."""

import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from scrubjay.daemon.indexing.first_look import keep_looked_at
from scrubjay.daemon.indexing.pipeline import Outcome, Pipeline, ReadFiles, batches, parts
from scrubjay.daemon.indexing.plan import IndexingPlan, are_known_redacted, by_id, plan
from scrubjay.daemon.indexing.prepare import CredentialFinding, FlawedBundle, PrepareContext, Preparing, prepare_many
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.indexing.source import NoteSource
from scrubjay.daemon.indexing.vanished_notes import (
    MANY,
    TOO_MANY,
    DifferingNotes,
    count_disk,
    is_most,
    keep_missing,
    known_missing,
    missing_notes,
)
from scrubjay.daemon.processes.memory_room import memory_room
from scrubjay.daemon.processes.priority import lower_disk_priority
from scrubjay.daemon.vault.language import language_of
from scrubjay.daemon.vault.read import Below, FileStamp, RawNote, ReadLimits
from scrubjay.daemon.vault.scan import DRIVE_AWAY, UNREADABLE_FOLDER, VAULT_AWAY, VAULT_EMPTY
from scrubjay.daemon.vault.warning_codes import NOTES_MISSING
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.journal.hidden_notes import hidden_paths
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.absent_vaults import take_over
from scrubjay.profiles.store.annotations import leave_decisions
from scrubjay.profiles.store.decisions import decisions_of
from scrubjay.profiles.store.ownership import Share
from scrubjay.profiles.store.rows import FailureRow, KnownNote
from scrubjay.profiles.store.store import Store

_MANY_READ = 512
"""Notes after which the process that prepared them goes: it has 200 MB by then, and the model comes next."""

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
        prepare: Preparing = prepare_many,
        let_go: Callable[[], None] = lambda: None,
    ) -> None:
        """let_go: called once many notes were read, when what prepared them is not needed for a while."""
        self._vaults = {vault.id: vault for vault in vaults}
        self._store = store
        self._context = context
        self._progress = progress
        self._limits = limits
        self.source = NoteSource(store, context, limits, prepare)
        self._pipeline = Pipeline(store, self.source)
        self._differing = DifferingNotes(self.source)
        self._let_go = let_go

    def reconcile(
        self, stop: threading.Event, *, full: bool = False, retry: bool = False, forget_missing: bool = False
    ) -> None:
        """Compare every allowed file with the store and update the store.

        `full` reads all of them again, `retry` those that could not be indexed; `forget_missing` forgets notes that
        stay in the index because so many are gone at once, see `missing_notes`. A reader of a team's has nothing to do.
        Raises StoreError. Files and folders that can't be read become failures in the store.
        """
        for _ in self.reconciling(stop, full=full, retry=retry, forget_missing=forget_missing):
            pass

    def reconciling(
        self, stop: threading.Event, *, full: bool = False, retry: bool = False, forget_missing: bool = False
    ) -> Iterator[None]:
        """As `reconcile`, a batch of notes a step: between two steps work on other profiles may be done."""
        if self._store.read_only is not None:
            self._progress.phase("idle")
            return
        self._progress.scanning()
        self._store.say_seen()
        self._forget_removed_vaults()
        for vault in self._vaults.values():
            self._store.name_vault(vault.id, vault.name)
        for vault in self._vaults.values():
            if not stop.is_set():
                yield from self._look_at_all(vault, stop, full=full, retry=retry, forget_missing=forget_missing)
        self._progress.phase("idle")

    def forget_excluded(self) -> None:
        """Forget at once what may not be read: notes that are not allowed, and those of vaults that are gone.

        Raises StoreError.
        """
        if self._store.read_only is not None:
            return
        self._forget_removed_vaults()
        for vault in self._vaults.values():
            self._pipeline.forget_excluded(vault)
        self._store.merge_phrases(lambda: True)

    def refresh(self, vault_id: str, paths: Collection[str], stop: threading.Event) -> None:
        """As `reconcile`, for some paths of a vault: files, or folders with all below them; "" is the whole vault."""
        for _ in self.refreshing(vault_id, paths, stop):
            pass

    def refreshing(self, vault_id: str, paths: Collection[str], stop: threading.Event) -> Iterator[None]:
        """As `refresh`, in steps as those of `reconciling`."""
        vault = self._vaults.get(vault_id)
        if vault is None or self._store.read_only is not None:
            return
        self._store.say_seen()
        rows = self.source.failures(vault.id)
        if "" in paths or _was_away(rows) or are_known_redacted(paths, rows, self._context.rules):
            yield from self._look_at_all(vault, stop)
        else:
            yield from self._look_at(vault, paths, rows, stop)
        self._progress.phase("idle")

    def _look_at_all(
        self,
        vault: VaultFolder,
        stop: threading.Event,
        *,
        full: bool = False,
        retry: bool = False,
        forget_missing: bool = False,
    ) -> Iterator[None]:
        found = self.source.scan(vault, empty_is_away=not forget_missing)
        share = self._pipeline.share(
            vault, found, self.source.known(vault.id), whole=True, forget_missing=forget_missing
        )
        known = share.known
        failures = {row.path: row for row in self.source.failures(vault.id)}
        allowance = self.source.allowance(vault)
        work = plan(
            replace(found, files=share.files),
            known,
            failures,
            share.prepared,
            full=full,
            retry=retry,
            allows=allowance.allows,
        )
        work = self._pipeline.move(vault, work, share, failures)
        kept, before = None, known_missing(vault, self._store)
        if not forget_missing:
            kept = missing_notes(vault, found, work, known, allowance, before=before)
        if kept is not None:
            work = work.without((), {note.id for note in kept.notes})
        missing = before.union(note.id for note in kept.notes) if kept else frozenset[int]()
        if missing != before:
            keep_missing(vault, self._store, missing)
        problems = (*found.problems, *([kept.row] if kept else ()))
        try:
            yield from self._update_store(vault, problems, share, failures, work, stop, forget_missing=forget_missing)
        finally:  # what went wrong shows in the count
            left_out = self.source.failures(vault.id)
            known = self.source.known(vault.id)
            differing = self._differing.look(vault, share.beside, known, stop=stop)
            self._progress.counted(vault.id, replace(count_disk(found, known, left_out), differing=differing))
        if not stop.is_set():
            keep_looked_at(self._store, vault.id)

    def _look_at(
        self, vault: VaultFolder, paths: Collection[str], rows: Sequence[FailureRow], stop: threading.Event
    ) -> Iterator[None]:
        # Names that differ in case or normalisation alone may be one file: what is known, or left out, under either one
        # is looked at too.
        named = Below({file_key(path) for path in paths})
        known = {path: n for path, n in self.source.known(vault.id, paths).items() if file_key(path) in named}
        left_out = {row.path for row in rows if file_key(row.path) in named}
        found = self.source.scan(vault, {*paths, *known, *left_out - {"."}})
        failures = _failures_in(rows, named)
        share = self._pipeline.share(vault, found, known, whole=False)
        work = plan(replace(found, files=share.files), share.known, failures, share.prepared)
        work = self._pipeline.move(vault, work, share, failures)
        gone = len(work.forget)
        # Notes of an allowed folder that is away stay unless they are elsewhere, which only a look at all can tell.
        if work.away or (gone >= MANY and is_most(gone, len(self._store.read(reads.known_notes, vault.id)) - gone)):
            yield from self._look_at_all(vault, stop)
        else:
            yield from self._update_store(vault, found.problems, share, failures, work, stop)
            known = self.source.known(vault.id, paths) if share.beside else {}
            self._progress.differ(vault.id, self._differing.look(vault, share.beside, known, named, stop))

    def credentials_in(self, vault_id: str, path: str) -> tuple[CredentialFinding, ...]:
        """What the filter finds in a note as it is on disk; nothing where there is no such note that may be read.

        Raises UnreadableNote, StoreError.
        """
        return self._pipeline.credentials_in(self._vaults.get(vault_id), path)

    def _update_store(
        self,
        vault: VaultFolder,
        problems: Sequence[FailureRow],
        share: Share[FileStamp],
        failures: Mapping[str, FailureRow],
        work: IndexingPlan,
        stop: threading.Event,
        *,
        forget_missing: bool = False,
    ) -> Iterator[None]:
        """Do what is planned. problems: what to say of the vault, and of notes that are missing, but stay."""
        work = self._pipeline.without_waiting(work, failures)
        work, left_out = self._within_limits(vault, work, share.known)
        new = sum(stamp.path not in share.known for stamp in work.read)
        size = sum(stamp.size for stamp in work.read)
        self._progress.reading(scanned=len(share.files), to_read=len(work.read), size=size, new=new)
        # A vault that has never had a note is not away.
        told = [row for row in problems if row.code != VAULT_EMPTY or self._store.read(reads.known_notes, vault.id)]
        told += left_out
        self._pipeline.tell(told, work.cleared, failures)
        failed = failures.keys() - {row.path for row in told}
        gone = {note.path for note in work.forget}
        if gone and not gone.isdisjoint(
            (*decisions_of(self._store, vault.id).by_path, *hidden_paths(self._store, vault.id))
        ):
            with self._store.writing() as writer:  # before the notes are read that they may have become
                leave_decisions(writer.connection, (note.id for note in work.forget))
        self._pipeline.take(vault, share)
        to_read: Sequence[FileStamp] = work.read
        while to_read and not stop.is_set():
            overtaken = yield from self._read(vault, share, failures, to_read, stop)
            to_read = [stamp for stamp in to_read if stamp.path in overtaken]
        if len(work.read) >= _MANY_READ:
            self._let_go()
        for part in parts(work.forget):
            if not stop.is_set():
                self._pipeline.forget(vault, part, failed, asked=forget_missing)
                yield
        self._store.refresh_anchors(lambda: not stop.is_set())
        self._store.refresh_language(vault.id, language_of, lambda: not stop.is_set())
        self._store.merge_phrases(lambda: not stop.is_set())

    def _read(
        self,
        vault: VaultFolder,
        share: Share[FileStamp],
        failures: Mapping[str, FailureRow],
        to_read: Sequence[FileStamp],
        stop: threading.Event,
    ) -> Generator[None, None, frozenset[str]]:
        """Read, prepare and store these files; the paths of those that are to be read again, see `Stored`."""
        decisions, prepared = decisions_of(self._store, vault.id), share.prepared - failures.keys()
        overtaken: set[str] = set()
        sizes = {stamp.path: stamp.size for stamp in to_read}
        indexed = self._store.read(reads.note_count)

        def read(batch: list[FileStamp]) -> ReadFiles[RawNote]:
            return self._pipeline.read(vault, batch, share.known, prepared, decisions)

        # Three threads: while one batch is written, the next is prepared, and the one after it is read, so that the
        # process that prepares never waits for the disk. At most one waits at each step, so memory is flat.
        with (
            ThreadPoolExecutor(1, "note-writer", initializer=lower_disk_priority) as writer,
            ThreadPoolExecutor(1, "note-reader", initializer=lower_disk_priority) as reader,
        ):
            writing: Future[frozenset[str]] | None = None
            for files in _one_ahead(reader, read, batches(to_read, memory_room(), indexed, share.known)):
                if stop.is_set():
                    break
                outcome = self._pipeline.prepare(files, share.known)
                if writing is not None:
                    overtaken |= writing.result()
                writing = writer.submit(self._put, outcome, sizes, sum(path not in share.known for path in files.paths))
                yield
            if writing is not None:
                overtaken |= writing.result()
        return frozenset(overtaken)

    def _put(self, outcome: Outcome, sizes: Mapping[str, int], new: int) -> frozenset[str]:
        """Store a batch, `new` of whose files are not in the index; the paths of those that are to be read again."""
        stored = self._pipeline.put(outcome)
        self._progress.stored(
            read=len(outcome.paths) - len(stored.overtaken),
            size=sum(sizes[path] for path in outcome.paths if path not in stored.overtaken),
            new=new,
            redacted=sum(1 for bundle in stored.bundles if bundle.redactions),
            failed=len(stored.failures) + sum(1 for bundle in stored.bundles if isinstance(bundle, FlawedBundle)),
            chunked=stored.passages,
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

    def _forget_removed_vaults(self) -> None:
        """Drop the notes of vaults that the profile no longer has. What was said of them waits for their folders."""
        ownership = self._store.ownership()
        gone = ownership.vaults() - self._vaults.keys()
        if gone:
            for vault in gone:
                known = (
                    *self._store.read(reads.known_notes, vault).values(),
                    *self._store.read(reads.known_notes, vault, files=True).values(),
                )
                for part in parts([note.id for note in by_id(known)]):
                    with self._store.writing() as writer:
                        writer.forget_notes(ownership.forgettable(writer, vault, part, deleted=False), "vault")
                        self._store.forget_vault_name(writer, vault)
            self._store.merge_phrases(lambda: True)
        roots = {vault.id: vault.root.encode("utf-8", "surrogatepass") for vault in self._vaults.values()}
        take_over(self._store, {vault: bytes_digest(root, self._context.key).hex() for vault, root in roots.items()})


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
