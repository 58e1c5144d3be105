"""Merging the legs of several stores as if they were one. Pure.

Each leg is merged by its own measure (lexical by scores that shared their document frequencies, semantic by exact
distance) and only then fused, once. Fusing finished lists instead would give every profile's best answer rank 1,
however bad it is: measured on SciFact split by topic over three profiles, nDCG@10 falls from .718 to .497.

Texts are one result wherever they are: a hit's key is the digest of its text.
"""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from scrubjay.profiles.database.rows import LexicalHit, SemanticHit, TermStats
from scrubjay.profiles.lexical.lexical_leg import stats_of

Hit = TypeVar("Hit", LexicalHit, SemanticHit)


class Placed(msgspec.Struct, Generic[Hit], frozen=True, gc=False):
    """A hit and the profile (its id) it comes from."""

    profile: str
    hit: Hit


class Merged(msgspec.Struct, Generic[Hit], frozen=True, gc=False):
    """One text of a merged leg: `places[0]` is its best hit, the others hold the same text; never empty."""

    digest: bytes
    places: tuple[Placed[Hit], ...]


def combined_stats(stats: Sequence[TermStats]) -> TermStats:
    """The statistics of all stores together, as those of one index with all of their notes."""
    counts: dict[str, tuple[int, ...]] = {}
    for one in stats:
        for key, count in one.counts.items():
            counts[key] = tuple(map(sum, zip(count, counts[key], strict=True))) if key in counts else count
    return stats_of(sum(one.chunks for one in stats), sum(one.tokens for one in stats), counts)


def merge_lexical(legs: Mapping[str, Sequence[LexicalHit]], limit: int) -> list[Merged[LexicalHit]]:
    """One lexical leg of those of several profiles, best first, each text once; first notes of the query's name.

    The legs must have been scored with the same `combined_stats`. Equal scores: by digest, profile, chunk.
    """
    hits = (
        ((not hit.named, -hit.score), hit.digest, profile, hit.chunk_id, hit)
        for profile, leg in legs.items()
        for hit in leg
    )
    return _grouped(sorted(hits), limit)


def merge_semantic(legs: Mapping[str, Sequence[SemanticHit]], limit: int) -> list[Merged[SemanticHit]]:
    """One semantic leg of those of several profiles with the same model, nearest first, each text once.

    Equal distances: by digest, profile, chunk. Legs of different models can't be merged: fuse them by rank.
    """
    hits = (((hit.distance,), hit.digest, profile, hit.chunk_id, hit) for profile, leg in legs.items() for hit in leg)
    return _grouped(sorted(hits), limit)


def _grouped(ordered: Sequence[tuple[tuple[float, ...], bytes, str, int, Hit]], limit: int) -> list[Merged[Hit]]:
    """The first `limit` texts of hits that are in order."""
    groups: dict[bytes, list[Placed[Hit]]] = {}
    for _, digest, profile, _, hit in ordered:
        if digest in groups:
            groups[digest].append(Placed(profile, hit))
        elif len(groups) < limit:
            groups[digest] = [Placed(profile, hit)]
    return [Merged(digest, tuple(places)) for digest, places in groups.items()]
