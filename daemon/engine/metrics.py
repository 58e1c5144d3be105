"""What is counted for Prometheus. No count is of a query, a path or a note's text."""

import threading
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scrubjay.daemon.indexing.progress import ProgressReport
from scrubjay.profiles.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store.store import ServerFigures

SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
COUNTED = {
    "read": "Notes read",
    "redacted": "Notes read in which a credential was hidden",
    "failed": "Notes that could not be indexed",
    "chunked": "Passages made of notes",
    "embedded": "Passages embedded",
}
"""Fields of a `ProgressReport`, and what they say."""


@dataclass(slots=True)
class SearchTimes:
    """How long searches took. counts: those up to each of SECONDS that no smaller one counts; last, those beyond."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(SECONDS) + 1))
    seconds: float = 0.0  # all together

    def add(self, seconds: float) -> None:
        """Count a search."""
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.seconds += seconds


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted over all profiles."""

    searches: Mapping[tuple[str, str], SearchTimes]  # by mode and relevance
    indexing: Mapping[str, int]  # by COUNTED


@dataclass(frozen=True, slots=True)
class ServerOfProfile:
    """A team's profile, and how its server does. figures: None where it is away, or lets us in no more."""

    profile: str
    figures: ServerFigures | None
    differing: int  # notes that say something else here than in the index


class Metrics:
    """Counters that the daemon feeds. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reports: dict[str, ProgressReport] = {}
        self._searches: dict[tuple[str, str], SearchTimes] = {}  # by mode and relevance
        self._indexing: dict[str, int] = dict.fromkeys(COUNTED, 0)

    def searched(self, request: SearchRequest, response: SearchResponse) -> None:
        """A search was answered."""
        with self._lock:
            times = self._searches.setdefault((request.mode, response.relevance), SearchTimes())
            times.add(response.took_ms / 1000)

    def progressed(self, profile_id: str, report: ProgressReport) -> None:
        """A profile's progress, whose counts begin again with each scan."""
        with self._lock:
            before = self._reports.get(profile_id, ProgressReport())
            self._reports[profile_id] = report
            for name in COUNTED:
                now, then = getattr(report, name), getattr(before, name)
                self._indexing[name] += now - then if now >= then else now

    def counted(self) -> Counted:
        """What is counted so far."""
        with self._lock:
            searches = {kind: replace(times, counts=list(times.counts)) for kind, times in self._searches.items()}
            return Counted(searches, dict(self._indexing))
