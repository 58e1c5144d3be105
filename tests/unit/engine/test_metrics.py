"""What Prometheus is told."""

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.engine.prometheus_text import text
from scrubjay.daemon.indexing.progress import ProgressReport
from scrubjay.profiles.search.types import SearchRequest, SearchResponse


def families(metrics: Metrics) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(text(metrics.counted(), ()).decode())}


def test_progress_that_begins_again_goes_on_counting() -> None:
    metrics = Metrics()
    for embedded in (5, 9, 0, 4):
        metrics.progressed("a", ProgressReport(embedded=embedded))
    metrics.progressed("b", ProgressReport(embedded=1))
    assert [each.value for each in families(metrics)["scrubjay_indexing_embedded"].samples] == [14]


def test_a_bucket_counts_every_search_that_took_no_longer() -> None:
    metrics = Metrics()
    for took_ms in (4, 5, 60, 7_000):
        metrics.searched(SearchRequest("heron"), SearchResponse((), "low", took_ms, 0))
    found = families(metrics)["scrubjay_search_seconds"].samples
    upto = {each.labels["le"]: each.value for each in found if each.name.endswith("_bucket")}
    assert {le: upto[le] for le in ("0.005", "0.05", "0.1", "5.0", "+Inf")} == {
        "0.005": 2, "0.05": 2, "0.1": 3, "5.0": 3, "+Inf": 4
    }  # fmt: skip
    assert {each.name[24:]: each.value for each in found if "le" not in each.labels} == {"count": 4, "sum": 7.069}
    assert {each.labels["mode"] for each in found} == {"hybrid"}
