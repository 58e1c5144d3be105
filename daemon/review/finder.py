"""What finds proposals, and what it gives: a proposal before it has a profile, a key and an answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from scrubjay.daemon.review.proposal import Kind, Option, Other, Score
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.store.note_texts import StoredNote


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundProposal:
    """What a finder found. The fields are those of `Proposal`; `note` and `rests_on` are notes of the view."""

    kind: Kind
    note: StoredNote  # that it is about
    subject: str = ""  # tells it from others of its kind about this note: the tag, the target, the other note's path
    rests_on: tuple[StoredNote, ...] | None = None  # whose text an answer holds for; None: `note` alone; (): no text's
    line: int = 0
    quote: str = ""
    detail: str = ""
    others: tuple[Other, ...] = ()
    scores: tuple[Score, ...] = ()
    options: tuple[Option, ...] = ()
    strength: float = 0.0


def key_of(found: FoundProposal) -> str:
    """The key of what was found: 16 bytes, in hex."""
    notes = (found.note,) if found.rests_on is None else found.rests_on
    parts = (found.kind, found.note.vault, found.note.path, found.subject)
    digested = b"\0".join((*(part.encode() for part in parts), *(note.digest for note in notes)))
    return blake2b(digested, digest_size=16).hexdigest()


class Finder(Protocol):
    """Finds proposals of some kinds in one store.

    Made anew for each look, which may be in a process of its own, and called once. It may take seconds for 10,000
    notes.
    """

    kinds: tuple[Kind, ...]

    def find(self, notes: ReviewNotes) -> Iterable[FoundProposal]:
        """All that there is now, in any order. Raises ProfileError where the store is closed meanwhile."""
        ...
