"""What speaks for each of a vault's own tags in a note: its neighbours in meaning, its folder, its words."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from ahocorasick_rs import AhoCorasick
from numpy.typing import NDArray

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.names import fold
from scrubjay.profiles.search.meaning.vectors import vectors_of_notes
from scrubjay.profiles.store.note_texts import StoredNote
from scrubjay.profiles.store.rows import Vectors

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z](?<=[a-z][A-Z])")
_COLOUR = re.compile(r"(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})")


def tag_words(text: str) -> str:
    """The words of a tag or a text, folded, with one space between them. Of a nested tag, those of its last part."""
    return " ".join(_WORD.findall(fold(_CAMEL.sub(r" \g<0>", text.rpartition("/")[2] if " " not in text else text))))


def is_colour(tag: str) -> bool:
    """Whether a folded tag is a colour of a style sheet, such as #dcddde, and no word such as #cafe."""
    if not _COLOUR.fullmatch(tag):
        return False
    return len(tag) > 3 or any(map(str.isdigit, tag)) or len(set(tag)) == 1


Evidence: TypeAlias = NDArray[np.float64]  # shape (FEATURES,)
FEATURES = 9
LEAST_USES = 3
"""Notes that must have a tag for it to be proposed to another."""
_TAG = re.compile(r"#(?<!\S#)[^\s#]+")
_NEIGHBOURS = 20
_FOLDER_PRIOR = 2.0  # notes' worth of "no" in a folder with few notes
_LEAST_SHARE = 0.1  # of a folder's notes that have a tag, for it to be a candidate by the folder alone
_BLOCK = 128  # notes compared with all others at once
_NOTES_READ = 64  # whose vectors are read at once


@dataclass(frozen=True, slots=True)
class TagCandidate:
    """A tag that something speaks for."""

    tag: str  # folded
    evidence: Evidence


class TagEvidence:
    """The tags of one vault, and what speaks for them in its notes. Reads vectors and texts once they are needed."""

    def __init__(self, notes: ReviewNotes, members: Sequence[StoredNote]) -> None:
        self._notes = notes
        self._members = members
        self._row_of = {note.note_id: row for row, note in enumerate(members)}
        self.spelling = _vocabulary(members)
        self.tags_of = [frozenset(key for key in map(fold, note.tags) if key in self.spelling) for note in members]
        self._is_tagged = np.array([bool(note.tags) for note in members], dtype=bool)
        self._uses = Counter(tag for tags in self.tags_of for tag in tags)
        self._folders = [note.path.rpartition("/")[0] for note in members]
        self._in_folder: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._folder_sizes: Counter[str] = Counter(self._folders)
        self._folder_tagged: Counter[str] = Counter()
        for folder, tags, is_tagged in zip(self._folders, self.tags_of, self._is_tagged, strict=True):
            self._in_folder[folder].update(tags)
            self._folder_tagged[folder] += int(is_tagged)

    @cached_property
    def _vectors(self) -> Vectors:
        return _mean_vectors(self._notes, self._members, self._row_of)

    @cached_property
    def _linked(self) -> list[list[int]]:
        return _links(self._notes, self._row_of)

    @cached_property
    def _phrases(self) -> tuple[AhoCorasick, list[str]] | None:
        """What finds the words of tags, and the tag of each of its patterns; None where no tag has words."""
        phrases = {f" {phrase} ": tag for tag in self.spelling if (phrase := tag_words(tag))}
        return (AhoCorasick(list(phrases)), list(phrases.values())) if phrases else None

    def candidates(self, note_ids: Sequence[int]) -> Iterator[tuple[int, list[TagCandidate]]]:
        """Each of these notes of the vault with its candidates, as if it had no tags itself."""
        rows = [self._row_of[note_id] for note_id in note_ids if note_id in self._row_of]
        said = self._said(rows)
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            likeness = self._vectors[block] @ self._vectors.T
            for row, values in zip(block, likeness, strict=True):
                values[row] = -1.0
                yield self._members[row].note_id, self._of(row, values, said.get(row, frozenset()))

    def _said(self, rows: Sequence[int]) -> dict[int, frozenset[str]]:
        """The tags whose words each of these notes says, by its row; notes without a passage are left out."""
        if self._phrases is None:
            return {}
        automaton, tags = self._phrases
        said: dict[int, frozenset[str]] = {}
        for note_id, passages in self._notes.passages([self._members[row].note_id for row in rows]):
            row = self._row_of[note_id]
            text = " ".join((self._members[row].title, *(passage.text for passage in passages)))
            words = f" {tag_words(_TAG.sub(' ', text))} "  # a tag that is there already says nothing of the words
            found = automaton.find_matches_as_indexes(words, overlapping=True)
            said[row] = frozenset(tags[number] for number, _, _ in found)
        return said

    def nearest(self, note_id: int, limit: int) -> list[tuple[int, float]]:
        """The notes nearest in meaning to one, as (id, cosine), best first; none where it has no vector."""
        row = self._row_of[note_id]
        values = self._vectors @ self._vectors[row]
        values[row] = -1.0
        best: list[int] = np.argsort(-values, kind="stable")[:limit].tolist()
        return [(self._members[other].note_id, float(values[other])) for other in best if values[other] > 0]

    def _of(self, row: int, likeness: NDArray[np.float32], said: frozenset[str]) -> list[TagCandidate]:
        near = np.argpartition(-likeness, min(_NEIGHBOURS, len(likeness) - 1))[:_NEIGHBOURS]
        near = near[likeness[near] > 0]
        weights = likeness[near].astype(np.float64) ** 4  # the nearest count most
        by_meaning: defaultdict[str, float] = defaultdict(float)
        nearest: dict[str, float] = {}
        others: list[int] = near.tolist()
        for other, weight in zip(others, weights.tolist(), strict=True):
            for tag in self.tags_of[other]:
                by_meaning[tag] += weight
                nearest[tag] = max(nearest.get(tag, 0.0), float(likeness[other]))
        whole = float(weights.sum()) or 1.0
        of_tagged = float(weights[self._is_tagged[near]].sum()) or 1.0
        folder, own = self._folders[row], self.tags_of[row]
        size = self._folder_sizes[folder] - 1
        tagged = self._folder_tagged[folder] - int(self._is_tagged[row])
        in_folder = {tag: count - (tag in own) for tag, count in self._in_folder[folder].items()}
        linked = self._linked[row]
        by_links = Counter(tag for other in linked for tag in self.tags_of[other])
        likely = {tag for tag, count in in_folder.items() if count > 1 and count >= _LEAST_SHARE * size}
        found: list[TagCandidate] = []
        for tag in sorted(by_meaning.keys() | likely | by_links.keys() | said):
            uses = self._uses[tag] - (tag in own)
            if uses < LEAST_USES - 1:
                continue
            evidence = (
                by_meaning.get(tag, 0.0) / whole,
                by_meaning.get(tag, 0.0) / of_tagged,
                nearest.get(tag, 0.0),
                in_folder.get(tag, 0) / (size + _FOLDER_PRIOR),
                in_folder.get(tag, 0) / (tagged + _FOLDER_PRIOR),
                by_links.get(tag, 0) / (len(linked) + 1),
                float(tag in said),
                float(tag in said) / np.log2(2 + uses),
                np.log(uses / len(self._members)),
            )
            found.append(TagCandidate(tag, np.array(evidence, dtype=np.float64)))
        return found


def _vocabulary(members: Iterable[StoredNote]) -> dict[str, str]:
    """The tags that may be proposed: folded -> as most notes write them."""
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for note in members:
        for tag in note.tags:
            written[fold(tag)][tag] += 1
    return {
        key: min(forms, key=lambda form: (-forms[form], form))
        for key, forms in sorted(written.items())
        if forms.total() >= LEAST_USES and not is_colour(key) and MARK_START not in "".join(forms)
    }


def _mean_vectors(notes: ReviewNotes, members: Sequence[StoredNote], row_of: Mapping[int, int]) -> Vectors:
    """The mean vector of each note, of length 1; 0 where it has none."""
    means: Vectors = np.zeros((len(members), 1), dtype=np.float32)
    ids = sorted(row_of)
    for start in range(0, len(ids), _NOTES_READ):
        owners, vectors = notes.store.read(vectors_of_notes, ids[start : start + _NOTES_READ])
        if not len(owners):
            continue
        if means.shape[1] != vectors.shape[1]:
            means = np.zeros((len(members), vectors.shape[1]), dtype=np.float32)
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        counts = np.diff(np.append(starts, len(owners)))
        mean = np.add.reduceat(vectors, starts, axis=0) / counts[:, np.newaxis].astype(np.float32)
        lengths = np.linalg.norm(mean, axis=1, keepdims=True)
        rows = [row_of[note_id] for note_id in owners[starts].tolist()]
        means[rows] = np.divide(mean, lengths, out=np.zeros_like(mean), where=lengths > 0)
    return means


def _links(notes: ReviewNotes, row_of: Mapping[int, int]) -> list[list[int]]:
    """Of each note, the rows of the notes that it links to or that link to it."""
    graph = notes.graph
    linked: list[list[int]] = [[] for _ in row_of]
    for note_id, row in row_of.items():
        if note_id in graph.row_of:
            others = graph.ids[graph.both.of(graph.row_of[note_id])].tolist()
            linked[row] = [row_of[other] for other in others if other in row_of]
    return linked
