"""`python -m tests.bench [--vault PATH] [--queries N]`: index, search and idle, on one vault; or the filter alone."""

import argparse
import importlib.util
import tempfile
import time
from pathlib import Path

from scrubjay.daemon.server.endpoints.status import STATUS
from tests.bench.credential_filter_bench import bench_filter
from tests.bench.daily import Extent, daily_figures
from tests.bench.indexing import index_from_nothing, raw_model_rate, unfit_chunks
from tests.bench.profiles import figures_of, measure
from tests.bench.queries import latencies, sample_queries, summary
from tests.bench.running import Daemon, print_figures, running_daemon, wait_for

_IDLE_SECONDS = 300


def main() -> None:
    """Measure one vault and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, help="a vault of your own; without it, the sample vault")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--idle-seconds", type=int, default=_IDLE_SECONDS)
    parser.add_argument("--embed-seconds", type=float, help="embed for so long, then make the other vectors up")
    parser.add_argument("--filter", action="store_true", help="the credential filter alone, beside other scanners")
    parser.add_argument("--profiles", type=int, metavar="N", help="N passages in one profile, in four, and encrypted")
    parser.add_argument("--daily", action=argparse.BooleanOptionalAction, default=True, help="starts, edits, moves")
    arguments = parser.parse_args()
    if arguments.profiles:
        print_figures("profiles", figures_of(measure(arguments.profiles, arguments.queries)))
        return
    if arguments.filter:
        with tempfile.TemporaryDirectory() as folder:
            bench_filter(arguments.vault or sample_vault(Path(folder)), rivals=True)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        running_daemon(arguments.vault or sample_vault(Path(folder))) as daemon,
    ):
        _bench_index(daemon, arguments.embed_seconds)
        queries = sample_queries(daemon, arguments.queries)
        figures = {mode: summary(taken) for mode, taken in latencies(daemon, queries).items()}
        print_figures("queries over HTTP", dict(figures))
        if not arguments.daily:  # which idles on more notes
            _bench_idle(daemon, arguments.idle_seconds)
    if arguments.daily:
        with tempfile.TemporaryDirectory(prefix="scrubjay-daily-") as folder:
            extent = Extent(idle_seconds=arguments.idle_seconds)
            print_figures("daily use", daily_figures(Path(folder), extent))


def _bench_index(daemon: Daemon, embed_seconds: float | None) -> None:
    index = index_from_nothing(daemon, embed_seconds)
    raw = raw_model_rate(daemon)
    over, runs = unfit_chunks(daemon)
    print_figures(
        "index",
        {
            "notes": index.notes,
            "chunks": index.chunks,
            "seconds until found by keyword": round(index.keyword_seconds, 1),
            "seconds until found by meaning": round(index.embedded_seconds, 1),
            "chunks embedded a second": round(index.embedding_rate, 1),
            "the bare model's chunks a second": round(raw, 1),
            "embedding / bare model": round(index.embedding_rate / raw, 3),
            "peak memory, MB": round(index.peak_bytes / 1e6),
            "database bytes a chunk": round(index.bytes_on_disk / max(1, index.chunks)),
            "chunks longer than the window": over,
            "chunks with what only programs read": runs,
        },
    )


def _bench_idle(daemon: Daemon, seconds: int) -> None:
    wait_for(lambda: daemon.client.ask(STATUS).profiles[0].state == "idle", seconds=60)
    before = daemon.cpu_seconds()
    time.sleep(seconds)
    used = daemon.cpu_seconds() - before
    print_figures(
        "idle",
        {
            "memory of daemon and model, MB": round(daemon.resident_bytes() / 1e6),
            "memory of the daemon alone, MB": round(daemon.process.memory_info().rss / 1e6),
            "processor, percent of one core": round(100 * used / seconds, 2),
        },
    )


def sample_vault(folder: Path) -> Path:
    """Where the sample vault was put, below `folder`."""
    source = Path(__file__).resolve().parents[2] / "packaging" / "sample_vault.py"
    spec = importlib.util.spec_from_file_location("sample_vault", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.materialise(folder / "vault")
    return folder / "vault"


if __name__ == "__main__":
    main()
