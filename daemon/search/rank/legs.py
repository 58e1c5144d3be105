"""Asking both legs of every profile, and laying what they return side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.matches import Matches
from scrubjay.profiles.database.rows import LexicalHit, Nearest, SemanticHit, Vector
from scrubjay.profiles.federation import merge_lexical, merge_semantic

Key = tuple[str, int]  # profile name, chunk id
NOT_NEAR = Nearest((), {})
"""Of a semantic leg that found nothing or was not asked."""


@dataclass(frozen=True, slots=True)
class Legs:
    """What one profile returned: the best passages of both legs. An empty leg found nothing or did not run.

    nearest: what the semantic leg returned, with the vectors of the texts of both. matches: all that words found; None
    where they were not asked.
    """

    profile: str
    lexical: Sequence[LexicalHit]
    nearest: Nearest = NOT_NEAR
    matches: Matches | None = None

    @property
    def semantic(self) -> Sequence[SemanticHit]:
        """The best passages by meaning."""
        return self.nearest.hits

    @property
    def vectors(self) -> Mapping[bytes, Vector]:
        """Of the texts of both legs, by digest, as far as they are embedded and the semantic leg ran."""
        return self.nearest.vectors


@dataclass(frozen=True, slots=True)
class Candidates:
    """Every passage that any leg of any profile returned, in an order that depends on nothing but its content.

    `scores` is the fusion's table: row 0 BM25, row 1 cosine similarity, NaN where a leg did not return the passage.
    `coverage` has what the words leg knows beside: row 0 the share of the query that the passage holds, row 1 how alike
    its title is to the query (see profiles/lexical/coverage.py), row 2 whether its note is called what the query says;
    0 where that leg did not return the passage.
    """

    keys: tuple[Key, ...]
    digests: tuple[bytes, ...]
    notes: NDArray[np.int64]  # one number a note, the same for all its passages
    scores: NDArray[np.float64]  # shape (2, len(keys))
    coverage: NDArray[np.float64]  # shape (3, len(keys))

    def __len__(self) -> int:
        return len(self.keys)


def lay_out(
    answers: Sequence[Legs], *, lexical: int, semantic: int, spaces: Sequence[frozenset[str]] = ()
) -> Candidates:
    """Merge leg by leg: the best `lexical` hits of all profiles by words, and the best `semantic` ones by meaning.

    The depths must be those of one profile's legs, or a federation would weigh other passages than one index does.
    spaces: the profiles that share a model, where there are several models; the best of each go on.
    Merging before fusing is what keeps a federation as good as one index; see docs/retrieval.md. Copies of a text stay
    together, each with its note's own evidence.
    """
    words, meanings = _merged(answers, (lexical, semantic), spaces)
    hits: dict[Key, LexicalHit | SemanticHit] = {**meanings, **words}
    ordered = sorted((hit.digest, key) for key, hit in hits.items())
    scores, coverage = np.full((2, len(ordered)), np.nan), np.zeros((3, len(ordered)))
    numbers: dict[tuple[str, int], int] = {}
    notes = np.empty(len(ordered), dtype=np.int64)
    for column, (_, key) in enumerate(ordered):
        if key in words:
            scores[0, column] = words[key].score
            coverage[:, column] = words[key].query_share, words[key].title, words[key].named
        if key in meanings:
            scores[1, column] = 1.0 - meanings[key].distance
        notes[column] = numbers.setdefault((key[0], hits[key].note_id), len(numbers))
    keys, digests = tuple(key for _, key in ordered), tuple(digest for digest, _ in ordered)
    return Candidates(keys, digests, notes, scores, coverage)


def _merged(
    answers: Sequence[Legs], depths: tuple[int, int], spaces: Sequence[frozenset[str]]
) -> tuple[dict[Key, LexicalHit], dict[Key, SemanticHit]]:
    """Both legs of all profiles together; one profile's are merged as they are."""
    if len(answers) == 1:
        profile = answers[0].profile
        return (
            {(profile, hit.chunk_id): hit for hit in answers[0].lexical[: depths[0]]},
            {(profile, hit.chunk_id): hit for hit in answers[0].semantic[: depths[1]]},
        )
    words = merge_lexical({answer.profile: answer.lexical for answer in answers}, depths[0])
    lexical = {(place.profile, place.hit.chunk_id): place.hit for text in words for place in text.places}
    semantic: dict[Key, SemanticHit] = {}
    for space in spaces or [frozenset(answer.profile for answer in answers)]:
        legs = {answer.profile: answer.semantic for answer in answers if answer.profile in space}
        near = merge_semantic(legs, depths[1])
        semantic |= {(place.profile, place.hit.chunk_id): place.hit for text in near for place in text.places}
    return lexical, semantic
