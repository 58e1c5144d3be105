"""From ranked passages to notes: the best passage of each, variety, and what a profile prefers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.graph.keeper import MeasuredGraph
from scrubjay.daemon.graph.prior_scores import (
    GraphWeights,
    decay_ladder,
    edges_among,
    graph_leg,
    importance,
    with_graph,
    with_recency,
)
from scrubjay.daemon.search.rank.fusion import PRIORS, SIGNALS, Ranked, Scores
from scrubjay.daemon.search.rank.legs import Candidates, Legs
from scrubjay.daemon.search.types import Signal
from scrubjay.profiles.database.filters import NoteFilter
from scrubjay.profiles.database.rows import NoteView, SemanticHit, Vector
from scrubjay.profiles.names import fold
from scrubjay.profiles.registry.registry import PriorSettings
from scrubjay.profiles.store.store import Store

# From passages to notes.


def best_passage(scores: NDArray[np.float64], notes: Sequence[int]) -> NDArray[np.int64]:
    """Index of the best passage of every note, best note first; equal scores keep the order of `scores`.

    scores: higher is better, shape (passages,). notes: an integer a passage, equal for the passages of one note.
    """
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(np.asarray(notes, dtype=np.int64)[order], return_index=True)
    return order[np.sort(first)]


# Maximal marginal relevance inside a note, so that a list of passages does not repeat one note's overlapping parts.

_RELEVANCE_WEIGHT = 0.7


def diversify(
    scores: Sequence[float],
    notes: Sequence[int],
    vectors: Sequence[NDArray[np.float32] | None],
    *,
    keep: int,
) -> list[int]:
    """Choose `keep` passages one by one; a passage loses points for likeness to those already chosen of ITS note.

    scores: higher is better, best first not required. notes: an integer a passage, equal for passages of one note.
    vectors: L2-normalised, or None where a passage has none yet (it is then taken for unlike the others).
    Returns indexes in the order chosen. Passages of different notes never push one another down.
    Source: Carbonell and Goldstein, SIGIR 1998, with likeness restricted to the own note and scores scaled
    """
    if not scores:
        return []
    best = max(scores)
    relevance = [score / best if best > 0 else 0.0 for score in scores]
    likeness = [0.0] * len(scores)
    left = list(range(len(scores)))
    chosen: list[int] = []
    while left and len(chosen) < keep:
        pick = max(left, key=lambda i: (_marginal(relevance[i], likeness[i]), -i))
        left.remove(pick)
        chosen.append(pick)
        for i in left:
            likeness[i] = max(likeness[i], _likeness(pick, i, notes, vectors))
    return chosen


def _marginal(relevance: float, likeness: float) -> float:
    return _RELEVANCE_WEIGHT * relevance - (1 - _RELEVANCE_WEIGHT) * likeness


def _likeness(a: int, b: int, notes: Sequence[int], vectors: Sequence[NDArray[np.float32] | None]) -> float:
    left, right = vectors[a], vectors[b]
    if notes[a] != notes[b] or left is None or right is None:
        return 0.0
    return max(0.0, float(left @ right))


# Priors, applied after fusion: each profile's own links, dates and frontmatter move its results, where it has them on.
#
# Each profile's candidates are moved by its own settings, as shares of its own best score, so that what one profile
# sets moves no other's notes against each other. Every prior has a row of points of its own, and the points still sum
# to the score.

SEEDS = 10
"""Notes from which the leg along links starts: the best by fused score."""
LEG_DEPTH = 20
"""Notes that it may add: among them those that no other leg found."""
_DAY = 86_400
_AUTHOR = ("author", "authors", "by")


@dataclass(frozen=True, slots=True)
class ProfilePriors:
    """The priors of one profile. graph: None where it is not measured yet; links then have no effect."""

    settings: PriorSettings
    graph: MeasuredGraph | None = None


@dataclass(frozen=True, slots=True)
class QueryParts:
    """What of a query the priors look at."""

    now: datetime  # aware
    where: Mapping[str, NoteFilter | None]  # by profile: the filter that notes added by links must pass
    vector: Callable[[str], Vector] | None  # of a profile, to choose their passages by; None: the first one is taken


Priors = Callable[[str, Store], ProfilePriors | None]
"""Called with a profile's name and its open store; None: it wants no priors. Must not block."""


def no_priors(_profile: str, _store: Store) -> None:
    """No profile has priors."""


def with_priors(
    ranked: Ranked,
    legs: Sequence[Legs],
    stores: Mapping[str, Store],
    priors: Priors,
    query: QueryParts,
) -> Ranked:
    """Apply each profile's priors to its candidates, and add those that its links lead to. legs: their hits."""
    wanted = [(leg, found) for leg in legs if (found := priors(leg.profile, stores[leg.profile]))]
    if not wanted or not len(ranked.candidates):
        return ranked
    ranked = Ranked(ranked.candidates, np.vstack((ranked.points, np.zeros((len(PRIORS), len(ranked.candidates))))))
    for leg, wants in wanted:
        note_of = {hit.chunk_id: hit.note_id for hits in (leg.lexical, leg.semantic) for hit in hits}
        profile = _Profile(leg.profile, stores[leg.profile], wants, note_of)
        ranked = profile.moved(profile.with_leg(ranked, query), query.now)
    return ranked


@dataclass(frozen=True, slots=True)
class _Profile:
    """One profile's part in one search."""

    name: str
    store: Store
    wants: ProfilePriors
    note_of: dict[int, int]  # chunk id -> note id, of every candidate

    def with_leg(self, ranked: Ranked, query: QueryParts) -> Ranked:
        """Points for the notes that the best results lead to by links, those among them that no leg found too."""
        share, measured = self.wants.settings.links, self.wants.graph
        columns = self._columns(ranked)
        if share <= 0 or measured is None or not len(columns):
            return ranked
        notes, scores = self._notes(ranked, columns), ranked.scores[columns]
        best = map(int, best_passage(scores, notes)[:SEEDS])
        seeds = {notes[index]: float(scores[index]) for index in best if scores[index] > 0}
        reached = dict(graph_leg(measured.graph, seeds, LEG_DEPTH))
        added = self.store.notes([note for note in reached if note not in notes], query.where[self.name])
        ranked = _extended(ranked, self.name, self._passages(added, query.vector and query.vector(self.name)))
        columns = self._columns(ranked)
        gains = [reached.get(note, 0.0) for note in self._notes(ranked, columns)]
        ranked.points[_row("links"), columns] = share * max(seeds.values(), default=0.0) * np.array(gains)
        return ranked

    def moved(self, ranked: Ranked, now: datetime) -> Ranked:
        """What links, age, the ladder and importance make of the scores, one after the other."""
        settings, columns = self.wants.settings, self._columns(ranked)
        notes = self._notes(ranked, columns)

        def take(signal: Signal, scores: Scores) -> None:
            ranked.points[_row(signal), columns] = scores - ranked.scores[columns]

        if settings.pagerank or settings.centrality:
            take("graph", self._by_links(ranked.scores[columns], notes))
        if not (settings.recency_days or settings.ladder != "off" or settings.importance):
            return ranked
        views = self.store.notes(sorted(set(notes)))
        if settings.recency_days:
            ages = [
                (now.timestamp() - views[note].mtime_ns / 1e9) / _DAY if note in views else np.nan for note in notes
            ]
            take("recency", with_recency(ranked.scores[columns], np.array(ages), settings.recency_days))
        if settings.ladder != "off":
            factors = _ladder(views, by_author=settings.ladder == "author")
            take("ladder", ranked.scores[columns] * [factors.get(note, 1.0) for note in notes])
        if settings.importance:
            said = {note: importance(view.properties) for note, view in views.items()}
            take("importance", ranked.scores[columns] * [said.get(note, 1.0) for note in notes])
        return ranked

    def _by_links(self, scores: Scores, notes: Sequence[int]) -> Scores:
        measured, settings = self.wants.graph, self.wants.settings
        if measured is None:
            return scores
        rows = np.array([measured.graph.row_of.get(note, -1) for note in notes], dtype=np.int64)
        known = rows >= 0
        pageranks, centralities = np.zeros(len(rows)), np.zeros(len(rows))
        pageranks[known] = measured.pageranks[rows[known]]
        centralities[known] = measured.centralities[rows[known]]
        edges = edges_among(measured.graph.out, np.unique(rows[known]))
        share = 1.0 - settings.pagerank - settings.centrality
        weights = GraphWeights(share, settings.pagerank, settings.centrality)
        return with_graph(scores, pageranks, centralities, edges, weights)

    def _columns(self, ranked: Ranked) -> NDArray[np.int64]:
        return np.array([i for i, key in enumerate(ranked.candidates.keys) if key[0] == self.name], dtype=np.int64)

    def _notes(self, ranked: Ranked, columns: NDArray[np.int64]) -> list[int]:
        return [self.note_of[ranked.candidates.keys[column][1]] for column in columns.tolist()]

    def _passages(self, notes: Iterable[int], vector: Vector | None) -> list[SemanticHit]:
        """Of each note the passage nearest to the query, at distance NaN where that is not known; then its first."""
        found: list[SemanticHit] = []
        for note in notes:
            chunks = self.store.note_chunks(note)
            known = self.store.vectors_of([chunk.digest for chunk in chunks])
            distances: dict[bytes, float] = {}
            if vector is not None:
                distances = {digest: 1.0 - float(vector @ each) for digest, each in known.items()}
            if chunks:
                best = min(chunks, key=lambda chunk: (distances.get(chunk.digest, np.inf), chunk.position))
                self.note_of[best.chunk_id] = note
                found.append(SemanticHit(best.chunk_id, note, best.digest, distances.get(best.digest, np.nan)))
        return found


def _extended(ranked: Ranked, profile: str, added: Sequence[SemanticHit]) -> Ranked:
    """Ranked with further passages of a profile at the end, each of a note of its own, with points for its meaning."""
    old = ranked.candidates
    likeness = np.array([1.0 - hit.distance for hit in added])
    scores = np.vstack((np.full(len(added), np.nan), likeness))
    points = np.zeros((len(ranked.points), len(added)))
    points[1] = np.maximum(np.nan_to_num(likeness), 0.0) * _worth_of_likeness(ranked)
    candidates = Candidates(
        keys=(*old.keys, *((profile, hit.chunk_id) for hit in added)),
        digests=(*old.digests, *(hit.digest for hit in added)),
        notes=np.concatenate((old.notes, int(old.notes.max()) + 1 + np.arange(len(added)))),
        scores=np.hstack((old.scores, scores)),
        coverage=np.hstack((old.coverage, np.zeros((len(old.coverage), len(added))))),
    )
    return Ranked(candidates, np.hstack((ranked.points, points)))


def _worth_of_likeness(ranked: Ranked) -> float:
    """The points that a similarity of 1 earned in this search, by the candidate that has the highest."""
    likeness = np.nan_to_num(ranked.candidates.scores[1])
    best = int(np.argmax(likeness))
    return float(ranked.points[1, best] / likeness[best]) if likeness[best] > 0 else 0.0


def _ladder(views: Mapping[int, NoteView], *, by_author: bool) -> dict[int, float]:
    """The factor of each note that has a group, by when it was written: as it says itself, else its last change."""
    groups = {note: _author(view) if by_author else _folder(view) for note, view in views.items()}
    grouped = [note for note, group in groups.items() if group]
    times = [views[note].created_ns or views[note].mtime_ns for note in grouped]
    return dict(zip(grouped, decay_ladder([groups[note] for note in grouped], times).tolist(), strict=True))


def _folder(view: NoteView) -> str:
    return f"{view.vault}/{view.path.rpartition('/')[0]}"


def _author(view: NoteView) -> str:
    """Who wrote it, folded; "" where it does not say."""
    by_name = {name.casefold(): value for name, value in view.properties.items()}
    written = next((by_name[name] for name in _AUTHOR if by_name.get(name)), "")
    return fold(written if isinstance(written, str) else " ".join(sorted(written)))


def _row(signal: Signal) -> int:
    return len(SIGNALS) + PRIORS.index(signal)
