"""Notes related to a note, and why: by meaning, by links, by tags."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from scrubjay.daemon.links.link_graph import Csr, FrozenGraph, Rows, Weights
from scrubjay.daemon.links.link_resolver import NoteName
from scrubjay.profiles.names import fold
from scrubjay.profiles.search.meaning.vectors import vectors_of
from scrubjay.profiles.search.words.analysis import UNSPACED
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView, SemanticHit, Vector
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class Likeness:
    """Notes with something in common with a note, in ascending rows; values of each note in (0, 1)."""

    rows: Rows
    values: Weights


def by_links(graph: FrozenGraph, row: int) -> Likeness:
    """Notes that share neighbours with `row`: cited together, or citing the same."""
    return _in_common(graph.both, graph.both, row)


def by_tags(graph: FrozenGraph, row: int) -> Likeness:
    """Notes that share tags with `row`."""
    return _in_common(graph.tags, graph.tagged, row)


def mean_vector(store: Store, chunks: Sequence[ChunkView]) -> Vector | None:
    """The direction of the mean of these chunks' vectors, of length 1; None where none of them has one."""
    vectors = store.read(vectors_of, [chunk.digest for chunk in chunks])
    if not vectors:
        return None
    mean: Vector = np.mean(np.stack(list(vectors.values())), axis=0).astype(np.float32)
    length = np.float32(np.linalg.norm(mean))
    return mean / length if length > 0 else None


def nearest_notes(hits: Iterable[SemanticHit], note_id: int) -> dict[int, tuple[float, int]]:
    """Of each note but `note_id`, its best likeness (cosine, nothing below 0) and the chunk that has it."""
    found: dict[int, tuple[float, int]] = {}
    for hit in hits:
        likeness = min(1.0 - hit.distance, 1.0)
        if likeness > 0 and hit.note_id != note_id and likeness > found.get(hit.note_id, (0.0, 0))[0]:
            found[hit.note_id] = (likeness, hit.chunk_id)
    return found


class LikenessTo:
    """How alike notes are to a vector: the cosine of a note's nearest chunk. Remembers what it measured."""

    def __init__(self, store: Store, graph: FrozenGraph, vector: Vector) -> None:
        self._store = store
        self._graph = graph
        self._vector = vector
        self._known: dict[int, float] = {}

    def __call__(self, rows: Rows) -> Weights:
        """The likeness of each row, in [-1, 1]; NaN for a note without vectors."""
        values = [self._of(int(row)) for row in rows]
        return np.array(values, dtype=np.float64)

    def _of(self, row: int) -> float:
        if row not in self._known:
            chunks = self._store.read(reads.note_chunks, int(self._graph.ids[row]))
            vectors = self._store.read(vectors_of, [chunk.digest for chunk in chunks])
            self._known[row] = max((float(vector @ self._vector) for vector in vectors.values()), default=float("nan"))
        return self._known[row]


def _in_common(has: Csr, had_by: Csr, row: int) -> Likeness:
    own = has.of(row)
    owner, others = had_by.of_all(own)
    counts = had_by.starts[own + 1] - had_by.starts[own]
    weights = 1.0 / np.log2(1.0 + counts) ** 2
    sums = np.bincount(others, weights=weights[owner], minlength=len(has.starts) - 1)
    sums[row] = 0.0
    rows = np.flatnonzero(sums)
    return Likeness(rows, sums[rows] / (1.0 + sums[rows]))


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
    chunks = store.read(reads.note_chunks, note_id)
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
