"""When most of a vault's notes vanish at once: that is rather a drive that is away than somebody's wish."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scrubjay.daemon.indexing.plan import IndexingPlan
from scrubjay.daemon.vault.allow import Allowance
from scrubjay.daemon.vault.file_names import name_of
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.profiles.database.rows import FailureRow, KnownNote
from scrubjay.profiles.registry.registry import VaultFolder

NOTES_MISSING = "notes-missing"
MANY = 20
"""Notes; fewer are forgotten without a question, unless they were all."""


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
    since_before: bool,
) -> Missing | None:
    """Which of the notes that `work` would forget stay, after a scan of the whole vault; None: none of them.

    All do when no note is left where there were some, when fewer than half are left of many, and, since_before, while
    some have been kept for that reason and are not back. What is no longer allowed is forgotten all the same, and so is
    what lies somewhere else by now.
    """
    on_disk = [known[stamp.path] for stamp in found.files if stamp.path in known]
    elsewhere = {(name_of(note.path), note.digest) for note in on_disk}
    notes = [
        note
        for note in work.forget
        if allowance.allows(note.path) and (name_of(note.path), note.digest) not in elsewhere
    ]
    if not notes or not (since_before or not found.files or is_most(len(notes), len(found.files))):
        return None
    are = "note is" if len(notes) == 1 else "notes are"
    reason = (
        f"{len(notes):,} {are} no longer there, as if a drive were away. They stay in the index; "
        "`scrubjay index --forget-missing` forgets them."
    )
    return Missing(notes, FailureRow(vault.id, ".", NOTES_MISSING, reason))


def is_most(missing: int, left: int) -> bool:
    """Whether so many notes are too many to be forgotten without a question, where so many are left."""
    return missing >= MANY and missing > left
