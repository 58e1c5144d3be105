"""Searching: a request in, ranked notes out."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.journal.hidden_notes import HiddenHere
from scrubjay.profiles.local_time import local_now
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.query.parser import parse_query
from scrubjay.profiles.search.query.query_plan import QueryPlan, plan_query
from scrubjay.profiles.search.query.query_tree import QueryWarning
from scrubjay.profiles.search.rank.diversity import best_passage, diversify
from scrubjay.profiles.search.rank.fusion import Ranked, best_first, deepest, fuse, with_neighbours
from scrubjay.profiles.search.rank.hidden import LeftOut, how_many, left_out
from scrubjay.profiles.search.rank.legs import StoreTimedOut, Turn, Turns, lay_out
from scrubjay.profiles.search.rank.opened_before import lifted, places_up
from scrubjay.profiles.search.rank.priors import with_priors
from scrubjay.profiles.search.rank.ranking import CompleteRanking, Listing, RankedSequence
from scrubjay.profiles.search.rank.retrieval import (
    IMPERSONAL,
    LEXICAL_DEPTH,
    SEMANTIC_DEPTH,
    USUAL_LIMITS,
    Personal,
    Retrieved,
    Retriever,
    TimeLimits,
    fill_in,
    models_of,
    vectors_of,
)
from scrubjay.profiles.search.rank.semantic_trust import is_across_unread
from scrubjay.profiles.search.results.explain import ExplainContext, explain_note
from scrubjay.profiles.search.results.facets import facets
from scrubjay.profiles.search.results.notices import (
    hidden_notices,
    language_notice,
    list_notice,
    notices,
    unfinished_notice,
    unread_notice,
)
from scrubjay.profiles.search.results.presenter import Presenter
from scrubjay.profiles.search.types import (
    ABSENT,
    Facet,
    NoteExplanation,
    Relevance,
    SearchRequest,
    SearchResponse,
    SearchResult,
    Sort,
    Unanswered,
    UnreadNotes,
)
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.columns import Matches
from scrubjay.profiles.store.filters import AllOf
from scrubjay.profiles.store.store import Store

_THREADS = 32  # started when needed; a profile that hangs holds one for each search that met it
_MMR_DEPTH = 60  # passages, whatever page is asked for
_MOST_WAITING = 0.1
"""Of a profile's passages without a vector: with more, notes found by meaning alone stand after those with words."""


class _Page(NamedTuple):
    results: Sequence[SearchResult]
    next_offset: int | None
    total: int | None
    facets: tuple[Facet, ...]
    pending: int
    hidden: LeftOut
    languages: Collection[str]  # those of models that do not read both the query and notes in other languages


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known of profiles beside what their stores hold, by who keeps them open.

    vaults: what the vaults of this computer are called in the profiles named (None: of all), by id.
    about: what the user says of the folder of a note (profile, name of its vault, path); "" where nothing is.
    unread: what of the profiles with these ids has not been read yet. unanswered: why the profile of a name did not
    answer.
    """

    vaults: Callable[[tuple[str, ...] | None], Mapping[str, str]] = lambda _profiles: {}
    about: Callable[[str, str, str], str] = lambda _profile, _vault, _path: ""
    unread: Callable[[Collection[str]], UnreadNotes] = lambda _ids: UnreadNotes()
    unanswered: Callable[[str], Unanswered] = Unanswered


UNKNOWN = Circumstances()
"""Nothing is known of profiles but what their stores hold."""


class Searcher:
    """Searches whatever stores are open at the moment. Thread-safe.

    stores: the open stores by profile name. embedder_of: what embeds for the profile of a name, where not all use
    `embedder`. personal: what moves a profile's queries and results beside what its notes say. circumstances: what an
    answer says of profiles beside what is in their stores.
    clock: the time now, aware; it gives `today` and `7d` their meaning. limits: the deadline counts where several
    profiles are searched.
    """

    def __init__(
        self,
        stores: Callable[[], Mapping[str, Store]],
        embedder: Embedder,
        *,
        clock: Callable[[], datetime] = local_now,
        embedder_of: Callable[[str], Embedder] | None = None,
        limits: TimeLimits = USUAL_LIMITS,
        personal: Personal = IMPERSONAL,
        circumstances: Circumstances = UNKNOWN,
    ) -> None:
        self._stores = stores
        self._embedder_of: Callable[[str], Embedder] = embedder_of or (lambda _: embedder)
        self._clock = clock
        self._personal = personal
        self._circumstances = circumstances
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="leg")
        self._limits = limits
        self._turns = Turns(self._pool, limits.deadline)
        self._retriever = Retriever(self._embedder_of, limits, personal.matrices)

    def close(self) -> None:
        """Let the threads go; searches after this raise RuntimeError."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def search(self, request: SearchRequest, stores: Mapping[str, Store] | None = None) -> SearchResponse:
        """Answer one search. A profile in its scope that is not open, fails or is late is named in `unanswered`.

        stores: the only ones that this search may see, by profile name; None: all that are open.
        """
        stores = dict(self._stores() if stores is None else stores)
        names = tuple(stores)
        while True:
            try:
                return self._search(request, stores, names)
            except StoreTimedOut as timed_out:
                del stores[timed_out.name]
            except StoreError as error:
                # Locked, removed or damaged between finding its passages and reading them: the others still answer.
                failed = [name for name, store in stores.items() if store.path == error.path]
                if not failed:
                    raise
                for name in failed:
                    del stores[name]

    def _search(self, request: SearchRequest, opened: Mapping[str, Store], names: tuple[str, ...]) -> SearchResponse:
        began = perf_counter()
        vaults = self._circumstances.vaults(request.profiles)
        names_of = _all_names(opened.values(), vaults)
        plan = plan_query(parse_query(request.query, self._clock()), lambda name: _vault_ids(names_of, name))
        stores, closed, warnings = _in_scope(opened, names if request.profiles is None else request.profiles, plan)
        overdue = self._turns.overdue(stores) if len(stores) > 1 else set[str]()
        stores = {name: store for name, store in stores.items() if name not in overdue}
        retrieved, page = self._turns.take(stores, partial(self._page, request, plan, vaults, stores))
        unanswered = sorted({*retrieved.unanswered, *closed, *overdue})
        unread = self._circumstances.unread(request.ids)
        said = notices(request.query, retrieved.words, [view.text for view in retrieved.best.values()])
        if unanswered or unread or not stores:  # notes that were not searched may have the words
            said = tuple(notice for notice in said if notice.code not in ABSENT)
        return SearchResponse(
            results=tuple(page.results),
            relevance=_best_relevance(page.results),
            took_ms=(perf_counter() - began) * 1000,
            pending_embeddings=page.pending,
            semantic=retrieved.semantic,
            unanswered=tuple(map(self._circumstances.unanswered, unanswered)),
            warnings=(*plan.warnings, *warnings),
            notices=(
                *list_notice(plan),
                *unread_notice(unread),
                *unfinished_notice(retrieved.unfinished, self._limits.parts),
                *said,
                *language_notice(page.languages),
                *hidden_notices(page.hidden),
            ),
            total_notes=page.total,
            next_offset=page.next_offset,
            facets=page.facets,
        )

    def _page(
        self,
        request: SearchRequest,
        plan: QueryPlan,
        vaults: Mapping[str, str],
        stores: Mapping[str, Store],
        turn: Turn,
    ) -> tuple[Retrieved, _Page]:
        with ExitStack() as snapshots:
            ahead = self._retriever.ahead(plan, stores, typing=request.typing)
            for name, store in stores.items():
                snapshots.enter_context(store.one_snapshot(ahead.get(name, ())))
            hidden: Mapping[str, HiddenHere] = (
                {} if request.hidden else left_out(self._personal.hidden, plan, request.query, stores)
            )
            ids = {name: each.ids for name, each in hidden.items()}
            retrieved = self._retriever.retrieve(plan, stores, turn, request, ids)
            stores = {name: store for name, store in stores.items() if name not in retrieved.unanswered}
            matches = self._matches(retrieved, plan, stores, turn)
            line = self._line(request, retrieved, plan, stores, matches)
            presenter = Presenter(request, plan, retrieved, stores, vaults, self._circumstances.about)
            results, next_offset = presenter.page(line)
            total = sum(each.total for each in matches.values()) if request.mode != "semantic" or plan.is_list else None
            counted = facets(request.facets, stores, matches, self._clock().tzinfo)
            pending = sum(
                store.pending_count(self._embedder_of(name).spec.fingerprint) for name, store in stores.items()
            )
            would_match = how_many(hidden, plan, retrieved.words, stores)
            languages = self._languages_read(request, plan, stores)
            return retrieved, _Page(results, next_offset, total, counted, pending, would_match, languages)

    def _languages_read(self, request: SearchRequest, plan: QueryPlan, stores: Mapping[str, Store]) -> Collection[str]:
        """Where the query is in another language than the notes of all stores: those that models which do not read
        both can read. None where it is still being typed, or not asked by meaning.
        """
        if request.typing or request.mode == "lexical" or not plan.text:
            return ()
        models = {name: self._embedder_of(name).spec for name in stores}
        if not all(is_across_unread(models[name], plan.text, store.note_languages()) for name, store in stores.items()):
            return ()
        return {language for model in models.values() for language in model.languages}

    def _matches(
        self, retrieved: Retrieved, plan: QueryPlan, stores: Mapping[str, Store], turn: Turn
    ) -> Mapping[str, Matches]:
        """By profile: the notes that hold a word of the query, or pass the filters of one without words."""
        if plan.is_list:
            found, _ = turn.each(stores, lambda name, store: store.passing(retrieved.where[name] or AllOf(())))
            return found
        return {leg.profile: leg.matches for leg in retrieved.legs if leg.matches is not None}

    def _line(
        self,
        request: SearchRequest,
        retrieved: Retrieved,
        plan: QueryPlan,
        stores: Mapping[str, Store],
        matches: Mapping[str, Matches],
    ) -> RankedSequence:
        sort = cast("Sort", plan.sort) or request.sort
        if not plan.text or sort != "relevance":
            return Listing(stores, matches, "-modified" if sort == "relevance" else sort)
        fused = self._ranked(retrieved, request)
        ranked = with_priors(fused, retrieved.legs, stores, self._personal.priors, self._clock())
        order = self._order(ranked, request, retrieved)
        if request.habits and request.group == "note":
            ranked, order = lifted(ranked, order, self._places_up(request.query, ranked, order, stores))
        return CompleteRanking(
            ranked,
            order,
            retrieved.legs,
            words_first=request.mode == "hybrid" and any(map(self._is_embedded_in_part, stores, stores.values())),
            of_notes=request.group == "note",
            explain=request.explain,
        )

    def _is_embedded_in_part(self, name: str, store: Store) -> bool:
        """Whether so many passages of a profile wait that what is near in meaning is what happens to have a vector."""
        waiting = store.pending_count(self._embedder_of(name).spec.fingerprint)
        return waiting > 0 and waiting > _MOST_WAITING * store.term_stats(()).chunks

    def _places_up(
        self, query: str, ranked: Ranked, order: Sequence[int], stores: Mapping[str, Store]
    ) -> Mapping[int, int]:
        """By column: how much higher the notes are to stand that were opened before after this query."""
        now_ns = int(self._clock().timestamp() * 1e9)
        found: dict[int, int] = {}
        for name, store in stores.items():
            if places := places_up(self._personal.openings(name, store), query, now_ns):
                keys = ranked.candidates.keys
                mine = {keys[column][1]: column for column in order if keys[column][0] == name}
                paths = store.read(reads.paths_of, list(mine))
                found |= {mine[chunk]: places[path] for chunk, path in paths.items() if path in places}
        return found

    def explain(
        self, request: SearchRequest, path: str, *, vault: str | None = None, stores: Mapping[str, Store] | None = None
    ) -> NoteExplanation:
        """Why the note at `path` is, or is not, among the results. vault: its name or id, where several have the path.

        Raises NotFound where no profile in scope could hold it.
        """
        vaults = self._circumstances.vaults(request.profiles)
        seen = self._stores() if stores is None else stores
        names_of = _all_names(seen.values(), vaults)
        plan = plan_query(parse_query(request.query, self._clock()), lambda name: _vault_ids(names_of, name))
        retrieved, _, _ = _in_scope(seen, request.profiles, plan)
        names = {name.casefold() for name in (seen if request.profiles is None else request.profiles)}
        context = ExplainContext(
            request,
            plan,
            {name: store for name, store in seen.items() if name.casefold() in names},
            frozenset(retrieved),
            tuple(
                self._circumstances.unanswered(name)
                for name in request.profiles or ()
                if name.casefold() not in {n.casefold() for n in seen}
            ),
            vaults,
            lambda other: self.search(other, seen),
            {} if request.hidden else left_out(self._personal.hidden, plan, request.query, retrieved),
        )
        return explain_note(context, path, vault)

    def _ranked(self, retrieved: Retrieved, request: SearchRequest) -> Ranked:
        candidates = lay_out(
            retrieved.legs,
            lexical=LEXICAL_DEPTH,
            semantic=SEMANTIC_DEPTH,
            spaces=[meaning.profiles for meaning in retrieved.meanings],
            completeness=retrieved.completeness,
        )
        for meaning in retrieved.meanings:
            fill_in(candidates, meaning, retrieved.legs)
        models = models_of(candidates, retrieved.meanings)
        trust = max((meaning.trust for meaning in retrieved.meanings), default=1.0)
        across = max((meaning.across for meaning in retrieved.meanings), default=0.0)
        ceiling, code, fusion = retrieved.words.ceiling, retrieved.code, request.fusion or self._personal.fusion()
        ranked = fuse(
            candidates, lexical_ceiling=ceiling, fusion=fusion, models=models, trust=trust, code=code, across=across
        )
        by_rank = fusion == "rrf" or len(retrieved.meanings) != 1
        if request.mode != "hybrid" or by_rank or not len(candidates):
            return ranked
        columns = deepest(ranked)
        vectors = vectors_of(candidates, columns, retrieved.legs, len(retrieved.meanings[0].vector))
        return with_neighbours(ranked, columns, vectors, trust)

    def _order(self, ranked: Ranked, request: SearchRequest, retrieved: Retrieved) -> Sequence[int]:
        if request.group == "note":
            return best_passage(ranked.scores, ranked.candidates.notes.tolist()).tolist()
        order = best_first(ranked.scores)
        top = order[:_MMR_DEPTH]
        known: list[NDArray[np.float32] | None] = [None] * len(top)
        if len(retrieved.meanings) == 1:
            vectors = vectors_of(ranked.candidates, top, retrieved.legs, len(retrieved.meanings[0].vector))
            known = [vector if vector.any() else None for vector in vectors]
        chosen = diversify(ranked.scores[top].tolist(), ranked.candidates.notes[top].tolist(), known, keep=len(top))
        return [*top[chosen].tolist(), *order[_MMR_DEPTH:].tolist()]


def _in_scope(
    stores: Mapping[str, Store], wanted: tuple[str, ...] | None, plan: QueryPlan
) -> tuple[dict[str, Store], list[str], list[QueryWarning]]:
    """The stores that the request and the query's own `profile:` both allow; those of them that are closed, by name."""
    opened = {name.casefold(): name for name in stores}
    scope = {name.casefold(): opened.get(name.casefold(), name) for name in (stores if wanted is None else wanted)}
    named = {part.name.casefold() for part in plan.profiles}
    excluded = {part.name.casefold() for part in plan.excluded_profiles}
    warnings = [
        QueryWarning("unknown-profile", "No profile that can be searched has this name.", *part.span)
        for part in (*plan.profiles, *plan.excluded_profiles)
        if part.name.casefold() not in scope
    ]
    picked = [name for key, name in scope.items() if (not named or key in named) and key not in excluded]
    return {name: stores[name] for name in picked if name in stores}, [n for n in picked if n not in stores], warnings


def _all_names(stores: Iterable[Store], vaults: Mapping[str, str]) -> Mapping[str, str]:
    """What vaults are called, by id: those of this computer, and those that others have brought."""
    return {vault: name for store in stores for vault, name in store.vault_names.items()} | dict(vaults)


def _vault_ids(vaults: Mapping[str, str], name: str) -> list[str]:
    folded = name.casefold()
    return [vault for vault, called in vaults.items() if folded in (called.casefold(), vault)]


def _best_relevance(results: Sequence[SearchResult]) -> Relevance:
    found = {result.relevance for result in results}
    if "high" in found:
        return "high"
    return "medium" if "medium" in found else "low"
