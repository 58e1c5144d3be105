"""Notes, or documents, that only changed their folder: known again by their bytes, without being prepared anew."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from scrubjay.daemon.indexing.plan import IndexingPlan
from scrubjay.daemon.vault.read import FileStamp, name_of
from scrubjay.profiles.store.rows import FailureRow, KnownNote, NoteMove


@dataclass(frozen=True, slots=True)
class Move:
    """A known note whose bytes have turned up under another path."""

    note: KnownNote
    path: str


def move_candidates(
    work: IndexingPlan, known: Mapping[str, KnownNote], failures: Mapping[str, FailureRow], prepared: Collection[str]
) -> tuple[tuple[FileStamp, ...], tuple[KnownNote, ...]]:
    """The files to be read that could be notes that are gone or away, in another folder, and the notes they could be.

    Alike in name and size. A note with a failure to its name, or that is not `prepared`, is prepared anew.
    """
    missing = (*work.forget, *work.away)
    notes = [note for note in missing if note.path in prepared and note.path not in failures]
    gone = {(name_of(note.path), note.size) for note in notes}
    files = [each for each in work.read if each.path not in known and (name_of(each.path), each.size) in gone]
    return tuple(files), tuple(notes) if files else ()


def find_moves(notes: Iterable[KnownNote], arrived: Mapping[str, bytes]) -> tuple[Move, ...]:
    """Pair notes that vanished with files of the same name and bytes that arrived, each at most once, by id.

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
    return tuple(sorted(moves, key=lambda move: move.note.id))


def moved_notes(
    files: Iterable[FileStamp], notes: Iterable[KnownNote], digest_of: Callable[[FileStamp], bytes | None]
) -> tuple[NoteMove, ...]:
    """Which of `files` hold what one of `notes` held before it vanished.

    digest_of: what a file would be stored with; None where it can't be read, or must not be stored.
    """
    stamps = {stamp.path: stamp for stamp in files}
    arrived = {path: digest for path, stamp in stamps.items() if (digest := digest_of(stamp)) is not None}
    return tuple(
        NoteMove(move.note.id, move.path, stamps[move.path].mtime_ns, stamps[move.path].changed_ns)
        for move in find_moves(notes, arrived)
    )
