"""What must be done so that a store has the files beside notes as they are on disk. Reads no file's text."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from scrubjay.daemon.failures import passes
from scrubjay.daemon.indexing.plan import find_moves, known_drives, plan
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.daemon.vault.read import FileStamp, name_of
from scrubjay.daemon.vault.scan import ScanResult, scan
from scrubjay.profiles.database.rows import FailureRow, KnownNote, NoteMove
from scrubjay.profiles.registry.registry import VaultFolder
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
