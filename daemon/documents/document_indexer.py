"""Bringing one profile's store in step with the files beside notes that its vaults have."""

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scrubjay.daemon.documents.document_bundles import Flaw, RawFile, find_credentials, lay_out
from scrubjay.daemon.documents.document_reading import FileContext, FileReading, Unchanged
from scrubjay.daemon.failures import Failure, passes
from scrubjay.daemon.indexing.moved_notes import find_moves
from scrubjay.daemon.indexing.plan import plan
from scrubjay.daemon.indexing.prepare import FlawedBundle, Found, Skipped
from scrubjay.daemon.indexing.sharing import Matter, Sharing
from scrubjay.daemon.vault.allowlist import Allowance
from scrubjay.daemon.vault.drives import known_drives
from scrubjay.daemon.vault.file_kinds import file_kind, wanted_files
from scrubjay.daemon.vault.read import Below, FileStamp, name_of
from scrubjay.daemon.vault.scan import ScanResult, scan
from scrubjay.profiles.errors import StoreError, StoreRefused
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import VaultDecisions, decisions_of, decisions_on
from scrubjay.profiles.store.leases import Claims
from scrubjay.profiles.store.rows import FailureRow, KnownNote, NoteBundle, NoteMove
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What is to be done for the files of one vault."""

    read: tuple[FileStamp, ...]  # newest first
    forget: tuple[KnownNote, ...]
    cleared: tuple[FailureRow, ...]  # failures of what is no longer there
    problems: tuple[FailureRow, ...]  # new ones: files that can't be looked at


def look(vault: VaultFolder, store: Store, wants: Callable[[str], bool], only: Collection[str] | None) -> ScanResult:
    """The files of a vault, or those at or below the paths in `only`. Raises StoreError."""
    return scan(vault, only=only, drives=known_drives(vault, store), wants=wants)


def plan_files(
    found: ScanResult,
    known: Mapping[str, KnownNote],
    failures: Iterable[FailureRow],
    allows: Callable[[str], bool],
    prepared: Collection[str],
    *,
    full: bool = False,
    retry: bool = False,
) -> FilePlan:
    """Compare a scan with what the store has of the same part of the vault.

    prepared: the paths of those known files that would be read as they were. A file that could not be read is left
    alone until it changes or is not among these; `full` reads all again, `retry` all that failed.
    """
    rows = {row.path: row for row in failures}
    # A file that is known by its name at least is read again for what may be over, or when that is asked for.
    again = {path: row for path, row in rows.items() if path not in known or retry or passes(row.code)}
    marked = {path: replace(note, fingerprint="same" if path in prepared else "") for path, note in known.items()}
    work = plan(found, marked, again, "same", full=full, retry=retry, allows=allows)
    problems = (replace(row, kind=kind) for row in found.problems if (kind := file_kind(row.path)))
    return FilePlan(
        read=work.read,
        forget=tuple(known[note.path] for note in work.forget),
        cleared=(*work.cleared, *(rows[note.path] for note in work.forget if note.path in rows.keys() - again.keys())),
        problems=tuple(row for row in problems if rows.get(row.path) != row),
    )


def moved_files(
    work: FilePlan, known: Mapping[str, KnownNote], digest_of: Callable[[FileStamp], bytes | None]
) -> tuple[NoteMove, ...]:
    """Which files to be read are ones that vanished from another folder, by their names and bytes.

    One of which something could not be read is not among them: that is to be told of its new place.
    """
    flawed = {row.path for row in work.cleared}
    notes = [note for note in work.forget if note.path not in flawed]
    gone = {(name_of(note.path), note.size) for note in notes}
    arrived = [stamp for stamp in work.read if stamp.path not in known and (name_of(stamp.path), stamp.size) in gone]
    stamps = {stamp.path: stamp for stamp in arrived}
    digests = {path: digest for path, stamp in stamps.items() if (digest := digest_of(stamp)) is not None}
    return tuple(
        NoteMove(move.note.id, move.path, stamps[move.path].mtime_ns, stamps[move.path].changed_ns)
        for move in find_moves(notes, digests)
    )


_AT_ONCE = 64  # files in one transaction
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Outcome:
    """What reading and preparing some files of a vault came to."""

    vault: str
    decisions: VaultDecisions  # that the files were read with
    bundles: list[NoteBundle] = field(default_factory=list[NoteBundle])
    failures: list[FailureRow] = field(default_factory=list[FailureRow])
    unchanged: list[Unchanged] = field(default_factory=list[Unchanged])
    forget: list[int] = field(default_factory=list[int])
    files: int = 0


@dataclass(frozen=True, slots=True)
class Done:
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
        self._how = how
        self._reading = FileReading(how)
        self._anew: set[tuple[str, str]] = set()  # files that are to be read though their bytes are as before
        self._sharing = Sharing(store)
        self._compared: dict[tuple[str, str], Matter] = {}  # files that others have, too, and that are to be read

    def look(
        self, vault_id: str, paths: Collection[str] | None = None, *, full: bool = False, retry: bool = False
    ) -> tuple[FileStamp, ...]:
        """Compare a vault, or what is at or below some paths of it, with the store; what is to be read, newest first.

        What vanished is forgotten, and what moved is moved at once. `full` and `retry`: see `plan_files`.
        Raises StoreError.
        """
        vault = self.vaults[vault_id]
        wants = wanted_files(Path(vault.root), self._how.settings)
        decisions = decisions_of(self.store, vault_id)
        known = self.store.read(reads.known_notes, vault_id, paths, files=True)
        rows = [row for row in self.store.read(reads.failures) if row.vault == vault_id and row.kind]
        if paths is not None:
            named = Below({file_key(path) for path in paths})
            known = {path: note for path, note in known.items() if file_key(path) in named}
            rows = [row for row in rows if file_key(row.path) in named]
        found = look(vault, self.store, wants, None if paths is None else {*paths, *known})
        share = self._sharing.of_vault(
            vault_id, found, known, lambda note: self._reading.is_prepared(note, decisions), whole=paths is None
        )
        known = share.known
        self._compared.update({(vault_id, path): matter for path, matter in share.compared.items()})
        allows = Allowance.of_vault(vault, wants).allows
        work = plan_files(share.found, known, rows, allows, share.prepared, full=full, retry=retry)
        moves = moved_files(work, known, lambda stamp: self._reading.digest_on_disk(vault, stamp))
        if moves or work.forget or work.problems or work.cleared or share.take:
            with self.store.writing() as writer:
                claims = Claims(self.store, writer, vault_id)
                moves = claims.moved(moves)
                stays = {move.note_id for move in moves}
                deleted = [note.id for note in work.forget if note.id not in stays and allows(note.path)]
                excluded = [note.id for note in work.forget if note.id not in stays and not allows(note.path)]
                writer.move_notes(moves)
                writer.forget_notes(claims.forgettable(deleted, deleted=True))
                writer.forget_notes(claims.forgettable(excluded, deleted=False), "excluded")
                claims.taken([note for note, _ in share.take], lambda note: self._reading.fingerprint(note, decisions))
                for row in work.cleared:
                    writer.clear_failure(row.vault, row.path)
                for row in work.problems:
                    writer.put_failure(row)
                writer.refresh_anchors()
        moved = {move.path for move in moves}
        to_read = tuple(stamp for stamp in work.read if stamp.path not in moved)
        passed = {row.path for row in rows if passes(row.code)}
        self._anew.update((vault_id, stamp.path) for stamp in to_read if full or retry or stamp.path in passed)
        return to_read

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
        outcome = _Outcome(raw.vault, VaultDecisions({raw.path: raw.decisions}))
        self._prepare_all([raw], self.store.read(reads.known_notes, raw.vault, [raw.path], files=True), outcome)
        if self._put(outcome):
            return 0
        return sum(len(bundle.chunks) for bundle in outcome.bundles)

    def credentials_in(self, vault_id: str, path: str) -> tuple[Found, ...]:
        """What the filter finds in a file as it is on disk; nothing where there is no such file that may be read.

        Raises StoreError, and what the box raises.
        """
        vault = self.vaults.get(vault_id)
        if vault is None:
            return ()
        wants = wanted_files(Path(vault.root), self._how.settings)
        decisions = decisions_of(self.store, vault_id)
        for stamp in look(vault, self.store, wants, {path}).files:
            if stamp.path == path:
                raw = self._reading.read(vault, stamp, decisions, None)
                return find_credentials(raw, self._how.context) if isinstance(raw, RawFile) else ()
        return ()

    def refresh(self, vault_id: str, path: str) -> None:
        """Read one file again if it, or what was decided about it, has changed. Raises as `look` and `read`."""
        stamps = self.look(vault_id, {path}) if vault_id in self.vaults else ()
        if stamps:
            self.read(vault_id, stamps, lambda: True)

    def finish(self) -> None:
        """To be called when no file is left to read: gives files the words by which links call them."""
        self.store.refresh_anchors(lambda: True)

    def read(self, vault_id: str, stamps: Sequence[FileStamp], goes_on: Callable[[], bool]) -> Done:
        """Read and store some files that `look` has named: the first, and those after it while `goes_on`.

        Raises StoreError, BoxClosed, PreparingEnded, CannotPrepare, and OSError where the box can't be started.
        """
        vault = self.vaults[vault_id]
        known = self.store.read(reads.known_notes, vault_id, [stamp.path for stamp in stamps], files=True)
        decisions = decisions_of(self.store, vault_id)
        outcome = _Outcome(vault_id, decisions)
        raws: list[RawFile] = []
        for number, stamp in enumerate(stamps):
            if number and not goes_on():
                break
            raws += self._read(vault, stamp, decisions, known.get(stamp.path), outcome)
        self._prepare_all(raws, known, outcome)
        overtaken = self._put(outcome)
        read = [stamp.path for stamp in stamps[: outcome.files] if stamp.path not in overtaken]
        compared = {path: matter for path in read if (matter := self._compared.pop((vault_id, path), None))}
        self._sharing.decided(vault_id, compared, {row.path for row in outcome.failures})
        passages = sum(len(bundle.chunks) for bundle in outcome.bundles if bundle.note.path not in overtaken)
        if overtaken:
            self._anew.update((vault_id, path) for path in overtaken)
            again = [stamp for stamp in stamps if stamp.path in overtaken]
            passages += self.read(vault_id, again, lambda: True).passages
        return Done(outcome.files, passages)

    def _read(
        self,
        vault: VaultFolder,
        stamp: FileStamp,
        decisions: VaultDecisions,
        before: KnownNote | None,
        outcome: _Outcome,
    ) -> list[RawFile]:
        """A file that is to be prepared; none where `outcome` has all that became of it."""
        is_anew = (vault.id, stamp.path) in self._anew
        if before and (vault.id, stamp.path) in self._compared:  # another machine prepared it
            before = replace(before, fingerprint=self._reading.fingerprint(before, decisions))
        found = self._reading.read(vault, stamp, decisions, None if is_anew else before)
        self._anew.discard((vault.id, stamp.path))
        outcome.files += 1
        if isinstance(found, RawFile):
            return [found]
        if isinstance(found, Unchanged):
            outcome.unchanged.append(found)
        elif found is not None:
            outcome.failures.append(found)
            outcome.forget.extend([before.id] if before and not passes(found.code) else [])
        return []

    def _prepare_all(self, raws: Sequence[RawFile], known: Mapping[str, KnownNote], outcome: _Outcome) -> None:
        for raw, prepared in self._prepared(raws):
            if isinstance(prepared, Skipped):
                stamps = (raw.mtime_ns, raw.size, raw.changed_ns)
                row = FailureRow(raw.vault, prepared.path, prepared.code, prepared.reason, *stamps, kind=raw.kind)
                outcome.failures.append(row)
                outcome.forget.extend([known[raw.path].id] if raw.path in known else [])
            elif isinstance(prepared, FlawedBundle) and raw.path in known and passes(prepared.flaw.code):
                outcome.failures.append(prepared.flaw)  # what was read of it before stays
            else:
                outcome.bundles.append(prepared)

    def _prepared(self, raws: Sequence[RawFile]) -> Iterator[tuple[RawFile, NoteBundle | Skipped]]:
        """Each file as it is to be stored; one that can't be taken apart in time is kept by its name."""
        if not raws:
            return
        for raw, prepared in zip(raws, self._how.prepare(raws, self._how.context), strict=True):
            if isinstance(prepared, Skipped) and prepared.code in (Failure.TOO_SLOW, Failure.PROCESS_ENDED):
                reason = "Taking its text apart took too long, or too much memory."
                bare = replace(raw, layout=lay_out(raw.kind, ()), links=(), flaw=Flaw(prepared.code, reason))
                yield raw, self._how.prepare([bare], self._how.context)[0]
            else:
                yield raw, prepared

    def _put(self, outcome: _Outcome) -> frozenset[str]:
        """Store what was read; the paths of files that the user decided about since: they are to be read again."""
        try:
            return self._put_at_once(outcome)
        except Exception as error:  # one of the files may be at fault; which, is found out now
            if isinstance(error, StoreError) and not isinstance(error, StoreRefused):
                raise
            _log.warning("some files can't be stored at once", extra={"error": type(error).__name__})
            bundles, outcome.bundles = outcome.bundles, []
            overtaken: set[str] = set()
            for bundle in bundles:
                try:
                    overtaken |= self._put_at_once(_Outcome(outcome.vault, outcome.decisions, [bundle]))
                except Exception as found:
                    if isinstance(found, StoreError) and not isinstance(found, StoreRefused):
                        raise
                    outcome.failures.append(_unexpected(bundle, found))
            self._put_at_once(outcome)
            return frozenset(overtaken)

    def _put_at_once(self, outcome: _Outcome) -> frozenset[str]:
        with self.store.writing() as writer:
            decisions = decisions_on(writer.connection, outcome.vault)
            before = outcome.decisions
            current = [each for each in outcome.bundles if decisions.about(each.note) == before.about(each.note)]
            claims = Claims(self.store, writer, outcome.vault)
            for bundle in claims.writable(current):
                writer.put_note(bundle)
                if isinstance(bundle, FlawedBundle):
                    writer.put_failure(bundle.flaw)
            for row in outcome.failures:
                writer.put_failure(row)
            known = [each.note for each in outcome.unchanged]
            taken = claims.taken(known, lambda note: self._reading.fingerprint(note, decisions))
            for each in outcome.unchanged:
                if each.note.path in taken:
                    writer.touch_note(each.note.id, each.stamp.mtime_ns, each.stamp.size, each.stamp.changed_ns)
            writer.forget_notes(claims.forgettable(outcome.forget, deleted=False), "excluded")
        return frozenset({bundle.note.path for bundle in outcome.bundles} - {bundle.note.path for bundle in current})


def _unexpected(bundle: NoteBundle, error: Exception) -> FailureRow:
    kind, note = type(error).__name__, bundle.note
    _log.error("a file can't be indexed", extra={"error": kind})
    reason = f"Scrubjay could not index this file ({kind}) and tries again now and then; please report this."
    stamps = (note.mtime_ns, note.size, note.changed_ns)
    return FailureRow(note.vault, note.path, Failure.UNEXPECTED, reason, *stamps, kind=note.kind)
