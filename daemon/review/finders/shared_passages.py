"""Long paragraphs that nearly stand in another note, too, where the notes as a whole are no near copies.

Compared as notes are (see `near_copies`), by a sample of each paragraph's runs of words: those whose hash `_SAMPLED`
divides, so that samples can be compared whatever the lengths of the paragraphs.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TypeAlias

import numpy as np

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.habits import is_apart, is_periodic
from scrubjay.daemon.review.finders.near_copy import difference, frame_of, pairs_of
from scrubjay.daemon.review.finders.shingles import SKETCH_SIZE, WordHashes, runs, words
from scrubjay.daemon.review.memos import Part
from scrubjay.daemon.review.proposal import Kind
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.number_sets import distinct
from scrubjay.profiles.search.results.plain_text import UNSEEN
from scrubjay.profiles.store import near_copies as kept
from scrubjay.profiles.store.near_copies import Sketches, groups_of
from scrubjay.profiles.store.note_texts import StoredNote, StoredPassage
from scrubjay.profiles.store.subjects import passage_subject

LEAST_WORDS = 40
"""Of a paragraph that is worth writing once."""

_SAMPLED = 4
_QUOTED = 200  # code points
_ADDRESS = re.compile(rf"{UNSEEN}|https?://\S+")
_PARAGRAPH = re.compile(r"\S(?:[^\n]++|\n(?![ \t]*\n))*")


_Sampled: TypeAlias = tuple[int, int, bytes]
"""Of a paragraph: the position of its passage, its offset in there, and its sample, ascending, little-endian."""
_LONG_PARAGRAPHS = Part("long paragraphs", list[_Sampled])


class _Paragraphs:
    """Long paragraphs by their numbers. In arrays: a large vault has some hundred thousand."""

    def __init__(self, sampled: Iterable[tuple[int, Sequence[_Sampled]]]) -> None:
        """sampled: the paragraphs of each note, by its id."""
        self.note_ids = array("q")
        self._positions, self._starts, self._ends = array("q"), array("q"), array("q", (0,))
        self._samples = bytearray()
        for note_id, paragraphs in sampled:
            for position, start, sample in paragraphs:
                self.note_ids.append(note_id)
                self._positions.append(position)
                self._starts.append(start)
                self._samples += sample
                self._ends.append(len(self._samples))

    def place(self, number: int) -> tuple[int, int, int]:
        """The note, the position of its passage, and where in there a paragraph begins."""
        return self.note_ids[number], self._positions[number], self._starts[number]

    def sketches(self) -> Sketches:
        """Their samples."""
        samples = np.frombuffer(self._samples, "<u4").astype(np.uint32, copy=False)
        return Sketches(np.arange(len(self.note_ids)), np.array(self._ends, np.int64) // samples.itemsize, samples)


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
        paragraphs = _Paragraphs(notes.memos.of(_LONG_PARAGRAPHS, compared, lambda _: None, partial(_sampled, notes)))
        sketches = paragraphs.sketches()
        read: dict[int, _Read] = {}

        def texts(wanted: Sequence[int]) -> dict[int, str]:
            read.update(_read(notes, paragraphs, wanted))
            return {number: _said(found.text) for number, found in read.items()}

        copies = _copies(notes)
        shared: dict[tuple[int, int], list[tuple[float, int, int]]] = {}
        for pair in pairs_of(sketches, frame_of(sketches), texts):
            ids = paragraphs.note_ids[pair.note_id], paragraphs.note_ids[pair.other_id]
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


def _read(notes: ReviewNotes, paragraphs: _Paragraphs, wanted: Sequence[int]) -> dict[int, _Read]:
    """Some of the paragraphs, by their numbers; without those that have changed meanwhile."""
    at = {paragraphs.place(number): number for number in wanted}
    found: dict[int, _Read] = {}
    for note_id, passages in notes.passages(sorted({paragraphs.note_ids[number] for number in wanted})):
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
