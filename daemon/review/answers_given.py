"""Which answer stands for what was found. Answers outlive small changes of a note. Pure.

The key of a proposal is made of what is proposed and of the bytes of the notes that it rests on, so another text asks
again; unless most of the note is as it was (three quarters of its runs of words): then what was said of it stands.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from scrubjay.daemon.review.finders.shingles import SKETCH_SIZE
from scrubjay.daemon.review.proposal import KINDS
from scrubjay.profiles.number_sets import common
from scrubjay.profiles.store.near_copies import Hashes
from scrubjay.profiles.store.proposals import ProposalRow
from scrubjay.profiles.store.review_answers import AnswerRow

LATER_NS = 7 * 86_400 * 10**9
"""After how long what was put off is asked again."""

_SAME_TEXT = 0.75  # share of the runs of both sketches that both have


def answers_that_stand(
    found: Iterable[ProposalRow],
    rows: Sequence[AnswerRow],
    sketch_of: Callable[[int], Hashes],
    is_there: Callable[[str, str], bool],
) -> dict[str, str]:
    """The key of what was said of each that was found, or of the same in an earlier text; where nothing was, none.

    rows: all that was said. sketch_of: that of a note as it is now, by its id. is_there: whether a vault
    (by id) has a note at a path.
    """
    keys = {row.key for row in rows}
    by_digest = {(row.kind, row.subject, row.digest): row for row in rows}
    by_place = {(row.kind, row.subject, row.vault, row.path): row for row in rows}
    standing: dict[str, str] = {}
    for each in found:
        if each.key in keys:
            standing[each.key] = each.key
            continue
        kind = KINDS[each.kind]
        moved = by_digest.get((kind, each.subject, each.digest))
        row = None if moved is None or is_there(moved.vault, moved.path) else moved
        if row is None and (before := by_place.get((kind, each.subject, each.vault, each.path))):
            same = before.digest == each.digest or _is_same(before, sketch_of(each.note_id))
            row = before if same else None
        if row is not None:
            standing[each.key] = row.key
    return standing


def _is_same(row: AnswerRow, now: Hashes) -> bool:
    before = np.frombuffer(row.sketch, "<u4")
    if not len(before) or not len(now):
        return False
    ends = [int(each[-1]) for each in (before, now) if len(each) == SKETCH_SIZE]
    end = np.uint32(min(ends, default=2**32 - 1))
    shared = len(common(before, now))
    return shared >= _SAME_TEXT * (int(np.sum(before <= end)) + int(np.sum(now <= end)) - shared)
