"""What yes would change, for a person to look at. Reads notes, writes none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrubjay.daemon.review.changes.change_plan import plan
from scrubjay.daemon.review.changes.diff import hidden_lines, shown_diff, uncovers
from scrubjay.daemon.review.changes.disk_notes import DiskNotes
from scrubjay.daemon.review.changes.note_text import NoteText
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.proposal import Change
from scrubjay.profiles.registry.registry import Profile


@dataclass(frozen=True, slots=True)
class Previewed:
    """What would become of one note."""

    vault: str
    path: str
    to: str  # as `path` where it does not move
    diff: str  # unified, secrets hidden; "" where it only moves
    digest: str  # hex, of the file's bytes as they are now


def _refuse_hidden(changes: Sequence[Change], notes: DiskNotes, redact: Callable[[str], str]) -> None:
    """Raises ChangeRefused for a line that holds a credential, whatever would be replaced there.

    Told before anything is compared: a program that proposes changes must not learn by trying what is hidden.
    """
    for place in dict.fromkeys((change.vault, change.path) for change in changes if change.action == "replace"):
        hidden = hidden_lines(NoteText.of(notes.read(place)).text, redact)
        if any((each.vault, each.path) == place and each.line in hidden for each in changes):
            raise ChangeRefused(
                "credential", f"A credential is hidden on that line of {redact(place[1])}; edit it by hand."
            )


def preview(
    profile: Profile,
    changes: Sequence[Change],
    *,
    digest: Callable[[bytes], bytes],
    indexed: Callable[[str, str], bytes | None],
    redact: Callable[[str], str],
) -> tuple[Previewed, ...]:
    """The notes as they would be. Reads allowed notes from the disk, for a move those that link to the note too.

    digest: of a file's bytes, as the index keeps it. indexed: what the index has for a vault's id and a path; None: it
    does not know the note. redact: takes the credentials out of a text.
    Raises ChangeRefused, also where a note to be changed is not as it was indexed: what was proposed rests on it.
    """
    notes = DiskNotes(profile)
    _refuse_hidden(changes, notes, redact)
    files = plan(changes, notes)
    touched = {(change.vault, change.path) for change in changes}
    for file in files:
        known = indexed(notes.vault(file.vault).id, file.path)
        if (file.vault, file.path) in touched and known not in (None, digest(file.before)):
            raise ChangeRefused(
                "changed", f"{redact(file.path)} has changed since it was read; look again in a moment."
            )
        if uncovers(file, redact):
            raise ChangeRefused(
                "credential", f"A credential in {redact(file.path)} would come to light; edit it by hand."
            )
    return tuple(
        Previewed(
            vault=file.vault,
            path=file.path,
            to=file.to,
            diff=shown_diff(file, redact),
            digest=digest(file.before).hex(),
        )
        for file in files
    )
