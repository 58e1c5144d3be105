"""What is counted, in Prometheus' text format: a registry for each time that somebody asks."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from scrubjay.daemon.engine.metrics import COUNTED, SECONDS, Counted, ServerOfProfile
from scrubjay.profiles.store.rows import StoreCounts

CONTENT_TYPE = "text/plain; version=0.0.4"  # the framework adds the character set
_BUCKETS = (*map(str, SECONDS), "+Inf")


def text(
    counted: Counted | None, profiles: Sequence[tuple[str, StoreCounts]], servers: Sequence[ServerOfProfile] = ()
) -> bytes:
    """What is counted, if that is to be told, how much these profiles hold, and how the servers of teams do."""
    registry = CollectorRegistry()
    if counted is not None:
        registry.register(_Totals(counted))
        ProcessCollector(registry=registry)
    registry.register(_Sizes(profiles))
    registry.register(_Servers(servers))
    return generate_latest(registry)


class _Totals(Collector):
    """Counters and a histogram."""

    def __init__(self, counted: Counted) -> None:
        self._counted = counted

    def collect(self) -> Iterable[CounterMetricFamily | HistogramMetricFamily]:
        took = HistogramMetricFamily("scrubjay_search_seconds", "Time that searches took", labels=["mode", "relevance"])
        for labels, times in self._counted.searches.items():
            took.add_metric(labels, list(zip(_BUCKETS, accumulate(times.counts), strict=True)), times.seconds)
        yield took
        for name, about in COUNTED.items():
            yield CounterMetricFamily(f"scrubjay_indexing_{name}", about, self._counted.indexing[name])


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
