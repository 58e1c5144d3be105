"""Retrieval: both legs of every profile, where one that fails does not delay the others."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from math import log10
from time import monotonic
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.cancellation import check
from scrubjay.profiles.errors import Unavailable
from scrubjay.profiles.search.meaning.calibration import Calibration, Scale, scale_of, trust_of
from scrubjay.profiles.search.meaning.embedder import Awaited, Embedder, EmbeddingModel
from scrubjay.profiles.search.meaning.query_matrix import QueryMatrix
from scrubjay.profiles.search.query.plain_dates import words_of_times
from scrubjay.profiles.search.query.query_plan import QueryPlan
from scrubjay.profiles.search.rank.completeness import LEAST_SHARE, completeness
from scrubjay.profiles.search.rank.hidden import Hidden, but, none_hidden
from scrubjay.profiles.search.rank.highlights import Highlighter
from scrubjay.profiles.search.rank.legs import (
    NOT_NEAR,
    Candidates,
    Key,
    Legs,
    Turn,
    combined_stats,
    farther,
    merge_lexical,
    on_usual_scale,
    with_common_digests,
)
from scrubjay.profiles.search.rank.lexical_query import MAX_COMPOUNDS, ScoredWords, lexical_query, with_compounds
from scrubjay.profiles.search.rank.opened_before import Openings, no_openings
from scrubjay.profiles.search.rank.priors import Priors, no_priors
from scrubjay.profiles.search.rank.semantic_trust import (
    UNREAD,
    across_languages,
    is_english,
    trust,
    trust_by_language,
)
from scrubjay.profiles.search.rank.split_words import without_splinters
from scrubjay.profiles.search.rank.tiers import PASSAGES, code_share
from scrubjay.profiles.search.rank.typos import (
    NearWord,
    absent_words,
    correct_typos,
    likelihood,
    meant_by,
    with_others,
)
from scrubjay.profiles.search.types import Fusion, SearchRequest, SemanticState
from scrubjay.profiles.search.words.analysis import words as words_of
from scrubjay.profiles.search.words.dictionary import forms as known_forms
from scrubjay.profiles.search.words.dictionary import is_word, languages_told
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.search.words.lexical_leg import LexicalCandidates
from scrubjay.profiles.search.words.vocabulary import LANGUAGES as COMPOUNDING
from scrubjay.profiles.search.words.vocabulary import LONG, MAX_DISTANCE, edits
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.filter_sql import looks_into_parts
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.rows import ChunkView, LexicalHit, SemanticCandidates, TermStats, Vector
from scrubjay.profiles.store.statements import Asked
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class Meaning:
    """The query as one model reads it, and the profiles whose passages that model has embedded.

    matrices: of those profiles whose own names for their notes have taught how these are asked for. scale: of its
    similarities; None where they are taken as they are.
    """

    model: str  # its fingerprint
    vector: Vector
    profiles: frozenset[str]
    trust: float  # how much of the query the model can read, 0 to 1
    across: float  # how much of what words found is in another language than the query, which it reads too
    matrices: Mapping[str, QueryMatrix]
    scale: Scale | None

    def vector_for(self, profile: str) -> Vector:
        """What the passages of a profile are compared with."""
        matrix = self.matrices.get(profile)
        return self.vector if matrix is None else matrix.of(self.vector)

    def shift_for(self, profile: str) -> float:
        """What is to be taken from a profile's similarities, so that they compare with those of the others."""
        matrix = self.matrices.get(profile)
        return 0.0 if matrix is None else matrix.shift

    def usual(self, found: SemanticCandidates, profile: str) -> SemanticCandidates:
        """What was found in a profile, so that it compares with that of the others, and with words."""
        return on_usual_scale(farther(found, self.shift_for(profile)), self.scale)

    def likeness(self, vectors: NDArray[np.float32], profile: str) -> NDArray[np.float64]:
        """The similarities of passages of a profile, likewise."""
        found = (vectors @ self.vector_for(profile) - self.shift_for(profile)).astype(np.float64)
        return found if self.scale is None else self.scale.usual(found)


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
        candidates.scores[1, missing[known]] = meaning.likeness(vectors[known], profile)


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


Matrices: TypeAlias = Callable[[str, Store, str], QueryMatrix | None]
"""Called with a profile's name, its open store and the fingerprint of its model; None: queries stay as they are."""


def no_matrix(_profile: str, _store: Store, _model: str) -> None:
    """No profile has a query matrix."""


@dataclass(frozen=True, slots=True)
class Personal:
    """Looked up for each profile of a search. priors: moves its results after fusion. matrices: moves its queries.

    openings: which notes were opened after the same query. hidden: which notes a query does not find. fusion: how the
    legs of a search over whatever profiles are made one where it does not say.
    """

    priors: Priors = no_priors
    matrices: Matrices = no_matrix
    openings: Openings = no_openings
    hidden: Hidden = none_hidden
    fusion: Callable[[], Fusion] = lambda: "convex"


IMPERSONAL = Personal()
"""Every profile as its notes alone have it."""
LEXICAL_DEPTH = 100
SEMANTIC_DEPTH = 50
"""Passages that are ranked by both legs together, whatever page is asked for, so that the order stays the same. What
they find beyond stands after that, see `profiles/search/rank/ranking.py`."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long a search waits, by a clock that runs steadily."""

    deadline: float = 5.0  # seconds after which a profile or a model counts as not having answered
    parts: float = 2.0  # seconds for looking into the texts of notes, for operators such as `line:`
    seconds: Callable[[], float] = monotonic


USUAL_LIMITS = TimeLimits()


@dataclass(frozen=True, slots=True)
class _SentQuery:
    """A `Meaning` whose vector is still to come."""

    model: EmbeddingModel
    text: str
    vector: Awaited
    profiles: frozenset[str]

    def trust(self, found: Sequence[str]) -> float:
        """How much of the query the model can read. found: the languages of the best passages by words."""
        return trust(self.model, self.text) * trust_by_language(self.model, self.text, found)


@dataclass(frozen=True, slots=True)
class _Read:
    """What models made of the query before it is known how well they read it, and what is near to it."""

    told: Sequence[tuple[_SentQuery, Meaning]]
    nearest: Mapping[str, SemanticCandidates]  # by profile
    missing: set[str]  # the profiles that were late

    def meanings(self, languages: Sequence[str]) -> tuple[Meaning, ...]:
        """The query as each model reads it. languages: of the best passages by words."""
        return tuple(
            replace(
                meaning,
                trust=meaning.trust * sent.trust(languages),
                across=across_languages(sent.model, sent.text, languages),
            )
            for sent, meaning in self.told
        )


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the legs found. Several `meanings`: distances of different models, which do not compare."""

    legs: tuple[Legs, ...]
    words: ScoredWords
    meanings: tuple[Meaning, ...]
    semantic: SemanticState
    unanswered: tuple[str, ...]
    where: Mapping[str, NoteFilter | None]  # by profile: what its notes must fulfil
    unfinished: tuple[int, int] | None  # where time was up: how many notes a filter was looked for in, and of how many
    highlighter: Highlighter  # of the query's words
    best: Mapping[Key, ChunkView]  # the best passages by words of the best notes, of all stores
    code: float  # how much of them is program code, 0 to 1
    completeness: Mapping[Key, float]  # of those of `best` that hold much of the query, see `statements.completeness`


class Retriever:
    """Thread-safe. embedder_of: what embeds for the profile of a name. matrices: what its own names have taught."""

    def __init__(
        self,
        embedder_of: Callable[[str], Embedder],
        limits: TimeLimits = USUAL_LIMITS,
        matrices: Matrices = no_matrix,
    ) -> None:
        self._embedder_of = embedder_of
        self._limits = limits
        self._matrices = matrices

    def retrieve(
        self,
        plan: QueryPlan,
        stores: Mapping[str, Store],
        turn: Turn,
        request: SearchRequest,
        without: Mapping[str, Sequence[int]] = MappingProxyType({}),
    ) -> Retrieved:
        """Run the legs that a request asks for. An embedder that fails leaves the lexical leg; `semantic` says so.

        plan: of the request's query. without: ids of notes that are not to be found, by profile.
        """
        wants_meaning = request.mode != "lexical" and bool(plan.text)
        if request.typing and not wants_meaning:
            self._warm(stores)
        understanding = self._understand(plan.text, stores) if wants_meaning else []
        where, unfinished, unread = self._filters(plan.where, stores, turn, goes_on=request.offset > 0)
        where = {name: but(each, without.get(name, ())) for name, each in where.items()}
        words, meant, missing = self._words(plan, stores, turn, typing=request.typing, mends=request.mend)
        if wants_meaning and meant.text != plan.text:
            understanding = self._understand(meant.text, stores)
        missing |= unread
        found: dict[str, LexicalCandidates] = {}
        if request.mode != "semantic" and words.query.should:
            queried = {name: store for name, store in stores.items() if name not in missing}
            found, timed_out = turn.each(
                queried,
                lambda name, store: store.lexical(
                    words.query, where=where[name], limit=LEXICAL_DEPTH, stats=words.stats
                ),
            )
            missing |= timed_out
        lexical = _best_of_all({name: each.hits for name, each in found.items()})
        queried = {name: store for name, store in stores.items() if name not in missing}
        read = None
        if any(store.is_shared for store in queried.values()):  # what is shown comes with the vectors, by one way
            read = self._read(understanding, where, queried, lexical, turn, self._patience(request))
        # While the model reads the query.
        best = _best(lexical, queried, turn)
        code = code_share([view.text for view in best.values()])
        highlighter = Highlighter(words.highlight_terms(), words.languages)
        complete = _completeness(best, lexical, highlighter) if code < 1 else {}
        languages = [view.lang or view.stemmed for view in best.values()]
        read = read or self._read(understanding, where, queried, lexical, turn, self._patience(request))
        meanings, nearest = read.meanings(languages), read.nearest
        missing |= read.missing
        state = _state(understanding, meanings)
        if request.mode == "semantic" and state == "not-asked" and plan.text:
            state = "unavailable"
        legs = tuple(
            Legs(
                name,
                lexical.get(name, ()),
                nearest.get(name, NOT_NEAR),
                found[name].matches if name in found else None,
            )
            for name in sorted(stores)
            if name not in missing
        )
        return Retrieved(
            with_common_digests(legs, stores, turn),
            words,
            meanings,
            state,
            tuple(sorted(missing)),
            where=where,
            unfinished=unfinished,
            highlighter=highlighter,
            best=best,
            code=code,
            completeness=complete,
        )

    @staticmethod
    def ahead(plan: QueryPlan, stores: Mapping[str, Store], *, typing: bool) -> Mapping[str, Sequence[Asked]]:
        """What will probably be read for a plan's words from stores that have a long way; nothing is read for it."""
        shared = {name: store for name, store in stores.items() if store.is_shared}
        if not shared:
            return {}
        languages = _stemmed(plan, (store.lately_stemmed() for store in stores.values()))
        query = lexical_query(plan, typing=typing, languages=languages)
        return {name: store.ahead_of(query) for name, store in shared.items()}

    def _filters(
        self, where: NoteFilter | None, stores: Mapping[str, Store], turn: Turn, *, goes_on: bool
    ) -> tuple[Mapping[str, NoteFilter | None], tuple[int, int] | None, set[str]]:
        """What the notes of each profile must fulfil, the parts of texts already looked into; and who was missing.

        goes_on: a later page of a search is wanted.
        The time limit is of all profiles together; a later page is of the same notes as the one before. What could not
        be looked at does not pass, even by an exclusion.
        """
        if where is None or not looks_into_parts(where):
            return dict.fromkeys(stores, where), None, set()
        seconds = self._limits.seconds
        end = seconds() + self._limits.parts
        found, missing = turn.each(
            stores, lambda _, store: store.passing_in_time(where, lambda: seconds() >= end, as_before=goes_on)
        )
        looked = sum(each.looked for each in found.values())
        total = sum(each.total for each in found.values())
        passing = {name: found[name].notes if name in found else None for name in stores}
        return passing, (looked, total) if looked < total else None, missing

    def _warm(self, stores: Mapping[str, Store]) -> None:
        """Have unloaded models loaded: a search by meaning follows as soon as the typing pauses."""
        for embedder in {id(found): found for found in map(self._embedder_of, stores)}.values():
            embedder.warm()

    def _words(
        self, plan: QueryPlan, stores: Mapping[str, Store], turn: Turn, *, typing: bool, mends: bool
    ) -> tuple[ScoredWords, QueryPlan, set[str]]:
        """What is looked for, the plan of the query without its mistakes, and who was missing.

        mends: words that no note has are searched as those near them.
        """
        known, missing = turn.each(stores, lambda _, store: store.languages())
        languages = _stemmed(plan, known.values())
        query = _lexical_query(plan, languages, stores, turn, typing=typing)
        stats, timed_out = _stats(query, stores, turn)
        missing |= timed_out
        if not mends or all(stats.frequencies.get(key, 0) > 0 for key in query.keys):
            absent = absent_words(plan.words, query, stats, ())
            return ScoredWords(query, stats, absent=absent, languages=languages), plan, missing
        answering = {name: store for name, store in stores.items() if name not in missing}
        spoken = {"en", *(language for found in known.values() for language in found), *languages_told(plan.text)}
        found = correct_typos(
            query,
            stats,
            frozenset(words_of(" ".join(plan.words))).difference(words_of(" ".join(words_of_times(plan.words)))),
            lambda word: _near(word, answering, turn, spoken),
            lambda word: is_word(word, spoken),
            offers=not typing,
        )
        absent = absent_words(plan.words, query, stats, found.instead)
        if found.instead:
            plan = meant_by(plan, found.instead)
            query = _lexical_query(plan, languages, answering, turn, typing=typing)
        if found.instead or found.beside:
            query = with_others(query, found.beside)
            stats, timed_out = _stats(query, answering, turn)
            missing |= timed_out
        return ScoredWords(query, stats, found.instead, absent, languages, found.offered), plan, missing

    def _understand(self, text: str, stores: Mapping[str, Store]) -> list[_SentQuery]:
        """Have the query embedded by every model in use, while the words are looked up."""
        embedders: dict[str, Embedder] = {}
        by_model: dict[str, set[str]] = {}
        for name in stores:
            embedder = self._embedder_of(name)
            embedders[embedder.spec.fingerprint] = embedder
            by_model.setdefault(embedder.spec.fingerprint, set()).add(name)
        check()  # since a model finishes what it has begun
        return [
            _SentQuery(embedders[model].spec, text, embedders[model].send_query(text), frozenset(names))
            for model, names in sorted(by_model.items())
        ]

    def _patience(self, request: SearchRequest) -> float:
        """For how many seconds a model is waited for."""
        limit = self._limits.deadline
        return limit if request.meaning_seconds is None else min(request.meaning_seconds, limit)

    def _read(
        self,
        understanding: list[_SentQuery],
        where: Mapping[str, NoteFilter | None],
        stores: Mapping[str, Store],
        lexical: Mapping[str, Sequence[LexicalHit]],
        turn: Turn,
        seconds: float,
    ) -> _Read:
        """The query as the models read it that did in time, with their semantic legs.

        The vectors of the lexical hits come with them. seconds: that a model may take.
        """
        told: list[tuple[_SentQuery, Meaning]] = []
        for sent in understanding:
            with contextlib.suppress(TimeoutError, CancelledError, Unavailable):
                vector = sent.vector(seconds)
                matrices = self._matrices_of(sent, stores, turn)
                measured = self._calibrations_of(sent, stores, turn)
                scale = scale_of(measured, vector) if measured else None
                share = UNREAD + (1 - UNREAD) * trust_of(measured) if measured else 1.0
                told.append((sent, Meaning(sent.model.fingerprint, vector, sent.profiles, share, 0.0, matrices, scale)))
        meanings = {name: meaning for _, meaning in told for name in meaning.profiles}

        def nearest(name: str, store: Store) -> SemanticCandidates:
            meaning = meanings[name]
            also = [hit.chunk_id for hit in lexical.get(name, ())]
            found = store.nearest(
                meaning.model,
                meaning.vector_for(name),
                where=where[name],
                limit=SEMANTIC_DEPTH,
                also=also,
                store_count=len(queried),
            )
            return meaning.usual(found, name)

        queried = {name: store for name, store in stores.items() if name in meanings}
        hits, missing = turn.each(queried, nearest)
        return _Read(told, hits, missing)

    def _matrices_of(self, sent: _SentQuery, stores: Mapping[str, Store], turn: Turn) -> Mapping[str, QueryMatrix]:
        """Of the profiles that share a model, those whose names have taught something."""
        asked = {name: store for name, store in stores.items() if name in sent.profiles}
        found, _ = turn.each(asked, lambda name, store: self._matrices(name, store, sent.model.fingerprint))
        return {name: matrix for name, matrix in found.items() if matrix is not None}

    def _calibrations_of(self, sent: _SentQuery, stores: Mapping[str, Store], turn: Turn) -> Sequence[Calibration]:
        """What was measured of the model in the profiles that share it."""
        asked = {name: store for name, store in stores.items() if name in sent.profiles}
        found, _ = turn.each(asked, lambda _, store: store.calibration(sent.model.fingerprint))
        return [each for each in found.values() if each is not None]


def _stemmed(plan: QueryPlan, known: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The languages in which a query's words are stemmed beside English. known: those of each profile."""
    languages = tuple(sorted({language for found in known for language in found}))
    # A German stem of *warden* is *ward*, which is another word in English.
    return () if is_english(plan.text, languages) else languages


def _state(understanding: Sequence[object], meanings: tuple[Meaning, ...]) -> SemanticState:
    if not understanding:
        return "not-asked"
    return "used" if meanings else "unavailable"


def _lexical_query(
    plan: QueryPlan, languages: tuple[str, ...], stores: Mapping[str, Store], turn: Turn, *, typing: bool
) -> LexicalQuery:
    """What the words of a plan are looked for by. languages: in which notes' words are stemmed beside English."""
    query = lexical_query(plan, typing=typing, languages=languages)
    if not typing and (compounding := tuple(filter(COMPOUNDING.__contains__, languages))):
        query = with_compounds(query, lambda word: _compounds(word, compounding, stores, turn))
    return without_splinters(query, plan.words, lambda part: _is_in_any(part, stores, turn))


def _stats(query: LexicalQuery, stores: Mapping[str, Store], turn: Turn) -> tuple[TermStats, set[str]]:
    found, missing = turn.each(stores, lambda _, store: store.term_stats(query.keys))
    return combined_stats(list(found.values())), missing


def _is_in_any(part: Term | TypedPhrase, stores: Mapping[str, Store], turn: Turn) -> bool:
    stats, _ = _stats(LexicalQuery((part,)), stores, turn)
    return stats.frequencies.get(part.key, 0) > 0


def _near(word: Term, stores: Mapping[str, Store], turn: Turn, spoken: Collection[str]) -> list[NearWord]:
    """The words of any of the stores that are near to a typed one, nearest first, then the likeliest."""
    answers, _ = turn.each(stores, lambda _, store: _near_in(store, word, spoken))
    found: dict[str, NearWord] = {}
    for near in (near for name in sorted(answers) for near in answers[name]):
        before = found.get(near.term)
        frequency = near.frequency + (before.frequency if before else 0)
        nearest = before if before and before.edits <= near.edits else near
        found[near.term] = replace(nearest, frequency=frequency)
    return sorted(
        found.values(),
        key=lambda near: (near.edits, -log10(near.frequency) - likelihood(word.typed, near.form), near.term),
    )


_NEAR_TERMS = 8  # of the index, each read where it stands


def _near_in(store: Store, word: Term, spoken: Collection[str]) -> list[NearWord]:
    """What notes of the store write nearly so. The index has stems, which may be near where no word is.

    spoken: the languages of the notes and of the query, whose words a stem stands for, too.
    """
    terms = {near.term: near for text in word.texts for near in store.near_terms(text, _NEAR_TERMS, typed=word.typed)}
    allowed = MAX_DISTANCE if len(word.typed) >= LONG else 1
    found: list[NearWord] = []
    for near in terms.values():
        written = store.forms(near.term)
        forms = list({**written, **dict.fromkeys(known_forms(near.term, spoken))})
        compared = [form[: len(word.typed)] for form in forms] if word.prefix else forms
        distances = zip(edits(word.typed, compared), forms, strict=True)
        ranked = ((distance, form not in written, -written.get(form, 0), form) for distance, form in distances)
        nearest = min(ranked, default=None)
        if nearest is not None and nearest[0] <= allowed:
            distance, is_elsewhere, _, form = nearest
            found.append(NearWord(form, near.term, max(distance, 1), near.frequency, not is_elsewhere))
    return found


def _compounds(word: str, languages: tuple[str, ...], stores: Mapping[str, Store], turn: Turn) -> list[str]:
    """The words that notes of any store have which are put together of this one and another."""
    answers, _ = turn.each(stores, lambda _, store: store.compounds(word, MAX_COMPOUNDS, languages))
    return [longer for name in sorted(answers) for longer in answers[name]]


def _best_of_all(lexical: Mapping[str, Sequence[LexicalHit]]) -> Mapping[str, Sequence[LexicalHit]]:
    """Of several profiles' legs, what is left of each once they are merged: how near the rest is need not be known."""
    if len(lexical) < 2:
        return lexical
    kept: dict[str, list[LexicalHit]] = {profile: [] for profile in lexical}
    for text in merge_lexical(lexical, LEXICAL_DEPTH):
        for place in text.places:
            kept[place.profile].append(place.hit)
    return kept


def _best(lexical: Mapping[str, Sequence[LexicalHit]], stores: Mapping[str, Store], turn: Turn) -> dict[Key, ChunkView]:
    """The best passage by words of each of the best notes, of all stores together."""
    hits = sorted(
        (-hit.score, hit.digest, name, hit.chunk_id, hit.note_id) for name in stores for hit in lexical.get(name, ())
    )
    best: dict[tuple[str, int], int] = {}
    for _, _, name, chunk_id, note_id in hits:
        if len(best) == PASSAGES:
            break
        best.setdefault((name, note_id), chunk_id)
    wanted: dict[str, list[int]] = {}
    for (name, _), chunk_id in best.items():
        wanted.setdefault(name, []).append(chunk_id)
    queried = {name: stores[name] for name in wanted}
    found, _ = turn.each(queried, lambda name, store: store.read(reads.chunks, wanted[name]))
    return {(name, chunk_id): view for name, views in found.items() for chunk_id, view in views.items()}


def _completeness(
    best: Mapping[Key, ChunkView], lexical: Mapping[str, Sequence[LexicalHit]], highlighter: Highlighter
) -> dict[Key, float]:
    """What those of the best passages that hold much of the query earn by saying it in one place."""
    shares = {
        (name, hit.chunk_id): hit.query_share
        for name, hits in lexical.items()
        for hit in hits
        if hit.query_share >= LEAST_SHARE
    }
    return {key: completeness(shares[key], view, highlighter) for key, view in best.items() if key in shares}
