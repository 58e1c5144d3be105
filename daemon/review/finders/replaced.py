"""Notes that another of the same subject seems to replace: a hint, since only a person can tell.

Here by their names, which differ in a version or a word such as "old" alone, with texts that have something in common.
Near copies that tell other versions or days are found with the other near copies (near_copies.py).
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from scrubjay.daemon.links.timeline import daily_date
from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.habits import is_apart, is_periodic
from scrubjay.daemon.review.proposal import Kind
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.names import fold
from scrubjay.profiles.store.near_copies import load_sketches, near_copies
from scrubjay.profiles.store.note_texts import StoredNote

_VERSION = re.compile(r"(?:\bv|\bversion |\brev(?:ision)? ?)(\d+(?:\.\d+)*)\b", re.IGNORECASE)
_OLD = re.compile(
    r"\(?\b(?:old|outdated|deprecated|obsolete|superseded|draft|alt|veraltet|entwurf|ancien|旧)\b\)?", re.IGNORECASE
)
_NEW = re.compile(r"\(?\b(?:new|final|updated|current|neu|aktuell|nouveau|新)\b\)?", re.IGNORECASE)
_COMMON = 0.08  # share of the runs of both notes that both have: they are about the same


class Replaced:
    """About the older note; the newer one is named."""

    kinds: tuple[Kind, ...] = ("replaced",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """See `Finder.find`."""
        sketches = load_sketches(notes.store)
        copies = {(pair.note_id, pair.other_id) for pair in near_copies(notes.store)}
        rows = {note_id: row for row, note_id in enumerate(sketches.note_ids.tolist())}
        for group in _same_subject(notes.notes):
            ordered = sorted(group, key=_age)
            for older, newer in pairwise(ordered):
                ids = older.note_id, newer.note_id
                if _age(older)[0] == _age(newer)[0] or not set(ids) <= rows.keys() or tuple(sorted(ids)) in copies:
                    continue
                one, other = (sketches.of(rows[note_id]) for note_id in ids)
                common = len(np.intersect1d(one, other, assume_unique=True))
                share = common / max(1, len(one) + len(other) - common)
                if share >= _COMMON:
                    yield FoundProposal(
                        kind="replaced",
                        note=older,
                        subject=newer.path,
                        rests_on=(older, newer),
                        detail=f"{_marks(older)} → {_marks(newer)}",
                        others=(notes.other(newer, score=round(share, 3)),),
                        strength=round(0.5 + share / 2, 3),
                    )


def _same_subject(notes: Sequence[StoredNote]) -> Iterator[list[StoredNote]]:
    """Notes of a vault whose names are one but for what tells their age; at least one of each group tells it."""
    groups: defaultdict[tuple[str, str], list[StoredNote]] = defaultdict(list)
    for note in notes:
        if not is_apart(note) and not is_periodic(note) and daily_date(note.path) is None:
            groups[note.vault, _subject(note)].append(note)
    for (_, subject), group in groups.items():
        if len(subject) > 2 and 1 < len(group) <= 6 and any(_marks(note) != "–" for note in group):
            yield group


def _subject(note: StoredNote) -> str:
    bare = _NEW.sub(" ", _OLD.sub(" ", _VERSION.sub(" ", _name(note))))
    return " ".join(re.findall(r"\w+", fold(bare)))


def _age(note: StoredNote) -> tuple[tuple[int, tuple[int, ...]], int]:
    """What notes of one subject are put in order by, the oldest first: what their names say; then when they changed."""
    version = _VERSION.search(_name(note))
    told = tuple(map(int, version[1].split("."))) if version else ()
    rank = -1 if _OLD.search(_name(note)) else 1 if _NEW.search(_name(note)) else 0
    return (rank, told), note.mtime_ns


def _marks(note: StoredNote) -> str:
    found = [match[0].strip() for mark in (_VERSION, _OLD, _NEW) if (match := mark.search(_name(note)))]
    return " ".join(found) or "–"


def _name(note: StoredNote) -> str:
    return note.path.rpartition("/")[2].removesuffix(".md")
