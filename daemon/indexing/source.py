"""What one pipeline takes from the disk to a profile's store: its notes, or its documents."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from scrubjay.daemon.indexing.prepare import CredentialFinding, PrepareContext, Prepared, Preparing, find_credentials
from scrubjay.daemon.vault.allowlist import Allowance
from scrubjay.daemon.vault.known_drives import scan_with_drives
from scrubjay.daemon.vault.read import FileStamp, RawNote, ReadLimits, UnreadableNote, read_note, redact_path
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import VaultDecisions
from scrubjay.profiles.store.rows import NO_DECISIONS, FailureRow, KnownNote
from scrubjay.profiles.store.store import Store


class Raw(Protocol):
    """A note, or a document, as it was read; with its stamps from just before."""

    @property
    def path(self) -> str:
        """Vault-relative."""
        ...

    @property
    def size(self) -> int:
        """In bytes."""
        ...

    @property
    def mtime_ns(self) -> int:
        """As of `FileStamp`."""
        ...

    @property
    def changed_ns(self) -> int:
        """As of `FileStamp`."""
        ...


R = TypeVar("R", bound=Raw)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A file has new time stamps, and its bytes are as they were."""

    note: KnownNote
    stamp: FileStamp


class Source(Protocol[R]):
    """A kind of files that a profile indexes. Thread-safe."""

    @property
    def noun(self) -> str:
        """What a sentence for the user calls one of them."""
        ...

    @property
    def context(self) -> PrepareContext:
        """What they are prepared with."""
        ...

    def allowance(self, vault: VaultFolder) -> Allowance:
        """Which of them may be indexed."""
        ...

    def scan(
        self, vault: VaultFolder, only: Collection[str] | None = None, *, empty_is_away: bool = True
    ) -> ScanResult:
        """Those that are on disk: see `scan`. Raises StoreError."""
        ...

    def known(self, vault_id: str, paths: Collection[str] | None = None) -> dict[str, KnownNote]:
        """Those that the store has, by path; with `paths` just those at or below them. Raises StoreError."""
        ...

    def failures(self, vault_id: str) -> list[FailureRow]:
        """What the store has been told of those that can't be indexed. Raises StoreError."""
        ...

    def fingerprint(self, note: KnownNote, decisions: VaultDecisions) -> str:
        """What a known one would be prepared with now."""
        ...

    def digest_on_disk(self, vault: VaultFolder, stamp: FileStamp) -> bytes | None:
        """The digest that a file would be stored with; None where it can't be read, or must not be stored."""
        ...

    def read(
        self, vault: VaultFolder, stamp: FileStamp, before: KnownNote | None, decisions: VaultDecisions
    ) -> R | Unchanged:
        """Read a file that a scan found.

        before: what the store has of it, if it need not be prepared where its bytes are the same.
        Raises UnreadableNote, and what is wrong with reading as such.
        """
        ...

    def prepare(self, raws: Sequence[R]) -> Prepared:
        """One result for each, in their order. Raises Unavailable where none of them is at fault."""
        ...

    def credentials(self, raw: R) -> tuple[CredentialFinding, ...]:
        """What the filter finds in one, in no particular order; nothing in one that is not indexed."""
        ...


class NoteSource:
    """The notes of a profile's vaults."""

    noun = "note"

    def __init__(self, store: Store, context: PrepareContext, limits: ReadLimits, prepare: Preparing) -> None:
        self.context = context
        self._store = store
        self._limits = limits
        self._prepare = prepare

    def allowance(self, vault: VaultFolder) -> Allowance:
        """Which notes may be indexed."""
        return Allowance.of_vault(vault)

    def scan(
        self, vault: VaultFolder, only: Collection[str] | None = None, *, empty_is_away: bool = True
    ) -> ScanResult:
        """The notes on disk; the drives that a scan of the whole vault meets are remembered. Raises StoreError."""
        return scan_with_drives(vault, self._store, only=only, empty_is_away=empty_is_away)

    def known(self, vault_id: str, paths: Collection[str] | None = None) -> dict[str, KnownNote]:
        """The notes in the store, by path. Raises StoreError."""
        return self._store.read(reads.known_notes, vault_id, paths)

    def failures(self, vault_id: str) -> list[FailureRow]:
        """What could not be indexed of the notes, folders and the vault itself. Raises StoreError."""
        return [row for row in self._store.read(reads.failures) if row.vault == vault_id and not row.kind]

    def fingerprint(self, note: KnownNote, decisions: VaultDecisions) -> str:
        """What a note would be prepared with now."""
        return self.context.fingerprint_of(decisions.by_path.get(note.path, NO_DECISIONS))

    def digest_on_disk(self, vault: VaultFolder, stamp: FileStamp) -> bytes | None:
        """The digest that a note would be stored with; None where it can't be read, or must not be stored."""
        if redact_path(stamp.path, self.context.rules)[1]:
            return None
        try:
            return self._read(vault, stamp).digest
        except UnreadableNote:
            return None  # the next read reports why

    def read(
        self, vault: VaultFolder, stamp: FileStamp, before: KnownNote | None, decisions: VaultDecisions
    ) -> RawNote | Unchanged:
        """Read a note. Raises UnreadableNote."""
        raw = self._read(vault, stamp)
        if before and before.digest == raw.digest:
            return Unchanged(before, stamp)
        return replace(raw, decisions=decisions.of(raw.path, raw.digest))

    def prepare(self, raws: Sequence[RawNote]) -> Prepared:
        """One result for each note. Raises Unavailable."""
        return self._prepare(raws, self.context)

    def credentials(self, raw: RawNote) -> tuple[CredentialFinding, ...]:
        """What the filter finds in a note."""
        return find_credentials(raw, self.context)

    def _read(self, vault: VaultFolder, stamp: FileStamp) -> RawNote:
        return read_note(vault.id, Path(vault.root), stamp, self._limits, self._digest)

    def _digest(self, data: bytes) -> bytes:
        return bytes_digest(data, self.context.key)
