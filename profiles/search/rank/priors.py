"""Priors: what a note's age, and its own word for its importance, do to its score after fusion."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.registry.registry import PriorSettings
from scrubjay.profiles.search.rank.fusion import PRIORS, SIGNALS, Ranked, Scores
from scrubjay.profiles.search.rank.legs import Legs
from scrubjay.profiles.search.types import Signal
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store

# Priors, applied after fusion: the age of a profile's notes, and what they say of their own importance, where the
# profile has that on.
#
# Each profile's candidates are moved by its own settings, so that what one profile sets moves no other's notes against
# each other. Every prior has a row of points of its own, and the points still sum to the score.

_DAY = 86_400
_LEAST_FRESH = 0.5
_IMPORTANCE = {"low": 0.95, "normal": 1.0, "medium": 1.0, "high": 1.05, "critical": 1.1, "highest": 1.1}
Priors = Callable[[str], PriorSettings | None]
"""Called with a profile's name; None: it wants no priors. Must not block."""


def no_priors(_profile: str) -> None:
    """No profile has priors."""


def with_priors(
    ranked: Ranked, legs: Sequence[Legs], stores: Mapping[str, Store], priors: Priors, now: datetime
) -> Ranked:
    """Apply each profile's priors to its candidates. legs: their hits. now: aware."""
    wanted = [(leg, settings) for leg in legs if (settings := priors(leg.profile))]
    if not wanted or not len(ranked.candidates):
        return ranked
    ranked = replace(ranked, points=np.vstack((ranked.points, np.zeros((len(PRIORS), len(ranked.candidates))))))
    for leg, settings in wanted:
        _move(ranked, leg, stores[leg.profile], settings, now)
    return ranked


def with_recency(
    scores: Scores, ages_days: NDArray[np.float64], half_life_days: float, least: float = _LEAST_FRESH
) -> Scores:
    """Scores times least + (1 - least) / 2^(age / half-life): from 1 for now down to `least` for ever ago.

    ages_days: below 0 (a file from the future) counts as now; NaN (unknown) leaves the score. Raises ValueError for a
    half-life that is not above 0.
    """
    if half_life_days <= 0:
        raise ValueError("the half-life must be above 0 days")
    fresh = least + (1.0 - least) * np.exp2(-np.maximum(ages_days, 0.0) / half_life_days)
    return scores * np.where(np.isnan(ages_days), 1.0, fresh)


def importance(properties: Mapping[str, str | tuple[str, ...]]) -> float:
    """The factor that a note's own frontmatter sets by `importance` (or `priority`, in words); 1 where it does not.

    Words from low (0.95) to critical (1.1); a number from 1 to 5 for `importance`, 3 being 1.0.
    """
    by_name = {name.casefold(): value for name, value in properties.items()}
    for name in ("importance", "priority"):
        written = by_name.get(name, "")
        word = written.strip().casefold() if isinstance(written, str) else ""
        if word in _IMPORTANCE:
            return _IMPORTANCE[word]
        if name == "importance" and word in {"1", "2", "3", "4", "5"}:
            return 1.0 + 0.05 * (int(word) - 3)
    return 1.0


def _move(ranked: Ranked, leg: Legs, store: Store, settings: PriorSettings, now: datetime) -> None:
    """Points for what age and importance make of one profile's scores, one after the other."""
    keys = ranked.candidates.keys
    columns = np.array([i for i, (profile, _) in enumerate(keys) if profile == leg.profile], dtype=np.int64)
    note_of = {hit.chunk_id: hit.note_id for hits in (leg.lexical, leg.semantic) for hit in hits}
    notes = [note_of[keys[column][1]] for column in columns.tolist()]
    views = store.read(reads.notes, sorted(set(notes)))

    def take(signal: Signal, scores: Scores) -> None:
        ranked.points[len(SIGNALS) + PRIORS.index(signal), columns] = scores - ranked.scores[columns]

    if settings.recency_days:
        ages = [(now.timestamp() - views[note].mtime_ns / 1e9) / _DAY if note in views else np.nan for note in notes]
        take("recency", with_recency(ranked.scores[columns], np.array(ages), settings.recency_days))
    if settings.importance:
        said = {note: importance(view.properties) for note, view in views.items()}
        take("importance", ranked.scores[columns] * [said.get(note, 1.0) for note in notes])
