"""Notes related to a note, and why: by meaning, by links, by tags. Suggests the links that are missing.

Each signal says from 0 to 1 how alike two notes are; a note's score is their weighted sum, and every part of it is a
reason to show. Notes without vectors, links or tags are related by what they have.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from scrubjay.daemon.graph.csr import Csr, FrozenGraph, Rows, Weights
from scrubjay.daemon.graph.likeness import by_links, by_tags, mean_vector, nearest_notes
from scrubjay.daemon.graph.resolve import NoteName
from scrubjay.profiles.database.rows import ChunkView
from scrubjay.profiles.names import fold
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.text.analysis import UNSPACED

RelationSignal: TypeAlias = Literal["meaning", "shared-links", "shared-tags", "links-to", "linked-from", "mentions"]
Signals: TypeAlias = dict[RelationSignal, Weights]  # of every row of the graph

WEIGHTS: Mapping[RelationSignal, float] = {
    "meaning": 0.6,
    "shared-links": 0.2,
    "shared-tags": 0.1,
    "links-to": 0.1,
    "linked-from": 0.1,
    "mentions": 0.2,
}
"""What a likeness of 1 is worth. Measured on a real vault's links, see docs/links-and-related.md."""

SUGGEST_FROM = 0.5
"""Score from which a note that is not linked is worth a link."""

_CHUNKS_BY_MEANING = 60
_READ_CLOSELY = 30  # candidates whose names are looked for in the note's text
_EXAMPLES = 3
_SHORTEST_NAME = 4  # letters; shorter names are often said without meaning the note
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class RelationReason:
    """One reason why a note is related."""

    signal: RelationSignal
    points: float  # the points of all reasons sum to the note's score
    likeness: float  # in (0, 1]
    shared: tuple[str, ...] = ()  # a few of the notes (paths) or tags in common, the most telling first


@dataclass(frozen=True, slots=True)
class RelatedNote:
    """A note that is related to the one given."""

    note_id: int
    score: float
    reasons: tuple[RelationReason, ...]  # most points first
    linked: bool  # in either direction
    suggested: bool  # not linked, and so much alike that a link may be missing
    chunk_id: int | None  # its passage nearest in meaning, if meaning is a reason


def related_notes(
    store: Store, graph: FrozenGraph, model: str, note_id: int, *, limit: int = 10, line: int | None = None
) -> tuple[RelatedNote, ...]:
    """The notes most related to `note_id`, best first, equal scores by id; none for a note that the graph lacks.

    model: the fingerprint whose vectors to compare; where this note has none yet, links and tags decide.
    line: 1-based; with it, meaning is that of the section it is in instead of the whole note's.
    """
    row = graph.row_of.get(note_id)
    if row is None:
        return ()
    chunks = store.note_chunks(note_id)
    centre = mean_vector(store, chunks if line is None else _section(chunks, line))
    depth = _CHUNKS_BY_MEANING + min(len(chunks), _CHUNKS_BY_MEANING)  # its own are the nearest
    hits = store.semantic(model, centre, where=None, limit=depth) if centre is not None else []
    nearest = nearest_notes(hits, note_id)
    signals = _signals(graph, row, {other: likeness for other, (likeness, _) in nearest.items()})
    best = _best(signals, max(limit, _READ_CLOSELY))
    words = _words(" ".join(chunk.text for chunk in chunks))
    for other in map(int, best):
        signals["mentions"][other] = float(_mentions(words, graph.names[other]))
    found: list[RelatedNote] = []
    for other in map(int, _best(signals, limit)):
        reasons = _reasons(graph, signals, row, other)
        score = sum(reason.points for reason in reasons)
        linked = bool(signals["links-to"][other] or signals["linked-from"][other])
        other_id = int(graph.ids[other])
        chunk_id = nearest[other_id][1] if other_id in nearest else None
        found.append(RelatedNote(other_id, score, reasons, linked, not linked and score >= SUGGEST_FROM, chunk_id))
    return tuple(found)


def _section(chunks: Sequence[ChunkView], line: int) -> list[ChunkView]:
    """The chunks below the heading that a line stands under; a line above all chunks counts to the first."""
    before = [chunk for chunk in chunks if chunk.line <= line] or chunks[:1]
    return [chunk for chunk in chunks if before and chunk.headings == before[-1].headings]


def _signals(graph: FrozenGraph, row: int, meaning: Mapping[int, float]) -> Signals:
    signals: Signals = {signal: np.zeros(len(graph.ids)) for signal in WEIGHTS}
    known = {graph.row_of[other]: likeness for other, likeness in meaning.items() if other in graph.row_of}
    signals["meaning"][list(known)] = list(known.values())
    links, tags = by_links(graph, row), by_tags(graph, row)
    signals["shared-links"][links.rows] = links.values
    signals["shared-tags"][tags.rows] = tags.values
    signals["links-to"][graph.out.of(row)] = 1.0
    signals["linked-from"][graph.into.of(row)] = 1.0
    return signals


def _best(signals: Signals, limit: int) -> Rows:
    """Rows with any points, most first; equal ones in their order, which is that of the ids."""
    scores = sum((WEIGHTS[signal] * values for signal, values in signals.items()), np.zeros(1))
    return np.argsort(-scores, kind="stable")[: min(limit, int(np.count_nonzero(scores)))]


def _reasons(graph: FrozenGraph, signals: Signals, row: int, other: int) -> tuple[RelationReason, ...]:
    reasons: list[RelationReason] = []
    for signal, values in signals.items():
        likeness = float(values[other])
        if likeness > 0:
            reasons.append(
                RelationReason(signal, WEIGHTS[signal] * likeness, likeness, _shared(graph, signal, row, other))
            )
    return tuple(sorted(reasons, key=lambda reason: -reason.points))


def _shared(graph: FrozenGraph, signal: RelationSignal, row: int, other: int) -> tuple[str, ...]:
    if signal == "shared-links":
        return tuple(graph.names[common].path for common in _rarest(graph.both, graph.both, row, other))
    if signal == "shared-tags":
        return tuple(graph.tag_names[common] for common in _rarest(graph.tags, graph.tagged, row, other))
    return ()


def _rarest(has: Csr, had_by: Csr, row: int, other: int) -> list[int]:
    common = np.intersect1d(has.of(row), has.of(other), assume_unique=True)
    return common[np.argsort(had_by.degrees[common], kind="stable")][:_EXAMPLES].tolist()


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(fold(text)))} "


def _mentions(words: str, name: NoteName) -> bool:
    """Whether a text says one of the note's names as words of their own."""
    stem = name.path.rpartition("/")[2].removesuffix(".md")
    for written in (stem, *name.aliases):
        name_words = _words(written)
        if len(name_words) - 2 >= _SHORTEST_NAME and name_words in words:
            return True
        if len(name_words) > _SHORTEST_NAME and UNSPACED.search(name_words) and name_words.strip() in words:
            return True
    return False
