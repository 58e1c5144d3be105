"""Outward from notes along links in either direction, keeping what stays on the subject.

Beam search: each hop looks at the neighbours of the notes that the last hop kept. With limits, a note must be
similar enough to the question, more so the farther out, and among the best of its hop; a hop that finds too little
ends the walk. Without limits (deep mode), everything within reach is kept. Either way nothing is dropped
silently: every note that was looked at is in the answer, with what became of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.links.answer_words import Ending, Fate
from scrubjay.daemon.links.link_graph import FrozenGraph, Rows, Weights
from scrubjay.daemon.links.related import LikenessTo, mean_vector
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import Vector
from scrubjay.profiles.store.store import Store

MOST_NOTES = 2_000
"""Notes that one walk measures at most; the rest of a hop is named, "beyond-limit", and not measured."""


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """What a note must fulfil to be kept. Likeness is cosine."""

    floor: float = 0.30  # least likeness at the first hop
    rise: float = 0.05  # by how much the floor is higher at each further hop
    beam: int = 8  # most notes that one hop keeps
    average: float = 0.35  # a hop whose kept notes are less alike on average is the last


DEFAULT_LIMITS = WalkLimits()


@dataclass(frozen=True, slots=True)
class Step:
    """A note that was looked at."""

    note_id: int
    hop: int  # 0 for the notes that the walk began with
    via: int | None  # the note from which it was reached; the first to reach it
    likeness: float | None  # None: not measured, or not embedded
    fate: Fate


@dataclass(frozen=True, slots=True)
class Walk:
    """All notes that were looked at: by hop, kept ones first, most alike first, equal ones by id."""

    steps: tuple[Step, ...]
    ending: Ending  # why it went no further


def traverse(
    graph: FrozenGraph,
    starts: Sequence[int],
    likeness: Callable[[Rows], Weights],
    *,
    hops: int = 2,
    limits: WalkLimits | None = DEFAULT_LIMITS,
) -> Walk:
    """Walk at most `hops` hops from the notes `starts`; ids that the graph lacks are passed over.

    likeness: of rows to the question, NaN where it is unknown. limits: None keeps everything (deep mode).
    """
    beam = np.array([graph.row_of[note_id] for note_id in dict.fromkeys(starts) if note_id in graph.row_of], np.int64)
    seen = np.zeros(len(graph.ids), dtype=bool)
    seen[beam] = True
    steps = [_step(graph, row, 0, None, value, "kept") for row, value in zip(beam, likeness(beam), strict=True)]
    measured = 0
    for hop in range(1, hops + 1):
        rows, via = _fringe(graph, beam, seen)
        if len(rows) == 0:
            return Walk(tuple(steps), "nothing-further")
        room = MOST_NOTES - measured
        values = np.full(len(rows), np.nan)
        values[:room] = likeness(rows[:room])
        measured += min(room, len(rows))
        fates = _fates(values, room, hop, limits)
        order = sorted(range(len(rows)), key=lambda index: _place(fates[index], float(values[index]), int(rows[index])))
        steps += [_step(graph, rows[i], hop, int(graph.ids[via[i]]), values[i], fates[i]) for i in order]
        seen[rows] = True
        kept = np.array([index for index in order if fates[index] == "kept"], dtype=np.int64)
        beam = rows[kept]
        if len(rows) > room:
            return Walk(tuple(steps), "limit")
        if limits and (len(kept) == 0 or float(np.mean(values[kept])) < limits.average):
            return Walk(tuple(steps), "low-quality")
    return Walk(tuple(steps), "hops")


def walk_from(
    store: Store, graph: FrozenGraph, starts: Sequence[int], vector: Vector | None, *, hops: int, deep: bool
) -> Walk:
    """Walk along links from notes, at least one. vector: of what the walk is about; None: of the first note.

    deep: nothing within reach is dropped. Where there is no vector at all, no likeness is known, and only a deep walk
    gets anywhere.
    """
    about = mean_vector(store, store.read(reads.note_chunks, starts[0])) if vector is None else vector
    likeness = _unknown if about is None else LikenessTo(store, graph, about)
    return traverse(graph, starts, likeness, hops=hops, limits=None if deep else DEFAULT_LIMITS)


def _fringe(graph: FrozenGraph, beam: Rows, seen: NDArray[np.bool_]) -> tuple[Rows, Rows]:
    """The neighbours of `beam` that were not seen yet, and for each the first row of `beam` that leads there."""
    owner, neighbours = graph.both.of_all(beam)
    fresh = ~seen[neighbours]
    rows, first = np.unique(neighbours[fresh], return_index=True)
    return rows, beam[owner[fresh][first]]


def _fates(values: Weights, room: int, hop: int, limits: WalkLimits | None) -> list[Fate]:
    fates: list[Fate] = ["kept" if index < room else "beyond-limit" for index in range(len(values))]
    if limits is None:
        return fates
    floor = limits.floor + limits.rise * (hop - 1)
    for index, value in enumerate(values[:room].tolist()):
        if np.isnan(value):
            fates[index] = "not-embedded"
        elif value < floor:
            fates[index] = "below-floor"
    kept = [index for index, fate in enumerate(fates) if fate == "kept"]
    for index in sorted(kept, key=lambda index: (-values[index], index))[limits.beam :]:
        fates[index] = "outside-beam"
    return fates


def _place(fate: Fate, value: float, row: int) -> tuple[bool, float, int]:
    return fate != "kept", np.inf if np.isnan(value) else -value, row


def _step(graph: FrozenGraph, row: np.int64, hop: int, via: int | None, value: float, fate: Fate) -> Step:
    return Step(int(graph.ids[row]), hop, via, None if np.isnan(value) else float(value), fate)


def _unknown(rows: Rows) -> Weights:
    return np.full(len(rows), np.nan)
