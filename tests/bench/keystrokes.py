"""`python -m tests.bench.keystrokes --vault PATH`: what a keystroke and what goes with a search cost, in process.

Each figure is in milliseconds of processor time, which other programs disturb less than the clock, and as a ratio to a
whole search by words in the same run. Passages need no vectors here.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.bench.queries import queries_of
from tests.bench.running import percentile, print_figures
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault

_FACETS = ("folder", "tag", "profile", "property:status", "month")
_WARM_UP = 20


def main() -> None:
    """Index a vault by words, search it in every way and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore.open(Path(folder) / "index.sqlite3")
        index_vault(store, arguments.vault)
        _measure(store, arguments.queries)
        store.close()


def _measure(store: Store, count: int) -> None:
    searcher = Searcher(lambda: {"p": store}, HashEncoder())
    queries = queries_of(store, count)
    typed = [query[:end] for query in queries for end in range(1, len(query) + 1)]
    names = [note.path.rsplit("/", 1)[-1].removesuffix(".md") for note in store.read(reads.recent, count)]
    begun = [name[:end] for name in names for end in range(1, min(len(name), 8) + 1)]
    ways: dict[str, list[SearchRequest]] = {
        "by words": [SearchRequest(query, mode="lexical") for query in queries],
        "each keystroke": [SearchRequest(text, mode="lexical", typing=True) for text in typed if text.strip()],
        "with five facets": [SearchRequest(query, mode="lexical", facets=_FACETS) for query in queries],
        "from the 400th note on": [SearchRequest(query, mode="lexical", offset=400) for query in queries],
        "title suggestions": [SearchRequest(f'file:"{name}"', mode="lexical", limit=100) for name in begun],
    }
    taken = {way: _milliseconds(requests, searcher.search) for way, requests in ways.items()}

    def newest(limit: int) -> object:
        return store.read(reads.recent, limit)

    taken["the newest notes"] = _milliseconds([20] * count, newest)
    searcher.close()
    usual = percentile(taken["by words"], 0.5)
    print_figures(
        f"{store.counts().chunks:,} passages: ms of processor time, p50, p95, p50 / by words",
        {
            way: f"{percentile(each, 0.5):.1f} {percentile(each, 0.95):.1f} {percentile(each, 0.5) / usual:.2f}"
            for way, each in taken.items()
        },
    )


def _milliseconds(asked: Sequence[object], ask: Callable[..., object]) -> list[float]:
    for each in asked[:_WARM_UP]:
        ask(each)
    taken: list[float] = []
    for each in asked:
        start = time.process_time()
        ask(each)
        taken.append((time.process_time() - start) * 1000)
    return taken


if __name__ == "__main__":
    main()
