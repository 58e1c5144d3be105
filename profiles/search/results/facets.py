"""Facets: how many of all matching notes have each value of a folder, tag, profile, month or property. Exact."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.types import Facet, FacetValue
from scrubjay.profiles.store.columns import Matches
from scrubjay.profiles.store.store import Store

# How many of all matching notes have each value: of a folder, a tag, a profile, a month, a property. Exact.

MOST_VALUES = 10


def facets(
    names: Sequence[str], stores: Mapping[str, Store], matches: Mapping[str, Matches], zone: tzinfo | None
) -> tuple[Facet, ...]:
    """The commonest values of each facet, the most notes first. zone: decides in which month a note was modified."""
    return tuple(Facet(name, _commonest(_counts(name, stores, matches, zone))) for name in dict.fromkeys(names))


def _commonest(counts: Counter[str]) -> tuple[FacetValue, ...]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(FacetValue(value, count) for value, count in ordered[:MOST_VALUES])


def _counts(
    name: str, stores: Mapping[str, Store], matches: Mapping[str, Matches], zone: tzinfo | None
) -> Counter[str]:
    counts: Counter[str] = Counter()
    for profile, found in matches.items():
        if name == "profile":
            counts.update({profile: found.total} if found.total else {})
        elif name == "month":
            counts.update(_months(stores[profile].modified(found.notes()), zone))
        else:
            counts.update(stores[profile].facet_counts(found.notes(), name))
    return _by_tag(counts) if name == "tag" else counts


def _by_tag(counts: Counter[str]) -> Counter[str]:
    """Tags that differ in case alone are one, as the commonest of them is written."""
    written: dict[str, str] = {}
    together: Counter[str] = Counter()
    for tag, count in counts.most_common():
        together[written.setdefault(fold(tag), tag)] += count
    return together


def _months(times: NDArray[np.int64], zone: tzinfo | None) -> dict[str, int]:
    """How many of these times (Unix nanoseconds) lie in each month that any lies in."""
    if not len(times):
        return {}
    starts = list(_month_starts(int(times.min()), int(times.max()), zone))
    edges = np.array([int(start.timestamp()) * 10**9 for start in starts])
    counts = np.bincount(np.searchsorted(edges, times, side="right") - 1, minlength=len(starts))
    return {f"{start:%Y-%m}": int(count) for start, count in zip(starts, counts, strict=True) if count}


def _month_starts(first_ns: int, last_ns: int, zone: tzinfo | None) -> Iterator[datetime]:
    start = datetime.fromtimestamp(first_ns / 1e9, tz=zone).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    while start.timestamp() * 1e9 <= last_ns:
        yield start
        start = start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
