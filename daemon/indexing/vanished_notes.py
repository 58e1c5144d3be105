"""Notes on disk compared with those in the index; and most of a vault's notes vanishing at once."""

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic

import msgspec

from scrubjay.daemon.failures import FLAWS, FailureReason
from scrubjay.daemon.indexing.plan import IndexingPlan, is_as_before
from scrubjay.daemon.indexing.progress import DiskCount
from scrubjay.daemon.indexing.source import R, Source
from scrubjay.daemon.vault.allowlist import Allowance
from scrubjay.daemon.vault.read import Below, FileStamp, name_of, redact_path
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.daemon.vault.warning_codes import NOTES_MISSING
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.rows import FailureRow, KnownNote
from scrubjay.profiles.store.store import Store

MANY = 20
"""Notes; fewer are forgotten without a question, unless they were all."""
_BACK = 10  # of so many notes that were missing, all but one are back: a large folder was seen while it was moved


@dataclass(frozen=True, slots=True)
class Missing:
    """Notes that are no longer on disk and stay in the index nevertheless."""

    notes: Collection[KnownNote]
    row: FailureRow  # what to say about it


def missing_notes(
    vault: VaultFolder,
    found: ScanResult,
    work: IndexingPlan,
    known: Mapping[str, KnownNote],
    allowance: Allowance,
    *,
    before: Collection[int],
) -> Missing | None:
    """Which of the notes that `work` would forget stay, after a scan of the whole vault; None: none of them.

    All do when no note is left where there were some, and when fewer than half are left of many. `before` (the ids of
    those that were kept for that reason) stay until nine of ten are back, perhaps under other names: then they were not
    away but moved, and the rest was deleted meanwhile. What is no longer allowed is forgotten all the same, and so is
    what lies somewhere else by now.
    """
    on_disk = [known[stamp.path] for stamp in found.files if stamp.path in known]
    elsewhere = {(name_of(note.path), note.digest) for note in on_disk}
    notes = [
        note
        for note in work.forget
        if allowance.allows(note.path) and (name_of(note.path), note.digest) not in elsewhere
    ]
    since_before = [note for note in notes if note.id in before]
    fresh = [note for note in notes if note.id not in before]
    if found.files and len(since_before) * _BACK <= len(before):
        since_before = []
    if found.files and not is_most(len(fresh), len(found.files)):
        fresh = []
    notes = since_before + fresh
    if not notes:
        return None
    are = "note is" if len(notes) == 1 else "notes are"
    reason = (
        f"{len(notes):,} {are} no longer there, as if a drive were away. They stay in the index; "
        "`scrubjay index --forget-missing` forgets them."
    )
    return Missing(notes, FailureRow(vault.id, ".", NOTES_MISSING, reason))


def known_missing(vault: VaultFolder, store: Store) -> frozenset[int]:
    """The ids of the notes that `missing_notes` has kept since most were gone, back or not. Raises StoreError."""
    kept = store.own_meta(_missing_name(vault))
    return frozenset(msgspec.json.decode(kept, type=tuple[int, ...]) if kept else ())


def keep_missing(vault: VaultFolder, store: Store, ids: Collection[int]) -> None:
    """What `known_missing` says from now on. Raises StoreError."""
    store.set_own_meta(_missing_name(vault), msgspec.json.encode(sorted(ids)).decode())


def _missing_name(vault: VaultFolder) -> str:
    return f"missing:{vault.id}"


def is_most(missing: int, left: int) -> bool:
    """Whether so many notes are too many to be forgotten without a question, where so many are left."""
    return missing >= MANY and missing > left


TOO_MANY = "too-many-notes"


def count_disk(found: ScanResult, known: Mapping[str, KnownNote], failures: Iterable[FailureRow]) -> DiskCount:
    """Compare a scan of a whole vault with what the store has of it: notes by path, and what was left out."""
    reasons = {row.path: row for row in failures if row.code not in FLAWS}
    has_secret_names = any(row.code == FailureReason.SECRET_IN_NAME for row in reasons.values())
    is_full = any(row.code == TOO_MANY for row in reasons.values())
    missing: list[str] = []
    outdated: list[str] = []
    indexed = left_out = 0
    for stamp in found.files:
        note = known.get(stamp.path)
        shown = redact_path(stamp.path)[0] if has_secret_names and note is None else stamp.path
        if note is not None:
            indexed += 1
            if shown not in reasons and not is_as_before(stamp, note):
                outdated.append(shown)
        elif shown in reasons or is_full:
            left_out += 1
        else:
            missing.append(shown)
    return DiskCount(
        len(found.files),
        indexed,
        left_out,
        *(tuple(redact_path(path)[0] for path in paths) for paths in (missing, outdated)),
    )


class DifferingNotes(Generic[R]):
    """Which notes of a team that others look after say something else in their files here than in the index.

    A file is read once for each time that it changes, and only where its size does not tell. Not thread-safe.
    """

    def __init__(self, source: Source[R]) -> None:
        self._source = source
        self._digests: dict[str, dict[FileStamp, bytes | None]] = {}  # by vault, of files as they were read
        self._paths: dict[str, set[str]] = {}  # by vault

    def look(
        self,
        vault: VaultFolder,
        copies: Iterable[FileStamp],
        known: Mapping[str, KnownNote],
        among: Below | None = None,
        stop: threading.Event | None = None,
    ) -> tuple[str, ...]:
        """Compare `Share.beside` of a scan with what the index has now; all that differ in the vault, shown redacted.

        among: what was scanned, where that was not the whole vault. stop: files that are not compared by then are left
        out.
        """
        read = self._digests.get(vault.id, {})
        found: dict[FileStamp, bytes | None] = {} if among is None else dict(read)
        kept = {path for path in self._paths.get(vault.id, ()) if among is not None and file_key(path) not in among}
        for stamp in copies:
            note = known.get(stamp.path)
            if note is None or (stop is not None and stop.is_set()):
                continue
            if stamp.size == note.size:
                found[stamp] = read[stamp] if stamp in read else self._source.digest_on_disk(vault, stamp)
                if found[stamp] in (None, note.digest):
                    continue
            kept.add(stamp.path)
        self._digests[vault.id], self._paths[vault.id] = found, kept
        return tuple(redact_path(path)[0] for path in sorted(kept))
