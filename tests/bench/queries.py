"""Latency of searches over HTTP, by mode."""

import random
import re
import time
from typing import get_args

from daemon.api.schemas import SearchAsk
from daemon.search.types import Mode
from profiles.registry import Registry
from profiles.store import Store
from tests.bench.running import Daemon, percentile

_WARM_UP = 20


def sample_queries(daemon: Daemon, count: int, seed: int = 1) -> list[str]:
    """Queries of three to six words that stand together in the vault's own notes."""
    registry = Registry(daemon.home.profiles)
    store = Store.open(registry.store_path(registry.list()[0]))
    rng = random.Random(seed)
    chunks = store.counts().chunks
    queries: list[str] = []
    while len(queries) < count:
        for chunk in store.chunks([rng.randint(1, chunks) for _ in range(count)]).values():
            words = re.findall(r"[^\W\d_]{2,}", chunk.text)
            if len(words) >= 12:
                start = rng.randrange(len(words) - 6)
                queries.append(" ".join(words[start : start + rng.randint(3, 6)]))
    store.close()
    return queries[:count]


def latencies(daemon: Daemon, queries: list[str]) -> dict[Mode, list[float]]:
    """Milliseconds of each query over HTTP, by mode; the first few are not counted."""
    measured: dict[Mode, list[float]] = {}
    for mode in get_args(Mode):
        taken: list[float] = []
        for query in (*queries[:_WARM_UP], *queries):
            start = time.perf_counter()
            daemon.client.search(SearchAsk(query=query, mode=mode))
            taken.append((time.perf_counter() - start) * 1000)
        measured[mode] = taken[_WARM_UP:]
    return measured


def summary(taken: list[float]) -> str:
    """Median and 95th percentile."""
    return f"p50 {percentile(taken, 0.5):.1f} ms, p95 {percentile(taken, 0.95):.1f} ms"
