"""What Prometheus is told."""

from prometheus_client.parser import text_string_to_metric_families

from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.indexing.progress import ProgressReport
from scrubjay.profiles.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store.rows import StoreCounts


def samples(metrics: Metrics, *profiles: tuple[str, StoreCounts]) -> dict[tuple[str, tuple[str, ...]], float]:
    families = text_string_to_metric_families(metrics.text(profiles).decode())
    return {(each.name, tuple(each.labels.values())): each.value for family in families for each in family.samples}


def test_progress_that_begins_again_goes_on_counting() -> None:
    metrics = Metrics()
    for embedded in (5, 9, 0, 4):
        metrics.progressed("a", ProgressReport(embedded=embedded))
    metrics.progressed("b", ProgressReport(embedded=1))
    assert samples(metrics)["scrubjay_indexing_embedded_total", ()] == 14


def test_searches_are_counted_by_mode_and_relevance() -> None:
    metrics = Metrics()
    metrics.searched(SearchRequest("my private words"), SearchResponse((), "low", 20.0, 0))
    found = samples(metrics)
    assert found["scrubjay_search_seconds_count", ("hybrid", "low")] == 1
    assert "private" not in metrics.text(()).decode()


def test_sizes_are_of_the_profiles_given_alone() -> None:
    found = samples(Metrics(), ("work", StoreCounts(3, 7, 7, 0, 1, 2, 0, 0, 0, 4096)))
    assert found["scrubjay_profile_chunks", ("work",)] == 7
    assert found["scrubjay_profile_bytes_on_disk", ("work",)] == 4096
    assert {labels for name, labels in found if name == "scrubjay_profile_notes"} == {("work",)}
