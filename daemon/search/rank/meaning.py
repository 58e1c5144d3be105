"""The query as models read it, and how near the candidates are to that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.search.rank.legs import Candidates, Legs
from scrubjay.profiles.database.rows import Vector
from scrubjay.profiles.semantic.query_matrix import QueryMatrix


@dataclass(frozen=True, slots=True)
class Meaning:
    """The query as one model reads it, and the profiles whose passages that model has embedded.

    matrices: of those profiles whose own names for their notes have taught how these are asked for.
    """

    model: str  # its fingerprint
    vector: Vector
    profiles: frozenset[str]
    trust: float  # how much of the query the model can read, 0 to 1
    matrices: Mapping[str, QueryMatrix]

    def vector_for(self, profile: str) -> Vector:
        """What the passages of a profile are compared with."""
        matrix = self.matrices.get(profile)
        return self.vector if matrix is None else matrix.of(self.vector)

    def shift_for(self, profile: str) -> float:
        """What is to be taken from a profile's similarities, so that they compare with those of the others."""
        matrix = self.matrices.get(profile)
        return 0.0 if matrix is None else matrix.shift


def fill_in(candidates: Candidates, meaning: Meaning, legs: Sequence[Legs]) -> None:
    """Take the similarity of the passages that words alone have found, so that no leg's cut decides."""
    by_matrix: dict[str, list[int]] = {}  # by profile; "": those of all whose queries are as the model reads them
    for column in np.flatnonzero(np.isnan(candidates.scores[1])).tolist():
        profile = candidates.keys[column][0]
        if profile in meaning.profiles:
            by_matrix.setdefault(profile if profile in meaning.matrices else "", []).append(column)
    for profile, columns in by_matrix.items():
        missing = np.array(columns, np.int64)
        vectors = vectors_of(candidates, missing, legs, len(meaning.vector))
        known = vectors.any(axis=1)
        likeness = vectors[known] @ meaning.vector_for(profile) - meaning.shift_for(profile)
        candidates.scores[1, missing[known]] = likeness


def models_of(candidates: Candidates, meanings: Sequence[Meaning]) -> NDArray[np.int64] | None:
    """Which of several models each candidate was embedded by; None where there is one, so that similarities compare."""
    if len(meanings) < 2:
        return None
    of_profile = {profile: number for number, meaning in enumerate(meanings) for profile in meaning.profiles}
    return np.array([of_profile.get(profile, -1) for profile, _ in candidates.keys], dtype=np.int64)


def vectors_of(
    candidates: Candidates, columns: NDArray[np.int64], legs: Sequence[Legs], dim: int
) -> NDArray[np.float32]:
    """A row for each of `columns`; zeros where there is no vector yet."""
    known = {leg.profile: leg.vectors for leg in legs}
    vectors = np.zeros((len(columns), dim), np.float32)
    for row, column in enumerate(columns):
        at = int(column)
        vector = known[candidates.keys[at][0]].get(candidates.digests[at])
        if vector is not None:
            vectors[row] = vector
    return vectors
