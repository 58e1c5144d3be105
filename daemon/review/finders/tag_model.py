"""How likely a tag fits a note, learned from a vault's own tags, and whether that is worth showing.

Logistic regression (iteratively reweighted least squares, with a ridge) over the evidence of `evidence.py`. It is
fitted to a part of the vault's tagged notes, with their tags hidden, and as many notes without tags; another part then
says how often it is right, and from which likelihood on its tags are shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.review.finders.tag_evidence import FEATURES, TagCandidate, TagEvidence
from scrubjay.profiles.store.note_texts import StoredNote

Rated: TypeAlias = tuple[str, float]  # a tag, folded, and its likelihood

LEAST_TAGGED = 30
"""Notes with tags that a vault must have: from fewer nothing is learned."""

LEAST_PRECISION, LEAST_COVERAGE = 0.5, 0.5
"""Share of the tags proposed that must be right, and of the notes that must get one, where tags were hidden."""

LEAST_LIKELY = 0.5
"""What is less likely is never shown."""

MOST_TAGS = 5  # proposed to one note
_JUDGED = 3  # of them count for the precision
_SAMPLE = 400  # notes to learn from, and as many to check with
_RIDGE, _ROUNDS = 1.0, 25
_ABOUT = 0.02  # of precision, given for more notes with a tag


@dataclass(frozen=True, slots=True)
class TagModelCheck:
    """How a model did on notes whose tags were hidden from it."""

    threshold: float  # likelihood from which tags are shown
    precision: float
    coverage: float

    @property
    def is_good_enough(self) -> bool:
        """Whether its tags are worth showing."""
        return self.precision >= LEAST_PRECISION and self.coverage >= LEAST_COVERAGE


class TagModel:
    """Rates the tags of one vault."""

    def __init__(self, evidence: TagEvidence, weights: NDArray[np.float64], checked: TagModelCheck) -> None:
        self._evidence = evidence
        self._weights = weights
        self.checked = checked

    def likely(self, note_ids: Sequence[int]) -> dict[int, list[Rated]]:
        """The tags that fit each of these notes, as most notes spell them, the likeliest first; often none."""
        found: dict[int, list[Rated]] = {}
        for note_id, candidates in self._evidence.candidates(note_ids):
            rated = _rated(candidates, self._weights)
            kept = [(tag, value) for tag, value in rated[:MOST_TAGS] if value >= self.checked.threshold]
            found[note_id] = [(self._evidence.spelling[tag], value) for tag, value in kept]
        return found


def learned(evidence: TagEvidence, members: Sequence[StoredNote]) -> TagModel | None:
    """A model for the vault with these notes; None where it has too few tags."""
    tagged = _shuffled([note for note, tags in zip(members, evidence.tags_of, strict=True) if tags])
    bare = _shuffled([note for note in members if not note.tags])
    if len(tagged) < LEAST_TAGGED:
        return None
    half = min(len(tagged) // 2, _SAMPLE)
    learn, check = tagged[:half], tagged[half : half + _SAMPLE]
    truth = {note.note_id: tags for note, tags in zip(members, evidence.tags_of, strict=True)}
    samples = dict(evidence.candidates([note.note_id for note in (*learn, *bare[:half])]))
    weights = _fitted(samples, truth)
    rated = {
        note_id: _rated(found, weights)[:_JUDGED]
        for note_id, found in evidence.candidates([note.note_id for note in check])
    }
    return TagModel(evidence, weights, check_threshold(rated, truth))


def check_threshold(rated: Mapping[int, Sequence[Rated]], truth: Mapping[int, frozenset[str]]) -> TagModelCheck:
    """The lowest likelihood from which on the precision is about the best that leaves enough notes with a tag."""
    found: list[TagModelCheck] = []
    for threshold in np.linspace(LEAST_LIKELY, 0.95, 46).tolist():
        shown = {note_id: [tag for tag, value in tags if value >= threshold] for note_id, tags in rated.items()}
        count = sum(map(len, shown.values()))
        coverage = sum(map(bool, shown.values())) / max(len(rated), 1)
        precision = sum(tag in truth[note_id] for note_id, tags in shown.items() for tag in tags) / max(count, 1)
        if coverage >= LEAST_COVERAGE:
            found.append(TagModelCheck(threshold, precision, coverage))
    best = max((each.precision for each in found), default=0.0)
    return next((each for each in found if each.precision >= best - _ABOUT), TagModelCheck(1.0, 0.0, 0.0))


def _shuffled(notes: Sequence[StoredNote]) -> list[StoredNote]:
    """In an order that has nothing to do with the notes, and is always the same."""
    return sorted(notes, key=lambda note: blake2b(note.path.encode(), digest_size=8).digest())


def _fitted(samples: Mapping[int, Sequence[TagCandidate]], truth: Mapping[int, frozenset[str]]) -> NDArray[np.float64]:
    """Weights of the evidence, and last a constant."""
    rows = [(each.evidence, each.tag in truth[note_id]) for note_id, found in samples.items() for each in found]
    weights = np.zeros(FEATURES + 1)
    if not rows:
        return weights
    inputs = np.column_stack((np.stack([evidence for evidence, _ in rows]), np.ones(len(rows))))
    wanted = np.array([float(is_right) for _, is_right in rows])
    ridge = _RIDGE * np.eye(FEATURES + 1)
    ridge[-1, -1] = 1e-3
    for _ in range(_ROUNDS):
        likely = _sigmoid(inputs @ weights)
        curve = np.maximum(likely * (1 - likely), 1e-6)
        slope = inputs.T @ (wanted - likely) - ridge @ weights
        step = np.linalg.solve((inputs.T * curve) @ inputs + ridge, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _rated(candidates: Sequence[TagCandidate], weights: NDArray[np.float64]) -> list[Rated]:
    if not candidates:
        return []
    values = _sigmoid(np.stack([each.evidence for each in candidates]) @ weights[:-1] + weights[-1])
    rated = [(each.tag, float(value)) for each, value in zip(candidates, values, strict=True)]
    return sorted(rated, key=lambda pair: (-pair[1], pair[0]))


def _sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1.0 / (1.0 + np.exp(-np.clip(values, -30, 30)))
