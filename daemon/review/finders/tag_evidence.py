"""What speaks for each of a vault's own tags in a note: its neighbours in meaning, its folder, its words."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from ahocorasick_rs import AhoCorasick
from numpy.typing import NDArray

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.names import fold
from scrubjay.profiles.search.meaning.vectors import vectors_of
from scrubjay.profiles.store.note_texts import StoredNote, StoredPassage
from scrubjay.profiles.store.rows import Vectors

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COLOUR = re.compile(r"(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})")


def tag_words(text: str) -> str:
    """The words of a tag or a text, folded, with one space between them. Of a nested tag, those of its last part."""
    return " ".join(_WORD.findall(fold(_CAMEL.sub(" ", text.rpartition("/")[2] if " " not in text else text))))


def is_colour(tag: str) -> bool:
    """Whether a folded tag is a colour of a style sheet, such as #dcddde, and no word such as #cafe."""
    if not _COLOUR.fullmatch(tag):
        return False
    return len(tag) > 3 or any(map(str.isdigit, tag)) or len(set(tag)) == 1


Evidence: TypeAlias = NDArray[np.float64]  # shape (FEATURES,)
FEATURES = 9
LEAST_USES = 3
"""Notes that must have a tag for it to be proposed to another."""
_TAG = re.compile(r"(?<!\S)#[^\s#]+")
_NEIGHBOURS = 20
_FOLDER_PRIOR = 2.0  # notes' worth of "no" in a folder with few notes
_LEAST_SHARE = 0.1  # of a folder's notes that have a tag, for it to be a candidate by the folder alone
_BLOCK = 512  # notes compared with all others at once


@dataclass(frozen=True, slots=True)
class TagCandidate:
    """A tag that something speaks for."""

    tag: str  # folded
    evidence: Evidence


class TagEvidence:
    """The tags of one vault, and what speaks for them in its notes. Reads all texts and vectors once."""

    def __init__(self, notes: ReviewNotes, members: Sequence[StoredNote]) -> None:
        self._members = members
        self._row_of = {note.note_id: row for row, note in enumerate(members)}
        self.spelling = _vocabulary(members)
        self.tags_of = [frozenset(key for key in map(fold, note.tags) if key in self.spelling) for note in members]
        self._is_tagged = np.array([bool(note.tags) for note in members], dtype=bool)
        self._uses = Counter(tag for tags in self.tags_of for tag in tags)
        self._vectors, self._said = _texts(notes, members, self._row_of, list(self.spelling))
        self._linked = _links(notes, self._row_of)
        self._folders = [note.path.rpartition("/")[0] for note in members]
        self._in_folder: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._folder_sizes: Counter[str] = Counter(self._folders)
        self._folder_tagged: Counter[str] = Counter()
        for folder, tags, is_tagged in zip(self._folders, self.tags_of, self._is_tagged, strict=True):
            self._in_folder[folder].update(tags)
            self._folder_tagged[folder] += int(is_tagged)

    def candidates(self, note_ids: Sequence[int]) -> dict[int, list[TagCandidate]]:
        """The candidates of each of these notes of the vault, as if it had no tags itself."""
        rows = [self._row_of[note_id] for note_id in note_ids if note_id in self._row_of]
        found: dict[int, list[TagCandidate]] = {}
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            likeness = self._vectors[block] @ self._vectors.T
            for row, values in zip(block, likeness, strict=True):
                values[row] = -1.0
                found[self._members[row].note_id] = self._of(row, values)
        return found

    def nearest(self, note_id: int, limit: int) -> list[tuple[int, float]]:
        """The notes nearest in meaning to one, as (id, cosine), best first; none where it has no vector."""
        row = self._row_of[note_id]
        values = self._vectors @ self._vectors[row]
        values[row] = -1.0
        best: list[int] = np.argsort(-values, kind="stable")[:limit].tolist()
        return [(self._members[other].note_id, float(values[other])) for other in best if values[other] > 0]

    def _of(self, row: int, likeness: NDArray[np.float32]) -> list[TagCandidate]:
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
        for tag in sorted(by_meaning.keys() | likely | by_links.keys() | self._said[row]):
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
                float(tag in self._said[row]),
                float(tag in self._said[row]) / np.log2(2 + uses),
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


def _texts(
    notes: ReviewNotes, members: Sequence[StoredNote], row_of: Mapping[int, int], tags: Sequence[str]
) -> tuple[Vectors, list[frozenset[str]]]:
    """The mean vector of each note (of length 1; 0 where it has none), and the tags whose words it says."""
    said: list[frozenset[str]] = [frozenset()] * len(members)
    vectors: Vectors = np.zeros((len(members), 1), dtype=np.float32)
    phrases = {f" {phrase} ": tag for tag in tags if (phrase := tag_words(tag))}
    automaton = AhoCorasick(list(phrases)) if phrases else None
    numbered = list(phrases.values())
    for note_id, passages in notes.passages([note.note_id for note in members]):
        row = row_of[note_id]
        mean = _mean(notes, passages)
        if mean is not None:
            if vectors.shape[1] != len(mean):
                vectors = np.zeros((len(members), len(mean)), dtype=np.float32)
            vectors[row] = mean
        if automaton is not None:
            text = " ".join((members[row].title, *(passage.text for passage in passages)))
            words = f" {tag_words(_TAG.sub(' ', text))} "  # a tag that is there already says nothing of the words
            found = automaton.find_matches_as_indexes(words, overlapping=True)
            said[row] = frozenset(numbered[number] for number, _, _ in found)
    return vectors, said


def _mean(notes: ReviewNotes, passages: Sequence[StoredPassage]) -> NDArray[np.float32] | None:
    found = notes.store.read(vectors_of, [passage.digest for passage in passages])
    if not found:
        return None
    mean = np.mean(np.stack(list(found.values())), axis=0)
    length = float(np.linalg.norm(mean))
    return (mean / length).astype(np.float32) if length > 0 else None


def _links(notes: ReviewNotes, row_of: Mapping[int, int]) -> list[list[int]]:
    """Of each note, the rows of the notes that it links to or that link to it."""
    graph = notes.graph
    linked: list[list[int]] = [[] for _ in row_of]
    for note_id, row in row_of.items():
        if note_id in graph.row_of:
            others = graph.ids[graph.both.of(graph.row_of[note_id])].tolist()
            linked[row] = [row_of[other] for other in others if other in row_of]
    return linked
