"""Bringing one profile's store in step with the files beside notes that its vaults have."""

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from scrubjay.daemon.documents.document_bundles import RawFile
from scrubjay.daemon.documents.document_source import DocumentSource, FileContext
from scrubjay.daemon.indexing.pipeline import Pipeline, ReadFiles, parts
from scrubjay.daemon.indexing.plan import are_known_redacted, plan
from scrubjay.daemon.indexing.prepare import CredentialFinding
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.daemon.vault.read import Below, FileStamp
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.decisions import VaultDecisions, decisions_of
from scrubjay.profiles.store.store import Store

_AT_ONCE = 64  # files in one transaction


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far a batch has come."""

    files: int  # of those given, the first so many
    passages: int  # that were stored of them


class FileIndexer:
    """Finds out which files changed, reads, prepares and stores them. Embedding comes later, as for notes.

    Not thread-safe: to be called from one thread at a time.
    """

    def __init__(self, vaults: Sequence[VaultFolder], store: Store, how: FileContext) -> None:
        self.vaults = {vault.id: vault for vault in vaults}
        self.store = store
        self._source = DocumentSource(store, how)
        self._pipeline = Pipeline(store, self._source)
        self._anew: set[tuple[str, str]] = set()  # files that are to be read though their bytes are as before

    def look(
        self, vault_id: str, paths: Collection[str] | None = None, *, full: bool = False, retry: bool = False
    ) -> tuple[FileStamp, ...]:
        """Compare a vault, or what is at or below some paths of it, with the store; what is to be read, newest first.

        What vanished is forgotten, and what moved is moved at once. `full` and `retry`: see `plan`.
        Raises StoreError.
        """
        if self.store.read_only is not None:
            return ()
        vault = self.vaults[vault_id]
        failures = {row.path: row for row in self._source.failures(vault_id)}
        if paths is not None and are_known_redacted(paths, failures.values(), self._source.context.rules):
            paths = None
        known = self._source.known(vault_id, paths)
        if paths is not None:
            named = Below({file_key(path) for path in paths})
            known = {path: note for path, note in known.items() if file_key(path) in named}
            failures = {path: row for path, row in failures.items() if file_key(path) in named}
        found = self._source.scan(vault, None if paths is None else {*paths, *known})
        share = self._pipeline.share(vault, found, known, whole=paths is None)
        allows = self._source.allowance(vault).allows
        found = replace(found, files=share.files)
        work = plan(found, share.known, failures, share.prepared, full=full, retry=retry, allows=allows)
        if paths is not None and work.away:  # whether they are elsewhere only a look at all can tell
            return self.look(vault_id, full=full, retry=retry)
        work = self._pipeline.without_waiting(self._pipeline.move(vault, work, share, failures), failures)
        problems = [replace(row, kind=kind) for row in found.problems if (kind := file_kind(row.path))]
        self._pipeline.tell(problems, work.cleared, failures)
        self._pipeline.take(vault, share)
        failed = failures.keys() - {row.path for row in problems}
        for part in parts(work.forget):
            self._pipeline.forget(vault, part, failed)
        self.store.merge_phrases(lambda: True)
        self._anew.update((vault_id, each.path) for each in work.read if full or retry or each.path in failures)
        return work.read

    def forget_excluded(self) -> None:
        """Forget at once what may not be read. Raises StoreError."""
        for vault in self.vaults.values() if self.store.read_only is None else ():
            self._pipeline.forget_excluded(vault)
        self.store.merge_phrases(lambda: True)

    def reconcile(
        self,
        stop: threading.Event,
        told: Callable[[int, int], None] = lambda _read, _of: None,
        *,
        full: bool = False,
        retry: bool = False,
    ) -> None:
        """Look at all vaults, and read what is to be read until `stop` is set.

        told: called with how many files were read, and of how many. Raises as `look` and `read`.
        """
        waiting = [(vault, self.look(vault, full=full, retry=retry)) for vault in self.vaults]
        total, read = sum(len(stamps) for _, stamps in waiting), 0
        for vault_id, stamps in waiting:
            while stamps and not stop.is_set():
                done = self.read(vault_id, stamps[:_AT_ONCE], lambda: not stop.is_set())
                stamps = stamps[done.files :]  # noqa: PLW2901
                read += done.files
                told(read, total)
        told(read, total)
        self.finish()

    def put(self, raw: RawFile) -> int:
        """Prepare and store one file that was read elsewhere; how many passages it came to. Raises as `read`.

        One that the user has decided about since it was read is left as it is, and comes to none.
        """
        read = ReadFiles(raw.vault, VaultDecisions({raw.path: raw.decisions}), raws=(raw,))
        return self._pipeline.put(self._pipeline.prepare(read, self._source.known(raw.vault, [raw.path]))).passages

    def credentials_in(self, vault_id: str, path: str) -> tuple[CredentialFinding, ...]:
        """What the filter finds in a file as it is on disk; nothing where there is no such file that may be read.

        Raises UnreadableNote, StoreError, and what the box raises.
        """
        return self._pipeline.credentials_in(self.vaults.get(vault_id), path)

    def refresh(self, vault_id: str, path: str) -> None:
        """Read one file again if it, or what was decided about it, has changed. Raises as `look` and `read`."""
        stamps = self.look(vault_id, {path}) if vault_id in self.vaults else ()
        if stamps:
            self.read(vault_id, stamps, lambda: True)

    def finish(self) -> None:
        """To be called when no file is left to read: gives files the words by which links call them."""
        self.store.refresh_anchors(lambda: self.store.read_only is None)
        self.store.merge_phrases(lambda: True)

    def read(self, vault_id: str, stamps: Sequence[FileStamp], goes_on: Callable[[], bool]) -> BatchProgress:
        """Read and store some files that `look` has named: the first, and those after it while `goes_on`.

        Raises StoreError, BoxClosed, PreparingEnded, CannotPrepare, and OSError where the box can't be started.
        """
        vault = self.vaults[vault_id]
        known = self._source.known(vault_id, [stamp.path for stamp in stamps])
        decisions = decisions_of(self.store, vault_id)
        prepared = self._pipeline.prepared(vault_id, known.values(), decisions)
        prepared -= {path for vault_, path in self._anew if vault_ == vault_id}
        files = self._pipeline.read(vault, stamps, known, prepared, decisions, goes_on)
        self._anew.difference_update((vault_id, path) for path in files.paths)
        stored = self._pipeline.put(self._pipeline.prepare(files, known))
        passages = stored.passages
        if stored.overtaken:
            self._anew.update((vault_id, path) for path in stored.overtaken)
            again = [stamp for stamp in stamps if stamp.path in stored.overtaken]
            passages += self.read(vault_id, again, lambda: True).passages
        return BatchProgress(len(files.paths), passages)
