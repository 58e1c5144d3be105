"""Figures for Prometheus, in a registry of their own. No label holds a query, a path or a note's text."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from scrubjay.daemon.indexing.progress import ProgressReport
from scrubjay.profiles.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store.rows import StoreCounts
from scrubjay.profiles.store.store import ServerFigures

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True, slots=True)
class ServerOfProfile:
    """A team's profile, and how its server does. figures: None where it is away, or lets us in no more."""

    profile: str
    figures: ServerFigures | None
    differing: int  # notes that say something else here than in the index


class Metrics:
    """Counters that the daemon feeds, and the text that tells them. Thread-safe."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._lock = threading.Lock()
        self._reports: dict[str, ProgressReport] = {}
        self._searches = Histogram(
            "scrubjay_search_seconds",
            "Time that searches took",
            ["mode", "relevance"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        names = {
            "read": "Notes read",
            "redacted": "Notes read in which a credential was hidden",
            "failed": "Notes that could not be indexed",
            "chunked": "Passages made of notes",
            "embedded": "Passages embedded",
        }
        self._indexing = {
            name: Counter(f"scrubjay_indexing_{name}", about, registry=self._registry) for name, about in names.items()
        }
        ProcessCollector(registry=self._registry)

    def searched(self, request: SearchRequest, response: SearchResponse) -> None:
        """A search was answered."""
        self._searches.labels(request.mode, response.relevance).observe(response.took_ms / 1000)

    def progressed(self, profile_id: str, report: ProgressReport) -> None:
        """A profile's progress, whose counts begin again with each scan."""
        with self._lock:
            before = self._reports.get(profile_id, ProgressReport())
            self._reports[profile_id] = report
        for name, counter in self._indexing.items():
            now, then = getattr(report, name), getattr(before, name)
            counter.inc(now - then if now >= then else now)

    def text(
        self,
        profiles: Sequence[tuple[str, StoreCounts]],
        servers: Sequence[ServerOfProfile] = (),
        *,
        with_totals: bool = True,
    ) -> bytes:
        """The sizes of these profiles, by name, in Prometheus' text format; and what is counted over all profiles."""
        sizes = CollectorRegistry()
        sizes.register(_Sizes(profiles))
        sizes.register(_Servers(servers))
        return (generate_latest(self._registry) if with_totals else b"") + generate_latest(sizes)


class _Sizes(Collector):
    """How much each profile holds, as gauges."""

    def __init__(self, profiles: Sequence[tuple[str, StoreCounts]]) -> None:
        self._profiles = profiles

    def collect(self) -> Iterable[GaugeMetricFamily]:
        for name, about in (
            ("notes", "Notes in the index"),
            ("chunks", "Passages in the index"),
            ("pending_embeddings", "Passages that meaning can't find yet"),
            ("redactions", "Credentials hidden"),
            ("failures", "Files left out"),
            ("bytes_on_disk", "Size of the database"),
        ):
            family = GaugeMetricFamily(f"scrubjay_profile_{name}", about, labels=["profile"])
            for profile, counts in self._profiles:
                family.add_metric([profile], getattr(counts, name))
            yield family


class _Servers(Collector):
    """How the servers of teams' profiles do, as gauges."""

    def __init__(self, servers: Sequence[ServerOfProfile]) -> None:
        self._servers = servers

    def collect(self) -> Iterable[GaugeMetricFamily]:
        gauges: tuple[tuple[str, str, Callable[[ServerOfProfile], float | None]], ...] = (
            ("up", "1 where the server of a team's profile answers", lambda found: int(found.figures is not None)),
            (
                "connections",
                "Connections that are open to it",
                lambda found: found.figures and found.figures.connections,
            ),
            ("waiting", "Uses that wait for a connection", lambda found: found.figures and found.figures.waiting),
            (
                "answer_seconds",
                "How long its first answer to the last search took",
                lambda found: found.figures and found.figures.answer_seconds,
            ),
            ("differing_notes", "Notes that say something else here than in the index", lambda found: found.differing),
        )
        for name, about, of in gauges:
            family = GaugeMetricFamily(f"scrubjay_server_{name}", about, labels=["profile"])
            for server in self._servers:
                value = of(server)
                if value is not None:
                    family.add_metric([server.profile], value)
            yield family
