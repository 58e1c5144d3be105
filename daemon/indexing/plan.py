"""What a scan of a vault means for its index: which notes are new, changed or gone. Pure."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from scrubjay.credential_filter import MARK_START, Rules
from scrubjay.daemon.failures import FLAWS, FailureReason, lasts, passes
from scrubjay.daemon.vault.read import Below, FileStamp, is_note, name_of, redact_path
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.profiles.names import file_key
from scrubjay.profiles.store.rows import FailureRow, KnownNote

# What must be done to update a store to what is on disk. Pure: reads no file and opens no database.

SECRET_IN_NAME_REASON = "The note's or its folder's name holds a credential; rename it."  # noqa: S105


@dataclass(frozen=True, slots=True)
class IndexingPlan:
    """What is to be done for notes or documents. One to be read may have the same bytes as before: then touch it."""

    read: tuple[FileStamp, ...]  # newest first, but for what changed at once
    forget: tuple[KnownNote, ...]  # no longer on disk or no longer allowed; by id
    cleared: tuple[FailureRow, ...]  # failures of what is no longer there, and of no note to be forgotten; by path
    away: tuple[KnownNote, ...] = ()  # below an allowed folder that is not there: they stay unless they are elsewhere

    def without(self, paths: Collection[str], note_ids: Collection[int]) -> "IndexingPlan":
        """The same without reading some files and without forgetting some notes."""
        read = tuple(stamp for stamp in self.read if stamp.path not in paths)
        forget, away = (tuple(note for note in notes if note.id not in note_ids) for notes in (self.forget, self.away))
        return replace(self, read=read, forget=forget, away=away)


def plan(
    found: ScanResult,
    known: Mapping[str, KnownNote],
    failures: Mapping[str, FailureRow],
    prepared: Collection[str],
    *,
    full: bool = False,
    retry: bool = False,
    allows: Callable[[str], bool] = lambda _path: True,
) -> IndexingPlan:
    """Compare a scan with the store's rows of the same part of the vault, both by path.

    prepared: the paths of those known notes that would be prepared as they were. A note is read if it is new, its size
    or a time stamp changed, it could not be read since, or it is not among these; one that failed is read again if it
    changed, if the failure may have passed, or if a known one is not among these. `full` reads all, `retry` all that
    failed, though they be known by their names.

    Notes that the scan could not see (an unmounted drive, a folder without permission) are left as they are, and so are
    those of an allowed folder that is away, unless another known note is the same: then they have moved. What `allows`
    denies is forgotten in any case.
    """
    on_disk = {stamp.path for stamp in found.files}
    unseen = Below(found.unseen)
    away = _away(found, known)
    kept = {note.path for note in away}
    may_return = Below({file_key(path) for path in found.away})
    again = retry or any(path not in prepared for path in known)
    shown = _shown_paths(found.files, known, failures)
    read = [
        stamp
        for stamp in found.files
        if full
        or not (
            stamp.path in prepared and _is_known(stamp, known[stamp.path], failures.get(stamp.path), retry=retry)
            if stamp.path in known
            else _has_failed(stamp, failures.get(shown.get(stamp.path, stamp.path)), retry=again)
        )
    ]
    there = {*on_disk, *shown.values(), *(problem.path for problem in found.problems)}
    gone = {path for path in known.keys() - on_disk if not ((path in unseen or path in kept) and allows(path))}
    return IndexingPlan(
        read=_in_reading_order(read, known),
        forget=by_id(known[path] for path in gone),
        away=away,
        cleared=tuple(
            failures[path]
            for path in sorted(failures)
            if path not in gone
            and not (path in there or (_may_return(path, unseen, may_return) and (allows(path) or not is_note(path))))
        ),
    )


_AT_ONCE_NS = 60 * 10**9
"""Known notes that changed within the same minute, as in a checkout, are read in the order of their ids."""


def _in_reading_order(files: Iterable[FileStamp], known: Mapping[str, KnownNote]) -> tuple[FileStamp, ...]:
    """The newest first; of those that changed at once what is not known first, then as `by_id`."""

    def place(stamp: FileStamp) -> tuple[int, int, int, str]:
        note = known.get(stamp.path)
        return -(stamp.mtime_ns // _AT_ONCE_NS), 0 if note is None else note.id, -stamp.mtime_ns, stamp.path

    return tuple(sorted(files, key=place))


def by_id(notes: Iterable[KnownNote]) -> tuple[KnownNote, ...]:
    """In the order in which they were stored: their postings are in few rows then, whatever part of them is taken."""
    return tuple(sorted(notes, key=lambda note: note.id))


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


def _is_known(stamp: FileStamp, note: KnownNote, failure: FailureRow | None, *, retry: bool) -> bool:
    if failure is not None and failure.code not in FLAWS and (retry or not lasts(failure.code)):
        return False
    return is_as_before(stamp, note)


def _has_failed(stamp: FileStamp, failure: FailureRow | None, *, retry: bool) -> bool:
    if failure is None or retry or passes(failure.code):
        return False
    return failure.code == FailureReason.SECRET_IN_NAME or is_as_before(stamp, failure)


def is_as_before(stamp: FileStamp, before: KnownNote | FailureRow) -> bool:
    """Whether a file looks as it did when it was read, or could not be."""
    if (before.mtime_ns, before.size) != (stamp.mtime_ns, stamp.size):
        return False
    return before.changed_ns in (0, stamp.changed_ns)  # 0: stored by a version that did not look


def _shown_paths(
    files: Iterable[FileStamp], known: Mapping[str, KnownNote], failures: Mapping[str, FailureRow]
) -> dict[str, str]:
    """How the paths of unknown files are shown where they hold a credential; looked at only if one is known to."""
    if all(failure.code != FailureReason.SECRET_IN_NAME for failure in failures.values()):
        return {}
    pairs = ((stamp.path, redact_path(stamp.path)[0]) for stamp in files if stamp.path not in known)
    return {path: shown for path, shown in pairs if shown != path}


def are_known_redacted(paths: Collection[str], failures: Iterable[FailureRow], rules: Rules) -> bool:
    """Whether one of the paths may be of a file that is known by a redacted name, which others may share.

    Only a look at the whole vault then tells whether what is known of that name still holds.
    """
    if not any(MARK_START in row.path for row in failures):
        return False
    return any(redact_path(path, rules)[1] for path in paths)
