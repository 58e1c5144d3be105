"""Notes that say nearly the same, and what differs between them."""

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from itertools import islice

import numpy as np

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.habits import is_apart
from scrubjay.daemon.review.finders.shingles import (
    SKETCH_SIZE,
    WordHashes,
    own_words,
    runs,
    sketch,
    words,
)
from scrubjay.daemon.review.proposal import Kind
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.number_sets import are_among, distinct, without
from scrubjay.profiles.store import near_copies as kept
from scrubjay.profiles.store.near_copies import (
    FoundPairs,
    Hashes,
    Ids,
    MadeSketches,
    NearCopy,
    NearCopyPass,
    Sketches,
    groups_of,
)
from scrubjay.profiles.store.note_texts import StoredNote, texts_of
from scrubjay.profiles.store.store import Store

_WORD = re.compile(r"\S+")
_MOST_WORDS = 400  # of each text from where they differ on: at worst, the time grows with their product
_MOST_PLACES = 3
_LONGEST = 60  # code points of one side of a place


def difference(text: str, other: str) -> str:
    """The first places where `text` differs from `other`, as "this → that", one a line; "" where no word does.

    Words that only one has stand alone, with "+" for those of `text` and "-" for those of `other` before them.
    """
    mine, theirs = (_WORD.findall(each) for each in (text, other))
    same = next(
        (at for at, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs))
    )
    mine, theirs = mine[same : same + _MOST_WORDS], theirs[same : same + _MOST_WORDS]
    changes = (op for op in SequenceMatcher(None, theirs, mine, autojunk=False).get_opcodes() if op[0] != "equal")
    lines: list[str] = []
    for tag, start, end, my_start, my_end in islice(changes, _MOST_PLACES):
        before, after = _shortened(theirs[start:end]), _shortened(mine[my_start:my_end])
        lines.append(f"{before} → {after}" if tag == "replace" else f"+ {after}" if tag == "insert" else f"- {before}")
    return "\n".join(lines)


def _shortened(words: list[str]) -> str:
    joined = " ".join(words)
    return joined if len(joined) <= _LONGEST else f"{joined[:_LONGEST]}…"


_DAY = re.compile(r"\b((?:19|20)\d{2})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?\b")
_VERSION = re.compile(r"(?:\bv|\bversion |\brelease )(\d+(?:\.\d+)*)\b|\b(\d+\.\d+\.\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """A day or a version that two texts of one subject tell otherwise, as it is written."""

    older: str
    newer: str
    is_first_older: bool


def told_otherwise(text: str, other: str) -> Told | None:
    """The newest version, or else day, that each of two texts tells and the other does not; None unless both do."""
    for pattern in (_VERSION, _DAY):
        one, two = (_told(pattern, each) for each in (text, other))
        mine, theirs = one.keys() - two.keys(), two.keys() - one.keys()
        if mine and theirs and (mine_last := max(mine)) != (their_last := max(theirs)):
            older, newer = sorted((mine_last, their_last))
            return Told((one | two)[older], (one | two)[newer], mine_last == older)
    return None


def _told(pattern: re.Pattern[str], text: str) -> dict[tuple[int, ...], str]:
    numbers = ((match[0], [part for part in match.groups() if part]) for match in pattern.finditer(text))
    return {tuple(int(each) for part in parts for each in part.split(".")): whole for whole, parts in numbers}


VERSION = "1"
"""Raise it when sketches or what counts as a near copy change: all notes are then compared again."""
FRAME_FROM = 6
"""A run of words in more notes than this is a frame that they share."""
_LEAST_SHARED = 4  # runs that two sketches share, and
_LEAST_LIKENESS = 0.15  # share of their runs, for a closer look
_LEAST_WORDS = 8  # of its own that a note must have
# Templates alone reach the first of these, so the others ask the same of what is a note's own.
_ALIKE = 0.8  # share of all words in common (Jaccard)
_WORDS_HELD = 0.8  # share of the own words of the note that has fewer, and
_RUNS_HELD = 0.65  # of its own runs that the other has
_AT_ONCE = 1_000  # sketches written in one transaction
_PARTS = 16  # that hashes are sorted in
_ALL_FROM = 0.2  # share of changed notes from which all are compared anew


def compare(store: Store) -> Generator[MadeSketches | FoundPairs, object, None]:
    """What is to be kept so that the pairs of a store are up to date: nothing where no note has changed.

    Each is to be kept before the next is asked for. Raises ProfileError.
    """
    if store.read_only is not None:
        return  # who writes compares
    before = kept.last_compared(store, VERSION)
    stale = kept.stale_sketches(store, all_notes=before is None)
    if before is not None and not stale:
        return
    known = WordHashes()
    for start in range(0, len(stale), _AT_ONCE):
        batch = stale[start : start + _AT_ONCE]
        stamps, texts = kept.note_stamps(store, batch), texts_of(store, batch)
        yield MadeSketches({note: (stamp, sketch(texts.get(note, ""), known)) for note, stamp in stamps.items()})
    sketches = kept.load_sketches(store)
    changed = len(stale) + (before.changed if before else 0)
    if before is None or changed > _ALL_FROM * len(sketches.note_ids):
        among, compared = None, NearCopyPass(frame_of(sketches), 0)
    else:
        among, compared = stale, NearCopyPass(before.frame, changed)
    yield FoundPairs(VERSION, pairs_of(sketches, compared.frame, partial(texts_of, store), among), compared, among)


def frame_of(sketches: Sketches) -> Hashes:
    """The runs that more than `FRAME_FROM` notes have in their sketches, ascending."""
    ordered = np.sort(sketches.hashes)
    return distinct(ordered[FRAME_FROM:][ordered[FRAME_FROM:] == ordered[:-FRAME_FROM]])


def pairs_of(
    sketches: Sketches,
    frame: Hashes,
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
    among: Sequence[int] | None = None,
) -> list[NearCopy]:
    """The near copies among all notes, or (among: note ids) those that one of these notes has.

    frame: `frame_of` these sketches, or of those before a few changed. texts_of: the texts of notes, by id.
    """
    candidates = list(_candidates(sketches, frame, among))
    texts = texts_of(sorted({note_id for pair in candidates for note_id in pair}))
    known = WordHashes()
    read = {note_id: _Words.of(text, frame, known) for note_id, text in texts.items()}
    return [
        NearCopy(min(one, other), max(one, other), likeness)
        for one, other in candidates
        if one in read and other in read and (likeness := _likeness(read[one], read[other]))
    ]


@dataclass(frozen=True, slots=True)
class _Words:
    """A text as it is compared: all of its words, and what is its own, that is, no frame."""

    all: Counter[str]
    own: Counter[str]
    runs: Hashes  # its own, ascending

    @classmethod
    def of(cls, text: str, frame: Hashes, known: WordHashes) -> "_Words":
        listed = words(text)
        found = runs(listed, known)
        return cls(Counter(listed), own_words(listed, found, frame), without(distinct(found), frame))


def _likeness(one: _Words, other: _Words) -> float:
    """The share of words that two notes have in common, 0 to 1; 0 for those that are no near copies."""
    own = min(one.own.total(), other.own.total())
    if own < _LEAST_WORDS or _common(one.own, other.own) < _WORDS_HELD * own:
        return 0.0
    held = len(np.intersect1d(one.runs, other.runs, assume_unique=True))
    if held < _RUNS_HELD * min(len(one.runs), len(other.runs)):
        return 0.0
    common = _common(one.all, other.all)
    alike = common / (one.all.total() + other.all.total() - common)
    return alike if alike >= _ALIKE else 0.0


def _common(one: Counter[str], other: Counter[str]) -> int:
    return sum(min(count, other[word]) for word, count in one.items() if word in other)


def _candidates(sketches: Sketches, frame: Hashes, among: Sequence[int] | None) -> Iterator[tuple[int, int]]:
    """Pairs of notes whose sketches have enough in common, the frame left out."""
    rows = None if among is None else np.flatnonzero(np.isin(sketches.note_ids, among))
    ones, others, shared = _sharing(sketches, frame, rows)
    rows_seen = np.union1d(ones, others).tolist()
    own: dict[int, Hashes] = {row: without(sketches.of(row), frame) for row in rows_seen}
    for one, other, count in zip(ones.tolist(), others.tolist(), shared.tolist(), strict=True):
        ends = (int(whole[-1]) for row in (one, other) if len(whole := sketches.of(row)) == SKETCH_SIZE)
        end = np.uint32(min(ends, default=2**32 - 1))  # a sketch that is full says nothing of larger hashes
        sizes = sum(int(np.searchsorted(own[row], end, "right")) for row in (one, other))
        if count >= _LEAST_LIKENESS * (sizes - count):
            yield int(sketches.note_ids[one]), int(sketches.note_ids[other])


def _sharing(sketches: Sketches, frame: Hashes, rows: Ids | None) -> tuple[Ids, Ids, Ids]:
    """Rows that share runs which are no frame, and how many; rows: one of each pair is among these."""
    size = len(sketches.note_ids)
    if rows is None:
        repeated = _repeated(sketches.hashes)
    else:
        held = np.unique(np.concatenate([frame[:0], *(sketches.of(row) for row in rows.tolist())]))
        places = _held(sketches.hashes, without(held, frame))
        repeated = places[_repeated(sketches.hashes[places])]
    hashes, owners = sketches.hashes[repeated], sketches.rows_of(repeated)
    starts = np.flatnonzero(np.diff(hashes.astype(np.int64), prepend=-1))
    counts = np.diff(np.append(starts, len(hashes)))
    is_shared = np.repeat((counts > 1) & (counts <= FRAME_FROM), counts)
    hashes, owners = hashes[is_shared], owners[is_shared]
    codes = [np.empty(0, np.int64)]
    for step in range(1, FRAME_FROM):
        same = hashes[step:] == hashes[:-step]
        codes.append(owners[:-step][same] * size + owners[step:][same])
    found, shared = np.unique(np.concatenate(codes), return_counts=True)
    found, shared = found[shared >= _LEAST_SHARED], shared[shared >= _LEAST_SHARED]
    ones, others = np.divmod(found, max(size, 1))
    if rows is None:
        return ones, others, shared
    is_among = np.isin(ones, rows) | np.isin(others, rows)
    return ones[is_among], others[is_among], shared[is_among]


def _repeated(hashes: Hashes) -> Ids:
    """Where hashes are that stand more than once: equal ones together, in their order.

    A part of them at a time, by bits in the middle: sorting all takes six times their memory.
    """
    found = [np.empty(0, np.int64)]
    parts = ((hashes >> np.uint32(4)) % np.uint32(_PARTS)).astype(np.uint8)
    for part in range(_PARTS):
        places = np.flatnonzero(parts == part)
        places = places[np.argsort(hashes[places], kind="stable")]
        is_same = hashes[places[1:]] == hashes[places[:-1]]
        is_repeated = np.append(is_same, np.zeros(1, np.bool_))[: len(places)]
        is_repeated[1:] |= is_same
        found.append(places[is_repeated])
    return np.concatenate(found)


def _held(hashes: Hashes, wanted: Hashes) -> Ids:
    """Where hashes are that are among `wanted` (ascending, few); by their upper halves first, which leaves few."""
    is_likely = np.zeros(1 << 16, np.bool_)
    is_likely[wanted >> np.uint32(16)] = True
    places = np.flatnonzero(is_likely[hashes >> np.uint32(16)])
    return places[are_among(hashes[places], wanted)]


class NearCopies:
    """One proposal for each group of near copies: about the one that is linked to least, and changed last of these.

    Two that tell other versions or other days than each other are no copies: the older one was perhaps replaced.
    """

    kinds: tuple[Kind, ...] = ("near-copy", "replaced")

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """All groups of those that were compared. See `Finder.find`."""
        likeness = {
            (pair.note_id, pair.other_id): pair.likeness
            for pair in kept.near_copies(notes.store)
            if pair.note_id in notes.by_id and pair.other_id in notes.by_id
        }
        for group in groups_of(likeness):
            members = [notes.by_id[note_id] for note_id in group if not is_apart(notes.by_id[note_id])]
            if len(members) < 2:
                continue
            about = min(members, key=lambda note: (notes.links_to(note), -note.mtime_ns, note.path))
            alike = {
                other.note_id: likeness.get((min(ids), max(ids)), 0.0)
                for other in members
                if other != about and (ids := (about.note_id, other.note_id))
            }
            others = sorted((note for note in members if note != about), key=lambda note: -alike[note.note_id])
            yield self._found(notes, about, others, alike)

    def _found(
        self, notes: ReviewNotes, about: StoredNote, others: Sequence[StoredNote], alike: Mapping[int, float]
    ) -> FoundProposal:
        kind: Kind = "near-copy"
        detail = ""
        nearest = others[0]
        texts = texts_of(notes.store, (about.note_id, nearest.note_id))
        strength = max(alike.values())
        if len(others) == 1 and (told := told_otherwise(*(texts.get(n.note_id, "") for n in (about, nearest)))):
            kind, detail = "replaced", f"{told.older} → {told.newer}"
            if not told.is_first_older:
                about, nearest = nearest, about
        others = [nearest] if len(others) == 1 else others
        score = alike if len(others) > 1 else {nearest.note_id: strength}
        return FoundProposal(
            kind=kind,
            note=about,
            subject=nearest.path if kind == "replaced" else "",
            rests_on=(about, *sorted(others, key=lambda note: (note.vault, note.path))),
            quote=difference(texts.get(about.note_id, ""), texts.get(nearest.note_id, "")),
            detail=detail,
            others=tuple(notes.other(note, score=round(score[note.note_id], 3)) for note in others),
            strength=round(strength, 3),
        )
