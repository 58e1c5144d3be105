"""Latency of searches over HTTP, by mode."""

import random
import re
import time
from http import HTTPStatus
from http.client import HTTPConnection
from typing import get_args

import msgspec

from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.server.endpoint import Ask
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.search.types import Mode
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.bench.running import Daemon, percentile

_WARM_UP = 20


def sample_queries(daemon: Daemon, count: int, seed: int = 1) -> list[str]:
    """Queries of three to six words that stand together in the vault's own notes."""
    registry = Registry(daemon.home.profiles)
    store = FileStore.open(registry.store_path(registry.list()[0]))
    queries = queries_of(store, count, seed)
    store.close()
    return queries


def queries_of(store: Store, count: int, seed: int = 1) -> list[str]:
    """Three to six words that stand together in the store's passages."""
    rng = random.Random(seed)
    chunks = store.counts().chunks
    queries: list[str] = []
    while len(queries) < count:
        for chunk in store.read(reads.chunks, [rng.randint(1, chunks) for _ in range(count)]).values():
            words = re.findall(r"[^\W\d_]{2,}", chunk.text)
            if len(words) >= 12:
                start = rng.randrange(len(words) - 6)
                queries.append(" ".join(words[start : start + rng.randint(3, 6)]))
    return queries[:count]


class Searches:
    """Times searches, and whatever else is asked, over HTTP on one connection, while entered.

    Asked by the standard library's client, which takes a fraction of the millisecond that a comfortable one does.
    """

    def __init__(self, daemon: Daemon) -> None:
        token = own_token(ClientRegistry(daemon.home.clients), daemon.home.state).token
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._connection = HTTPConnection(daemon.client.url.removeprefix("http://"))

    def __enter__(self) -> "Searches":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def milliseconds(self, query: str, mode: Mode) -> float:
        """What one search takes, from the question to the whole answer. Raises RuntimeError where it is refused."""
        return self.took("POST", SEARCH.path, SearchAsk(query=query, mode=mode))

    def took(self, method: str, path: str, body: Ask | None = None) -> float:
        """Milliseconds from any question to the whole answer. Raises RuntimeError where it is refused."""
        encoded = None if body is None else msgspec.json.encode(body)
        start = time.perf_counter()
        self._connection.request(method, path, encoded, self._headers)
        reply = self._connection.getresponse()
        reply.read()
        taken = (time.perf_counter() - start) * 1000
        if reply.status != HTTPStatus.OK:
            raise RuntimeError(f"{path} was answered with {reply.status}")
        return taken


def latencies(daemon: Daemon, queries: list[str]) -> dict[Mode, list[float]]:
    """Milliseconds of each query over HTTP, by mode; the first few are not counted."""
    measured: dict[Mode, list[float]] = {}
    with Searches(daemon) as searches:
        for mode in get_args(Mode):
            taken = [searches.milliseconds(query, mode) for query in (*queries[:_WARM_UP], *queries)]
            measured[mode] = taken[_WARM_UP:]
    return measured


def summary(taken: list[float]) -> str:
    """Median and 95th percentile."""
    return f"p50 {percentile(taken, 0.5):.1f} ms, p95 {percentile(taken, 0.95):.1f} ms"
