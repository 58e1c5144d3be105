"""What was opened before after the same query stands higher: one place for each time, and less as time passes. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from scrubjay.profiles.journal.search_event import Opening, as_compared
from scrubjay.profiles.search.rank.fusion import PRIORS, SIGNALS, Ranked
from scrubjay.profiles.store.store import Store

HALF_LIFE_NS = 60 * 86_400 * 10**9
"""In which what an opening counts becomes half; one alone counts until then."""
_LEAST_PREFIX = 3  # characters; fewer begin too many queries

Openings: TypeAlias = Callable[[str, Store], Sequence[Opening]]
"""Called with a profile's name and its open store: what was opened from its results. Must not block."""


def no_openings(_profile: str, _store: Store) -> Sequence[Opening]:
    """Nothing was opened, or its owner wants it not to count."""
    return ()


def places_up(openings: Iterable[Opening], query: str, now_ns: int) -> Mapping[str, int]:
    """By how many places the note at each path is to stand higher for this query; those by none are left out.

    An opening counts where the query is the one that it followed, or the beginning of it.
    """
    asked = as_compared(query)
    worth: dict[str, float] = {}
    for opening in openings:
        remembered = as_compared(opening.query)
        if remembered == asked or (len(asked) >= _LEAST_PREFIX and remembered.startswith(asked)):
            age = max(0, now_ns - opening.at_ns)
            worth[opening.path] = worth.get(opening.path, 0.0) + 0.5 ** (age / HALF_LIFE_NS)
    return {path: places for path, each in worth.items() if (places := int(each + 0.5))}


def lifted(ranked: Ranked, order: Sequence[int], places: Mapping[int, int]) -> tuple[Ranked, Sequence[int]]:
    """The order with some columns so many places higher, and what that gives them as points.

    order: columns of `ranked`, best first. places: by column, > 0. A column that passes others gets the score of the
    first one that it passes, so that scores still fall from place to place.
    """
    if not places:
        return ranked, order
    wanted = {column: max(0, place - places.get(column, 0)) for place, column in enumerate(order)}
    # Of two for one place, the one that was opened more often.
    moved = sorted(order, key=lambda column: (wanted[column], -places.get(column, 0)))
    rows = len(SIGNALS) + len(PRIORS)
    points = np.zeros((rows, len(ranked.candidates)))
    points[: len(ranked.points)] = ranked.points
    scores = ranked.scores
    below = 0.0
    for column in reversed(moved):
        below = max(below, float(scores[column]))
        if column in places:
            points[len(SIGNALS) + PRIORS.index("opened"), column] = below - scores[column]
    return replace(ranked, points=points), moved
