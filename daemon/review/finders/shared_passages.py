"""Long paragraphs that nearly stand in another note, too, where the notes as a whole are no near copies.

Compared as notes are (see `near_copies`), by a sample of each paragraph's runs of words: those whose hash `_SAMPLED`
divides, so that samples can be compared whatever the lengths of the paragraphs.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, combinations
from typing import TypeAlias

import numpy as np

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.habits import is_apart, is_periodic
from scrubjay.daemon.review.finders.near_copy import difference, frame_of, pairs_of
from scrubjay.daemon.review.finders.shingles import SKETCH_SIZE, WordHashes, distinct, runs, words
from scrubjay.daemon.review.memos import Part
from scrubjay.daemon.review.proposal import Kind
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.search.results.plain_text import UNSEEN
from scrubjay.profiles.store import near_copies as kept
from scrubjay.profiles.store.near_copies import Hashes, Sketches, groups_of
from scrubjay.profiles.store.note_texts import StoredNote, StoredPassage
from scrubjay.profiles.store.subjects import passage_subject

LEAST_WORDS = 40
"""Of a paragraph that is worth writing once."""

_SAMPLED = 4
_QUOTED = 200  # code points
_ADDRESS = re.compile(rf"{UNSEEN}|https?://\S+")
_PARAGRAPH = re.compile(r"\S(?:[^\n]++|\n(?![ \t]*\n))*")


@dataclass(frozen=True, slots=True)
class _Paragraph:
    note_id: int
    position: int  # of its passage in the note
    start: int  # offset in the passage
    sample: Hashes  # ascending


_Sampled: TypeAlias = tuple[int, int, bytes]
"""Position and start of a `_Paragraph`, and its sample, little-endian."""
_LONG_PARAGRAPHS = Part("long paragraphs", list[_Sampled])


@dataclass(frozen=True, slots=True)
class _Read:
    text: str
    line: int


class SharedPassages:
    """One proposal for each two notes that share paragraphs: about the one that is linked to less."""

    kinds: tuple[Kind, ...] = ("near-copy",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """See `Finder.find`."""
        compared = (note for note in notes.notes if not is_apart(note) and not is_periodic(note))
        paragraphs = [
            _Paragraph(note_id, position, start, np.frombuffer(sample, "<u4").astype(np.uint32, copy=False))
            for note_id, long in notes.memos.of(_LONG_PARAGRAPHS, compared, lambda _: None, partial(_sampled, notes))
            for position, start, sample in long
        ]
        sketches = Sketches(
            np.arange(len(paragraphs)),
            np.array([0, *accumulate(len(each.sample) for each in paragraphs)], np.int64),
            np.concatenate([np.empty(0, np.uint32), *(each.sample for each in paragraphs)]),
        )

        read: dict[int, _Read] = {}

        def texts(wanted: Sequence[int]) -> dict[int, str]:
            read.update(_read(notes, paragraphs, wanted))
            return {number: _said(found.text) for number, found in read.items()}

        copies = _copies(notes)
        shared: dict[tuple[int, int], list[tuple[float, int, int]]] = {}
        for pair in pairs_of(sketches, frame_of(sketches), texts):
            ids = paragraphs[pair.note_id].note_id, paragraphs[pair.other_id].note_id
            if ids[0] != ids[1] and ids not in copies:
                shared.setdefault(ids, []).append((pair.likeness, -pair.note_id, -pair.other_id))
        for ids, found in shared.items():
            likeness, *numbers = max(found)
            sides = [(notes.by_id[note_id], read[-number]) for note_id, number in zip(ids, numbers, strict=True)]
            yield _found(notes, sides, likeness)


def _sampled(notes: ReviewNotes, some: Sequence[StoredNote]) -> Iterator[tuple[int, list[_Sampled]]]:
    """The long paragraphs of some notes."""
    known = WordHashes()
    for note_id, passages in notes.passages([note.note_id for note in some]):
        yield note_id, [each for passage in passages for each in _paragraphs(passage, known)]


def _paragraphs(passage: StoredPassage, known: WordHashes) -> Iterator[_Sampled]:
    for match in _PARAGRAPH.finditer(passage.text):
        if match.end() - match.start() < LEAST_WORDS:  # a word may be one character
            continue
        listed = words(_said(match[0]))
        if len(listed) >= LEAST_WORDS:
            hashes = runs(listed, known)
            # A sample as large as a sketch would be taken for the smallest hashes of more.
            sample = distinct(hashes[hashes % np.uint32(_SAMPLED) == 0])[: SKETCH_SIZE - 1]
            yield passage.position, match.start(), sample.astype("<u4").tobytes()


def _said(text: str) -> str:
    """A text without the addresses of its links: those of a site are alike whatever they lead to."""
    return _ADDRESS.sub(" ", text) if any(mark in text for mark in "[]:") else text


def _read(notes: ReviewNotes, paragraphs: Sequence[_Paragraph], wanted: Sequence[int]) -> dict[int, _Read]:
    """Some of the paragraphs, by their numbers; without those that have changed meanwhile."""
    at = {(each.note_id, each.position, each.start): number for number in wanted if (each := paragraphs[number])}
    found: dict[int, _Read] = {}
    for note_id, passages in notes.passages(sorted({paragraphs[number].note_id for number in wanted})):
        for passage in passages:
            for match in _PARAGRAPH.finditer(passage.text):
                number = at.get((note_id, passage.position, match.start()))
                if number is not None:
                    line = passage.line + passage.text.count("\n", 0, match.start())
                    found[number] = _Read(match[0], line)
    return found


def _copies(notes: ReviewNotes) -> set[tuple[int, int]]:
    """Pairs of notes that are near copies as a whole, directly or by others."""
    pairs = [(pair.note_id, pair.other_id) for pair in kept.near_copies(notes.store)]
    return {pair for group in groups_of(pairs) for pair in combinations(group, 2)}


def _found(notes: ReviewNotes, sides: Sequence[tuple[StoredNote, _Read]], likeness: float) -> FoundProposal:
    (about, mine), (other, theirs) = sorted(sides, key=lambda side: (notes.links_to(side[0]), side[0].path))
    return FoundProposal(
        kind="near-copy",
        note=about,
        subject=passage_subject(other.vault, other.path),
        rests_on=(about, other),
        line=mine.line,
        quote=difference(_said(mine.text), _said(theirs.text)) or " ".join(mine.text.split())[:_QUOTED],
        others=(notes.other(other, line=theirs.line, score=round(likeness, 3)),),
        strength=round(likeness / 2, 3),  # below notes that are the same as a whole
    )
