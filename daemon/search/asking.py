"""Putting a query to the stores: both legs of every profile, in parallel, and whoever fails does not hold the rest."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

from daemon.embedding.protocol import Embedder
from daemon.errors import Unavailable
from daemon.search.legs import Legs
from daemon.search.plan import Plan
from daemon.search.types import Mode, SemanticState
from daemon.search.words import Words, lexical_query, with_near_terms
from profiles.errors import ProfileError
from profiles.federation import combined_stats
from profiles.filters import NoteFilter
from profiles.query_parts import LexicalQuery
from profiles.rows import LexicalHit, SemanticHit, TermStats, Vector
from profiles.store import Store

LEXICAL_DEPTH = 200
SEMANTIC_DEPTH = 100
DEADLINE_SECONDS = 5.0
"""After which a profile counts as not having answered."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Asked:
    """What came back."""

    legs: tuple[Legs, ...]
    words: Words
    vector: Vector | None
    semantic: SemanticState
    unanswered: tuple[str, ...]


class Asker:
    """Asks stores in parallel; thread-safe."""

    def __init__(self, embedder: Embedder, pool: ThreadPoolExecutor) -> None:
        self._embedder = embedder
        self._pool = pool

    def ask(
        self, plan: Plan, where: NoteFilter | None, stores: Mapping[str, Store], mode: Mode, *, typing: bool
    ) -> Asked:
        """Run the legs that `mode` wants. An embedder that fails leaves the lexical leg and says so in `semantic`."""
        wants_meaning = mode != "lexical" and bool(plan.text)
        meaning = self._pool.submit(self._meaning, plan.text, where, stores) if wants_meaning else None
        words, stats_missing = self._words(plan, stores, typing=typing)
        lexical: dict[str, list[LexicalHit]] = {}
        missing = set(stats_missing)
        if mode != "semantic" and words.query.should:
            asked = {n: s for n, s in stores.items() if n not in missing}
            lexical, late = self._each(asked, lambda s: _lexical(s, words, where))
            missing.update(late)
        vector, semantic, state, late = _settled(meaning)
        missing.update(late)
        if mode == "semantic" and state == "not-asked":
            state = "unavailable" if plan.text else "not-asked"
        legs = tuple(Legs(n, lexical.get(n, []), semantic.get(n, [])) for n in sorted(stores) if n not in missing)
        return Asked(legs, words, vector, state, tuple(sorted(missing)))

    def _words(self, plan: Plan, stores: Mapping[str, Store], *, typing: bool) -> tuple[Words, set[str]]:
        query = lexical_query(plan, typing=typing)
        stats, missing = self._stats(query, stores)
        if all(stats.frequencies.get(part.key, 0) > 0 for part in query.should):
            return Words(query, stats), missing
        answering = [store for name, store in stores.items() if name not in missing]
        wider = with_near_terms(query, stats, lambda word: _near(word, answering))
        if wider == query:
            return Words(query, stats), missing
        stats, late = self._stats(wider, stores)
        return Words(wider, stats), missing | late

    def _stats(self, query: LexicalQuery, stores: Mapping[str, Store]) -> tuple[TermStats, set[str]]:
        found, missing = self._each(stores, lambda store: store.term_stats(query.keys))
        return combined_stats(list(found.values())), missing

    def _meaning(
        self, text: str, where: NoteFilter | None, stores: Mapping[str, Store]
    ) -> tuple[Vector, dict[str, list[SemanticHit]], set[str]]:
        vector = self._embedder.embed_query(text)
        model = self._embedder.spec.fingerprint
        hits, late = _in_turn(stores, lambda s: s.semantic(model, vector, where=where, limit=SEMANTIC_DEPTH))
        return vector, hits, late

    def _each(self, stores: Mapping[str, Store], ask: Callable[[Store], _T]) -> tuple[dict[str, _T], set[str]]:
        """Ask every store; one in this thread, several in the pool."""
        if len(stores) < 2:
            return _in_turn(stores, ask)
        futures = {name: self._pool.submit(ask, store) for name, store in stores.items()}
        wait(futures.values(), timeout=DEADLINE_SECONDS)
        answers: dict[str, _T] = {}
        missing: set[str] = set()
        for name, future in futures.items():
            if not future.done() or isinstance(future.exception(), ProfileError):
                future.cancel()
                missing.add(name)
            else:
                answers[name] = future.result()
        return answers, missing


def _in_turn(stores: Mapping[str, Store], ask: Callable[[Store], _T]) -> tuple[dict[str, _T], set[str]]:
    answers: dict[str, _T] = {}
    missing: set[str] = set()
    for name, store in stores.items():
        try:
            answers[name] = ask(store)
        except ProfileError:
            missing.add(name)
    return answers, missing


def _settled(
    meaning: "Future[tuple[Vector, dict[str, list[SemanticHit]], set[str]]] | None",
) -> tuple[Vector | None, dict[str, list[SemanticHit]], SemanticState, set[str]]:
    if meaning is None:
        return None, {}, "not-asked", set()
    try:
        vector, hits, late = meaning.result(DEADLINE_SECONDS)
    except (TimeoutError, Unavailable):
        return None, {}, "unavailable", set()
    return vector, hits, "used", late


def _lexical(store: Store, words: Words, where: NoteFilter | None) -> list[LexicalHit]:
    return store.lexical(words.query, where=where, limit=LEXICAL_DEPTH, stats=words.stats)


def _near(word: str, stores: list[Store]) -> list[tuple[str, int]]:
    """Neighbours of a word in any of the stores: nearest first, then the most frequent."""
    found: dict[str, tuple[int, int]] = {}
    for store in stores:
        for near in store.near_terms(word):
            _, frequency = found.get(near.term, (0, 0))
            found[near.term] = (near.distance, frequency + near.frequency)
    ordered = sorted(found.items(), key=lambda item: (item[1][0], -item[1][1], item[0]))
    return [(term, distance) for term, (distance, _) in ordered]
