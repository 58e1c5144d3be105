"""What Prometheus is told."""

from prometheus_client.parser import text_string_to_metric_families

from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.indexing.progress import ProgressReport


def test_progress_that_begins_again_goes_on_counting() -> None:
    metrics = Metrics()
    for embedded in (5, 9, 0, 4):
        metrics.progressed("a", ProgressReport(embedded=embedded))
    metrics.progressed("b", ProgressReport(embedded=1))
    families = {family.name: family for family in text_string_to_metric_families(metrics.text(()).decode())}
    assert [each.value for each in families["scrubjay_indexing_embedded"].samples] == [14]
