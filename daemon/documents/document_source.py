"""The documents of a profile's vaults: on disk, in the store, and read safely, through the box."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import Protocol

from scrubjay.daemon.documents.document_bundles import Flaw, RawFile, find_credentials, lay_out, pages_in
from scrubjay.daemon.documents.extracted import Extracted, Reason, byte_limit, extension_of, kind_of, unreadable
from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.indexing.prepare import CredentialFinding, PrepareContext, Prepared, Skipped
from scrubjay.daemon.indexing.source import Unchanged
from scrubjay.daemon.vault.allowlist import Allowance
from scrubjay.daemon.vault.file_kinds import file_kind, wanted_files
from scrubjay.daemon.vault.known_drives import known_drives
from scrubjay.daemon.vault.read import FileStamp, UnreadableNote, opened, redact_path, stamp_now
from scrubjay.daemon.vault.scan import ScanResult, scan
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.registry.profile_settings import FileSettings
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import VaultDecisions
from scrubjay.profiles.store.rows import FailureRow, KnownNote
from scrubjay.profiles.store.store import Store

READER_VERSION = "1"
"""Raise it when the same file would yield another text: files are then read again."""
RECOGNISED = "+ocr"
"""Ends the fingerprint of a file whose pictures were read."""

_BY_NAME = "name"  # the reader of files that nothing reads
_BLOCK = 1 << 20
_DIGEST_BYTES = 16
_OCR_IS_OFF = "It has no text but pictures of it; `scrubjay profile files NAME --ocr` has them recognised."


class ReadsFiles(Protocol):
    """The box, as far as it is needed here."""

    def extract(self, extension: str, data: FileIO, size: int) -> Extracted:
        """See `Box.extract`."""
        ...


@dataclass(frozen=True, slots=True)
class FileContext:
    """How the files of a profile are read and prepared."""

    context: PrepareContext
    settings: FileSettings
    box: ReadsFiles
    prepare: Callable[[Sequence[RawFile], PrepareContext], Prepared]


def documents_on_disk(
    vault: VaultFolder,
    store: Store,
    settings: FileSettings,
    only: Collection[str] | None,
    *,
    empty_is_away: bool = True,
) -> ScanResult:
    """The documents of a vault, or those at or below the paths in `only`. Raises StoreError."""
    wants = wanted_files(Path(vault.root), settings)
    drives = known_drives(vault, store)
    return scan(vault, only=only, drives=drives, empty_is_away=empty_is_away, wants=wants)


class DocumentSource:
    """The documents of a profile's vaults. Thread-safe where the box is."""

    noun = "file"

    def __init__(self, store: Store, how: FileContext) -> None:
        self.context = how.context
        self._store = store
        self._how = how

    def allowance(self, vault: VaultFolder) -> Allowance:
        """Which documents may be indexed."""
        return Allowance.of_vault(vault, wanted_files(Path(vault.root), self._how.settings))

    def scan(
        self, vault: VaultFolder, only: Collection[str] | None = None, *, empty_is_away: bool = True
    ) -> ScanResult:
        """The documents on disk, where drives are away as the last look at the notes left it. Raises StoreError."""
        return documents_on_disk(vault, self._store, self._how.settings, only, empty_is_away=empty_is_away)

    def known(self, vault_id: str, paths: Collection[str] | None = None) -> dict[str, KnownNote]:
        """The documents in the store, by path. Raises StoreError."""
        return self._store.read(reads.known_notes, vault_id, paths, files=True)

    def failures(self, vault_id: str) -> list[FailureRow]:
        """What could not be indexed of the documents. Raises StoreError."""
        return [row for row in self._store.read(reads.failures) if row.vault == vault_id and row.kind]

    def is_read(self, path: str) -> bool:
        """Whether the text of a file of this name is read, and not its name alone."""
        kind = file_kind(path)
        return kind == "code" or kind in self._how.settings.kinds

    def fingerprint(self, note: KnownNote, decisions: VaultDecisions) -> str:
        """What a file would be read with now; of one whose pictures were recognised, so that they are again."""
        base = self.context.fingerprint_of(decisions.of(note.path, note.digest))
        recognised = RECOGNISED if self._how.settings.ocr and note.fingerprint.endswith(RECOGNISED) else ""
        return f"{base}/{READER_VERSION if self.is_read(note.path) else _BY_NAME}{recognised}"

    def read(
        self, vault: VaultFolder, stamp: FileStamp, before: KnownNote | None, decisions: VaultDecisions
    ) -> RawFile | Unchanged:
        """What is in a file that a scan found. Raises UnreadableNote, and what the box raises.

        before: what the store has of it, if it need not be read where its bytes are the same.
        """
        kind = kind_of(stamp.path)
        if kind is None or not self.is_read(stamp.path):
            return self._by_name(vault.id, stamp, decisions)
        try:
            with opened(Path(vault.root), stamp, byte_limit(kind)) as (file, now):
                digest = self.digest(file)
                if before and before.digest == digest:
                    return Unchanged(before, now)
                file.seek(0)
                found = self._how.box.extract(extension_of(stamp.path), file, now.size)
                is_whole = stamp_now(stamp, file.fileno()) == now
        except UnreadableNote as error:
            if error.failure is not FailureReason.TOO_LARGE:
                raise
            named = self._by_name(vault.id, stamp, decisions)
            return replace(named, reader=READER_VERSION, flaw=Flaw(error.failure, error.reason))
        if not is_whole:  # parts of two texts, perhaps
            raise UnreadableNote(FailureReason.GONE, "The file was being written; it is read again once that is over.")
        return self._raw(vault.id, now, digest, found, decisions)

    def prepare(self, raws: Sequence[RawFile]) -> Prepared:
        """One result for each; one that can't be taken apart in time is kept by its name. Raises Unavailable."""
        prepared = self._how.prepare(raws, self.context)
        for at, (raw, found) in enumerate(zip(raws, prepared, strict=True)):
            if isinstance(found, Skipped) and found.code in (FailureReason.TOO_SLOW, FailureReason.PROCESS_ENDED):
                reason = "Taking its text apart took too long, or too much memory."
                bare = replace(raw, layout=lay_out(raw.kind, ()), links=(), flaw=Flaw(found.code, reason))
                [prepared[at]] = self._how.prepare([bare], self.context)
        return prepared

    def credentials(self, raw: RawFile) -> tuple[CredentialFinding, ...]:
        """What the filter finds in a document, each with its place; nothing in one that opts out."""
        return find_credentials(raw, self.context)

    def digest_on_disk(self, vault: VaultFolder, stamp: FileStamp) -> bytes | None:
        """The digest that a file would be stored with; None where it can't be read, or must not be stored."""
        if redact_path(stamp.path, self.context.rules)[1]:
            return None
        kind = kind_of(stamp.path)
        if kind is None or not self.is_read(stamp.path):
            return self._stamp_digest(stamp)
        try:
            with opened(Path(vault.root), stamp, byte_limit(kind)) as (file, _):
                return self.digest(file)
        except UnreadableNote:
            return None

    def recognised(
        self, vault_id: str, stamp: FileStamp, digest: bytes, found: Extracted, decisions: VaultDecisions
    ) -> RawFile:
        """A file whose pictures were read; `found` has their text among its parts."""
        raw = self._raw(vault_id, stamp, digest, found, decisions)
        reader = READER_VERSION if self.is_read(stamp.path) else _BY_NAME
        flaw = raw.flaw
        if not raw.layout.stretches and raw.kind != "image":
            nothing = unreadable(Reason.NO_TEXT)
            flaw = Flaw(FailureReason(nothing.reason), nothing.sentence)
        return replace(raw, reader=reader + RECOGNISED, scans=0, flaw=flaw)

    def _raw(
        self, vault_id: str, stamp: FileStamp, digest: bytes, found: Extracted, decisions: VaultDecisions
    ) -> RawFile:
        scans = len(found.textless)
        raw = replace(
            self._by_name(vault_id, stamp, decisions),
            digest=digest,
            reader=READER_VERSION,
            decisions=decisions.of(stamp.path, digest),
            scans=scans,
        )
        if found.unreadable is not None:
            is_scan = found.unreadable.reason == Reason.NO_TEXT and scans > 0
            reason = _OCR_IS_OFF if is_scan and not self._how.settings.ocr else found.unreadable.sentence
            return replace(raw, pages=scans, flaw=Flaw(FailureReason(found.unreadable.reason), reason))
        flaw = None
        if found.left_out:
            flaw = Flaw(
                FailureReason.PARTS_LEFT_OUT, f"{found.left_out:,} of its parts are not indexed: it is too long."
            )
        pages = pages_in(found.parts) + scans
        return replace(raw, layout=lay_out(raw.kind, found.parts), links=found.links, pages=pages, flaw=flaw)

    def _by_name(self, vault_id: str, stamp: FileStamp, decisions: VaultDecisions) -> RawFile:
        """A file of which nothing is known but its name and stamps; these are its digest, so that it is not opened."""
        digest = self._stamp_digest(stamp)
        kind = file_kind(stamp.path) or ""
        return RawFile(
            vault=vault_id,
            path=stamp.path,
            kind=kind,
            size=stamp.size,
            mtime_ns=stamp.mtime_ns,
            changed_ns=stamp.changed_ns,
            digest=digest,
            reader=_BY_NAME,
            scans=int(kind == "image" and kind_of(stamp.path) is not None),
            decisions=decisions.of(stamp.path, digest),
        )

    def digest(self, file: FileIO) -> bytes:
        """As `bytes_digest`, of an open file."""
        digest = blake2b(key=self.context.key, digest_size=_DIGEST_BYTES)
        while block := file.read(_BLOCK):
            digest.update(block)
        return digest.digest()

    def _stamp_digest(self, stamp: FileStamp) -> bytes:
        return bytes_digest(f"{stamp.size} {stamp.mtime_ns}".encode(), self.context.key)
