"""Many people who search a team's profile at once: threads in a few processes, each with a store of its own."""

import multiprocessing
import os
import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team.team_store import TeamStore
from tests.bench.running import percentile

_PROCESSES = 4


@dataclass(frozen=True, slots=True)
class Where:
    """A store that can be opened in another process: a file, or a profile on a server."""

    path: Path
    address: ServerAddress | None = None
    password: str = ""

    def opened(self) -> Store:
        """The store."""
        if self.address is None:
            return FileStore.open(self.path)
        return TeamStore.open(self.path, self.address, self.password, 1)


@dataclass(frozen=True, slots=True)
class Asking:
    """So many people, each of whom asks every so many seconds, for so long."""

    people: int
    every: float
    seconds: float


def asked_at_once(
    where: Where, queries: Sequence[str], asking: Asking, server_seconds: Callable[[], float]
) -> dict[str, object]:
    """What their hybrid searches took, and how many failed."""
    shares = [len(range(first, asking.people, _PROCESSES)) for first in range(_PROCESSES)]
    used, began = server_seconds(), time.perf_counter()
    with ProcessPoolExecutor(_PROCESSES, multiprocessing.get_context("spawn")) as pool:
        work = [pool.submit(_people, where, queries, share, asking, seed) for seed, share in enumerate(shares)]
        results = [each.result() for each in work]
    took = time.perf_counter() - began
    taken = [each for milliseconds, _, _ in results for each in milliseconds]
    return {
        "people, each asks every, s": f"{asking.people}, {asking.every:g}",
        "searches": len(taken),
        "failed (0)": sum(failed for _, failed, _ in results),
        "ms (p95 at most 400)": f"p50 {percentile(taken, 0.5):.0f}, p95 {percentile(taken, 0.95):.0f}",
        "processor time a search, ms": (
            f"{1000 * sum(here for _, _, here in results) / max(1, len(taken)):.1f} here,"
            f" {1000 * (server_seconds() - used) / max(1, len(taken)):.1f} on the server"
        ),
        "took, s": round(took),
        "programs that wait for a core (1, 5 minutes)": " ".join(f"{load:.1f}" for load in os.getloadavg()[:2]),
    }


def _people(
    where: Where, queries: Sequence[str], people: int, asking: Asking, seed: int
) -> tuple[list[float], int, float]:
    """Milliseconds of each search, how many failed, and seconds of processor time."""
    embedder = InProcessEmbedder(BUNDLED)
    taken, failed = list[float](), list[str]()
    stores = [where.opened() for _ in range(people)]
    searchers = [Searcher(lambda store=store: {"team": store}, embedder) for store in stores]
    for searcher in searchers:
        searcher.search(SearchRequest(queries[0]))
    used, end = time.process_time(), time.monotonic() + asking.seconds

    def ask(searcher: Searcher, number: int) -> None:
        rng = random.Random(1000 * seed + number)
        time.sleep(rng.random() * asking.every)
        while time.monotonic() < end:
            began = time.perf_counter()
            try:
                found = searcher.search(SearchRequest(rng.choice(queries)))
                failed.extend(str(each) for each in found.unanswered)
            except Exception as error:  # noqa: BLE001 (counted)
                failed.append(str(error))
            took = time.perf_counter() - began
            taken.append(1000 * took)
            time.sleep(max(0.0, asking.every - took))

    threads = [threading.Thread(target=ask, args=(each, number)) for number, each in enumerate(searchers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    used = time.process_time() - used
    for searcher, store in zip(searchers, stores, strict=True):
        searcher.close()
        store.close()
    return taken, len(failed), used
