"""What was found, with its key and what the user said of it. Answers outlive small changes of a note. Pure.

A key is made of what is proposed and of the bytes of the notes that it rests on, so another text asks again; unless
most of the note is as it was (three quarters of its runs of words): then what was said of it stands.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.shingles import SKETCH_SIZE
from scrubjay.daemon.review.proposal import Answer
from scrubjay.profiles.store.near_copies import Hashes
from scrubjay.profiles.store.review_answers import AnswerRow
from scrubjay.profiles.store.subjects import subject_digest

LATER_NS = 7 * 86_400 * 10**9
"""After how long what was put off is asked again."""

_SAME_TEXT = 0.75  # share of the runs of both sketches that both have


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that was found, and where it stands."""

    key: str
    found: FoundProposal
    answer: Answer
    chosen: tuple[str, ...]
    said: str = ""  # the key under which that was said; "" where nothing stands


def key_of(found: FoundProposal) -> str:
    """The key of what was found: 16 bytes, in hex."""
    notes = (found.note,) if found.rests_on is None else found.rests_on
    parts = (found.kind, found.note.vault, found.note.path, found.subject)
    digested = b"\0".join((*(part.encode() for part in parts), *(note.digest for note in notes)))
    return blake2b(digested, digest_size=16).hexdigest()


def answered(
    found: Mapping[str, FoundProposal],
    rows: Sequence[AnswerRow],
    sketch_of: Callable[[int], Hashes],
    is_there: Callable[[str, str], bool],
    now_ns: int,
) -> list[Asked]:
    """What was found, by its key, with what was said of it.

    rows: what was said of these, and of what may be the same. sketch_of: that of a note as it is now, by its id.
    is_there: whether a vault (by id) has a note at a path.
    """
    by_key = {row.key: row for row in rows}
    by_digest = {(row.kind, row.subject, row.digest): row for row in rows}
    by_place = {(row.kind, row.subject, row.vault, row.path): row for row in rows}
    asked: list[Asked] = []
    for key, each in found.items():
        subject, note = subject_digest(each.subject), each.note
        row = by_key.get(key)
        if row is None and (moved := by_digest.get((each.kind, subject, note.digest))):
            row = None if is_there(moved.vault, moved.path) else moved
        if row is None and (before := by_place.get((each.kind, subject, note.vault, note.path))):
            same = before.digest == note.digest or _is_same(before, sketch_of(note.note_id))
            row = before if same else None
        if row is not None and row.key != key and each.options and row.answer == "done":
            row = None  # it was applied, so what is found now is something else
        is_open = row is None or (row.answer == "later" and row.at_ns < now_ns - LATER_NS)
        said = None if is_open else row
        asked.append(Asked(key, each, said.answer, said.chosen, said.key) if said else Asked(key, each, "open", ()))
    return asked


def _is_same(row: AnswerRow, now: Hashes) -> bool:
    before = np.frombuffer(row.sketch, "<u4")
    if not len(before) or not len(now):
        return False
    ends = [int(each[-1]) for each in (before, now) if len(each) == SKETCH_SIZE]
    end = np.uint32(min(ends, default=2**32 - 1))
    common = len(np.intersect1d(before, now))
    return common >= _SAME_TEXT * (int(np.sum(before <= end)) + int(np.sum(now <= end)) - common)
