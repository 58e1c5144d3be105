"""What a scan of a vault means for its index: which notes are new, changed, moved or gone."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

import msgspec

from scrubjay.credential_filter import Rules
from scrubjay.daemon.failures import Failure, passes
from scrubjay.daemon.vault.read import (
    Below,
    FileStamp,
    ReadLimits,
    Unreadable,
    is_note,
    name_of,
    read_note,
    redact_path,
)
from scrubjay.daemon.vault.scan import ScanResult, scan
from scrubjay.profiles.database.rows import FailureRow, KnownNote, NoteMove
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.store import Store

# Keyed digests: the same text has the same digest in every profile, and none says anything without the key.

_SIZE = 16


def text_digest(text: str, key: bytes) -> bytes:
    """blake2b of a chunk's text in UTF-8 under the installation's key, 16 bytes."""
    return blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=_SIZE).digest()


def bytes_digest(data: bytes, key: bytes) -> bytes:
    """blake2b of a file's bytes under the installation's key, 16 bytes."""
    return blake2b(data, key=key, digest_size=_SIZE).digest()


# What must be done to update a store to what is on disk. Pure: reads no file and opens no database.

SECRET_IN_NAME_REASON = "The note's or its folder's name holds a credential; rename it."  # noqa: S105

# Failures of a part of a note that is indexed for the rest. Beside any other one, what is known of a note may be old.
FLAWS = frozenset[str]({Failure.BROKEN_FRONTMATTER, Failure.TOO_MANY_PASSAGES})


@dataclass(frozen=True, slots=True)
class IndexingPlan:
    """What is to be done. A note to be read may turn out to have the same bytes as before: then touch it."""

    read: tuple[FileStamp, ...]  # newest first
    forget: tuple[KnownNote, ...]  # no longer on disk or no longer allowed; by path
    cleared: tuple[FailureRow, ...]  # failures of what is no longer there; by path
    away: tuple[
        KnownNote, ...
    ] = ()  # below an allowed folder that is not there: they stay, unless they turn up elsewhere

    def without(self, paths: Collection[str], note_ids: Collection[int]) -> "IndexingPlan":
        """The same without reading some files and without forgetting some notes."""
        read = tuple(stamp for stamp in self.read if stamp.path not in paths)
        forget, away = (tuple(note for note in notes if note.id not in note_ids) for notes in (self.forget, self.away))
        return replace(self, read=read, forget=forget, away=away)


@dataclass(frozen=True, slots=True)
class Move:
    """A known note whose bytes have turned up under another path."""

    note: KnownNote
    path: str


def plan(
    found: ScanResult,
    known: Mapping[str, KnownNote],
    failures: Mapping[str, FailureRow],
    fingerprint: str,
    *,
    full: bool = False,
    retry: bool = False,
    allows: Callable[[str], bool] = lambda _path: True,
) -> IndexingPlan:
    """Compare a scan with the store's rows of the same part of the vault, both by path.

    A note is read if it is new, its size or a time stamp changed, it could not be read since, or it was prepared under
    another fingerprint; one that failed is read again if it changed, if the failure may have passed, or if the
    fingerprint changed since. `full` reads all, `retry` all that failed.

    Notes that the scan could not see (an unmounted drive, a folder without permission) are left as they are, and so are
    those of an allowed folder that is away, unless another known note is the same: then they have moved. What `allows`
    denies is forgotten in any case.
    """
    on_disk = {stamp.path for stamp in found.files}
    unseen = Below(found.unseen)
    away = _away(found, known)
    kept = {note.path for note in away}
    may_return = Below({file_key(path) for path in found.away})
    retry = retry or full or any(note.fingerprint != fingerprint for note in known.values())
    shown = _shown_paths(found.files, known, failures)
    read = [
        stamp
        for stamp in found.files
        if full
        or not (
            _is_known(stamp, known[stamp.path], failures.get(stamp.path), fingerprint)
            if stamp.path in known
            else _has_failed(stamp, failures.get(shown.get(stamp.path, stamp.path)), retry=retry)
        )
    ]
    there = {*on_disk, *shown.values(), *(problem.path for problem in found.problems)}
    return IndexingPlan(
        read=tuple(sorted(read, key=lambda stamp: (-stamp.mtime_ns, stamp.path))),
        forget=tuple(
            known[path]
            for path in sorted(known.keys() - on_disk)
            if not ((path in unseen or path in kept) and allows(path))
        ),
        away=away,
        cleared=tuple(
            failures[path]
            for path in sorted(failures)
            if not (path in there or (_may_return(path, unseen, may_return) and (allows(path) or not is_note(path))))
        ),
    )


def move_candidates(
    work: IndexingPlan, known: Mapping[str, KnownNote], failures: Mapping[str, FailureRow], fingerprint: str
) -> tuple[tuple[FileStamp, ...], tuple[KnownNote, ...]]:
    """The files to be read that could be notes that are gone or away, in another folder, and the notes they could be.

    Alike in name and size. A note with a failure to its name, or of another fingerprint, is prepared anew.
    """
    missing = (*work.forget, *work.away)
    notes = [note for note in missing if note.fingerprint == fingerprint and note.path not in failures]
    gone = {(name_of(note.path), note.size) for note in notes}
    files = [each for each in work.read if each.path not in known and (name_of(each.path), each.size) in gone]
    return tuple(files), tuple(notes) if files else ()


def find_moves(notes: Iterable[KnownNote], arrived: Mapping[str, bytes]) -> tuple[Move, ...]:
    """Pair notes that vanished with files of the same name and bytes that arrived, each at most once, by path.

    arrived: digest by path of files that were not known. Under another name a note is prepared anew, since its title
    and date may come from its name.
    """
    places: defaultdict[tuple[str, bytes], list[str]] = defaultdict(list)
    for path in sorted(arrived, reverse=True):
        places[name_of(path), arrived[path]].append(path)
    moves = [
        Move(note, places[key].pop())
        for note in sorted(notes, key=lambda note: note.path)
        if places.get(key := (name_of(note.path), note.digest))
    ]
    return tuple(sorted(moves, key=lambda move: move.path))


def _may_return(path: str, unseen: Below, away: Below) -> bool:
    """Whether a scan could not see what lies at the path."""
    return path in unseen or file_key(path) in away


def _away(found: ScanResult, known: Mapping[str, KnownNote]) -> tuple[KnownNote, ...]:
    """The notes below folders that are away, but for those of the same name and bytes as a known one that is there."""
    if not found.away:
        return ()
    away = Below({file_key(path) for path in found.away})
    on_disk = [known[stamp.path] for stamp in found.files if stamp.path in known]
    here = {(name_of(note.path), note.digest) for note in on_disk}
    missing = (known[path] for path in sorted(known.keys() - {note.path for note in on_disk}) if file_key(path) in away)
    return tuple(note for note in missing if (name_of(note.path), note.digest) not in here)


def _is_known(stamp: FileStamp, note: KnownNote, failure: FailureRow | None, fingerprint: str) -> bool:
    if note.fingerprint != fingerprint or (failure is not None and failure.code not in FLAWS):
        return False
    return is_as_before(stamp, note)


def _has_failed(stamp: FileStamp, failure: FailureRow | None, *, retry: bool) -> bool:
    if failure is None or retry or passes(failure.code):
        return False
    return failure.code == Failure.SECRET_IN_NAME or is_as_before(stamp, failure)


def is_as_before(stamp: FileStamp, before: KnownNote | FailureRow) -> bool:
    """Whether a file looks as it did when it was read, or could not be."""
    if (before.mtime_ns, before.size) != (stamp.mtime_ns, stamp.size):
        return False
    return before.changed_ns in (0, stamp.changed_ns)  # 0: stored by a version that did not look


def _shown_paths(
    files: Iterable[FileStamp], known: Mapping[str, KnownNote], failures: Mapping[str, FailureRow]
) -> dict[str, str]:
    """How the paths of unknown files are shown where they hold a credential; looked at only if one is known to."""
    if all(failure.code != Failure.SECRET_IN_NAME for failure in failures.values()):
        return {}
    pairs = ((stamp.path, redact_path(stamp.path)[0]) for stamp in files if stamp.path not in known)
    return {path: shown for path, shown in pairs if shown != path}


# Notes that only changed their folder: known again by their bytes, without being prepared anew.


def moved_notes(
    vault: VaultFolder,
    files: Iterable[FileStamp],
    notes: Iterable[KnownNote],
    limits: ReadLimits,
    digest: Callable[[bytes], bytes],
    rules: Rules,
) -> tuple[NoteMove, ...]:
    """Which of `files` hold what one of `notes` held before it vanished. Reads the files; never raises.

    A file whose new path holds what `rules` hide is not among them: it must not be indexed.
    """
    stamps = {stamp.path: stamp for stamp in files}
    arrived: dict[str, bytes] = {}
    for stamp in stamps.values():
        try:
            arrived[stamp.path] = read_note(vault.id, Path(vault.root), stamp, limits, digest).digest
        except Unreadable:
            continue  # the next read reports why
    return tuple(
        NoteMove(move.note.id, move.path, stamps[move.path].mtime_ns, stamps[move.path].changed_ns)
        for move in find_moves(notes, arrived)
        if not redact_path(move.path, rules)[1]
    )


# Scanning with a memory for drives: an unmounted one leaves a folder that looks emptied.


def scan_with_drives(
    vault: VaultFolder, store: Store, *, only: Collection[str] | None = None, empty_is_away: bool = True
) -> ScanResult:
    """See `scan`. The drives that a scan of the whole vault meets are kept in the store. Raises StoreError."""
    before = known_drives(vault, store)
    found = scan(vault, only=only, drives=before, empty_is_away=empty_is_away)
    if only is None and found.drives != before:
        store.set_own_meta(_name(vault), msgspec.json.encode(found.drives).decode())
    return found


def known_drives(vault: VaultFolder, store: Store) -> tuple[str, ...]:
    """Where drives were mounted within a vault at the last look at the whole of it. Raises StoreError."""
    kept = store.own_meta(_name(vault))
    return msgspec.json.decode(kept, type=tuple[str, ...]) if kept else ()


def _name(vault: VaultFolder) -> str:
    return f"drives:{vault.id}"
