"""The legs of several profiles, run within a deadline and merged by keyed digest into one list of candidates."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from time import monotonic
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.cancellation import carried_over, check
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.search.meaning.calibration import Scale
from scrubjay.profiles.search.words.lexical_leg import stats_of
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.columns import Matches
from scrubjay.profiles.store.rows import LexicalHit, SemanticCandidates, SemanticHit, TermStats, Vector
from scrubjay.profiles.store.store import Store

# Merging the legs of several stores as if they were one. Pure.
#
# Each leg is merged by its own measure (lexical by scores that shared their document frequencies, semantic by exact
# distance) and only then fused, once. Fusing finished lists instead would give every profile's best answer rank 1,
# however bad it is: measured on SciFact split by topic over three profiles, nDCG@10 falls from .718 to .497.
#
# Texts are one result wherever they are: a hit's key is the digest of its text.

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


# Queries several stores, and waits for none of them longer than the deadline.
#
# One thread queries them in turn: several would slow one another down, since Python does most of the work and switches
# between threads at each row (docs/decisions/0006). The caller waits in another thread, and abandons this one where a
# store hangs.

T = TypeVar("T")


class StoreTimedOut(Exception):
    """A store did not answer in time."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Turn:
    """One search's pass over its stores, which another thread may watch."""

    def __init__(self) -> None:
        self._current: tuple[str, Store, float] | None = None  # the store that is being queried, and since when
        self._given_up = False

    def each(self, stores: Mapping[str, Store], ask: Callable[[str, Store], T]) -> tuple[dict[str, T], set[str]]:
        """The answers of those that could give one, and the names of the others."""
        answers: dict[str, T] = {}
        missing: set[str] = set()
        for name, store in stores.items():
            check()
            if self._given_up:
                raise StoreTimedOut(name)  # the caller has given up
            self._current = (name, store, monotonic())
            try:
                answers[name] = ask(name, store)
            except ProfileError:
                missing.add(name)
            finally:
                self._current = None
        return answers, missing

    def overdue_store(self, deadline: float) -> tuple[str, Store] | None:
        """The store that has been queried for `deadline` seconds and has not answered."""
        current = self._current
        return current[:2] if current and monotonic() - current[2] >= deadline else None

    def give_up(self) -> None:
        """Query no other store."""
        self._given_up = True


class Turns:
    """Watches searches. Thread-safe. deadline: seconds that a store may take."""

    def __init__(self, pool: ThreadPoolExecutor, deadline: float) -> None:
        self._pool = pool
        self._deadline = deadline
        self._lock = threading.Lock()
        self._overdue: dict[int, Future[Any]] = {}  # by the store's identity: one that was reopened is another

    def overdue(self, stores: Mapping[str, Store]) -> set[str]:
        """The names of those that missed a deadline and are still busy with that query."""
        with self._lock:
            self._overdue = {key: future for key, future in self._overdue.items() if not future.done()}
            return {name for name, store in stores.items() if id(store) in self._overdue}

    def take(self, stores: Mapping[str, Store], search: Callable[[Turn], T]) -> T:
        """What `search` over these stores gives. Raises StoreTimedOut where one of several misses the deadline.

        A single store is queried in this thread, without a deadline.
        """
        turn = Turn()
        if len(stores) < 2:
            return search(turn)
        future = self._pool.submit(carried_over(partial(search, turn)))
        pause = self._deadline
        while not wait((future,), timeout=pause).done:
            if timed_out := turn.overdue_store(self._deadline):
                turn.give_up()
                with self._lock:
                    self._overdue[id(timed_out[1])] = future
                raise StoreTimedOut(timed_out[0])
            pause = self._deadline / 4
        return future.result()


Key = tuple[str, int]  # profile name, chunk id
NOT_NEAR = SemanticCandidates((), {})
"""Of a semantic leg that found nothing or was not asked."""


def farther(found: SemanticCandidates, by: float) -> SemanticCandidates:
    """The same passages, all of them farther by so much; as they are for 0."""
    if not by:
        return found
    hits = [SemanticHit(hit.chunk_id, hit.note_id, hit.digest, hit.distance + by) for hit in found.hits]
    return replace(found, hits=hits, distances=found.distances + by)


def on_usual_scale(found: SemanticCandidates, scale: Scale | None) -> SemanticCandidates:
    """The same passages in the same order, as far as the usual model would have them; as they are for None."""
    if scale is None or not found.hits:
        return found
    distances = 1.0 - scale.usual(1.0 - np.array([hit.distance for hit in found.hits]))
    hits = [
        SemanticHit(hit.chunk_id, hit.note_id, hit.digest, distance)
        for hit, distance in zip(found.hits, distances.tolist(), strict=True)
    ]
    return replace(found, hits=hits, distances=1.0 - scale.usual(1.0 - found.distances))


@dataclass(frozen=True, slots=True)
class Legs:
    """What one profile returned: the best passages of both legs. An empty leg found nothing or did not run.

    nearest: what the semantic leg returned, with the vectors of the texts of both. matches: all that words found; None
    where they were not asked.
    """

    profile: str
    lexical: Sequence[LexicalHit]
    nearest: SemanticCandidates = NOT_NEAR
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
    `coverage` has what is known of the words beside, 0 where they did not find the passage: row 0 the share of the
    query that it holds, row 1 how alike its title is to the query (see profiles/search/words/bm25f.py), row 2
    whether its
    note is called what the query says, row 3 what it earns by saying the query in one place (see rank/statements.py).
    """

    keys: tuple[Key, ...]
    digests: tuple[bytes, ...]
    notes: NDArray[np.int64]  # one number a note, the same for all its passages
    scores: NDArray[np.float64]  # shape (2, len(keys))
    coverage: NDArray[np.float64]  # shape (4, len(keys))

    def __len__(self) -> int:
        return len(self.keys)


def lay_out(
    answers: Sequence[Legs],
    *,
    lexical: int,
    semantic: int,
    spaces: Sequence[frozenset[str]] = (),
    completeness: Mapping[Key, float] = MappingProxyType({}),
) -> Candidates:
    """Merge leg by leg: the best `lexical` hits of all profiles by words, and the best `semantic` ones by meaning.

    The depths must be those of one profile's legs, or a federation would weigh other passages than one index does.
    spaces: the profiles that share a model, where there are several models; the best of each go on.
    completeness: of the passages that were looked at; of others, it is taken that what they hold stands in one place.
    Merging before fusing is what keeps a federation as good as one index; see docs/retrieval.md. Copies of a text stay
    together, each with its note's own evidence.
    """
    words, meanings = _merged(answers, (lexical, semantic), spaces)
    hits: dict[Key, LexicalHit | SemanticHit] = {**meanings, **words}
    ordered = sorted((hit.digest, key) for key, hit in hits.items())
    numbers: dict[tuple[str, int], int] = {}
    notes = [numbers.setdefault((key[0], hits[key].note_id), len(numbers)) for _, key in ordered]
    scores, coverage = np.full((2, len(ordered)), np.nan), np.zeros((4, len(ordered)))
    column_of = {key: column for column, (_, key) in enumerate(ordered)}
    scores[1, [column_of[key] for key in meanings]] = [1.0 - hit.distance for hit in meanings.values()]
    columns = [column_of[key] for key in words]
    scores[0, columns] = [hit.score for hit in words.values()]
    rows = [
        (hit.query_share, hit.title, hit.named, completeness.get(key, hit.query_share**2)) for key, hit in words.items()
    ]
    coverage[:, columns] = np.reshape(rows, (-1, len(coverage))).T
    keys, digests = tuple(key for _, key in ordered), tuple(digest for digest, _ in ordered)
    return Candidates(keys, digests, np.array(notes, np.int64), scores, coverage)


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


_SIZE = 16


def with_common_digests(legs: Sequence[Legs], stores: Mapping[str, Store], turn: Turn) -> tuple[Legs, ...]:
    """Legs whose hits have one digest wherever they hold one text; as they are where the stores share a key.

    The digests are made of the texts of the hits, hold for this search alone, and are kept nowhere. A store that can't
    give its texts keeps its own.
    """
    keys = {stores[leg.profile].digest_scope for leg in legs}
    if len(keys) < 2:
        return tuple(legs)
    hits = {leg.profile: [hit.chunk_id for hit in (*leg.lexical, *leg.semantic)] for leg in legs}
    texts, _ = turn.each(
        {name: store for name, store in stores.items() if hits.get(name)},
        lambda name, store: store.read(reads.texts, hits[name]),
    )
    return tuple(_with_digests(leg, texts.get(leg.profile, {})) for leg in legs)


def _with_digests(leg: Legs, texts: Mapping[int, str]) -> Legs:
    known = {chunk: _digest(text) for chunk, text in texts.items()}
    common = {hit.digest: known[hit.chunk_id] for hit in (*leg.lexical, *leg.semantic) if hit.chunk_id in known}
    vectors = {common[digest]: vector for digest, vector in leg.vectors.items() if digest in common}
    return replace(
        leg,
        lexical=[msgspec.structs.replace(hit, digest=common.get(hit.digest, hit.digest)) for hit in leg.lexical],
        nearest=replace(
            leg.nearest,
            hits=[msgspec.structs.replace(hit, digest=common.get(hit.digest, hit.digest)) for hit in leg.semantic],
            vectors={**leg.vectors, **vectors},  # what links lead to is looked up by the store's own
        ),
    )


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest()
