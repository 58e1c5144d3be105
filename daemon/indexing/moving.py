"""Notes that only changed their folder: known again by their bytes, without being prepared anew."""

from collections.abc import Callable, Iterable
from pathlib import Path

from scrubjay.credential_filter import Rules
from scrubjay.daemon.indexing.plan import find_moves
from scrubjay.daemon.vault.file_names import redact_path
from scrubjay.daemon.vault.read import ReadLimits, Unreadable, read_note
from scrubjay.daemon.vault.scan import FileStamp
from scrubjay.profiles.database.rows import KnownNote, NoteMove
from scrubjay.profiles.registry.registry import VaultFolder


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
