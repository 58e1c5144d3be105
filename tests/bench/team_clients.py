"""Many people who use a team's profile at once: a process for each, as each has a computer of their own."""

import multiprocessing
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team.team_store import TeamStore
from tests.bench.running import percentile
from tests.faults.team_worker import VAULT, indexer_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Where:
    """A store that can be opened in another process: a file, or a profile on a server."""

    path: Path
    address: ServerAddress | None = None
    password: str = ""

    def opened(self, machine: str = "") -> Store:
        """The store. machine: who writes there, see `TeamStore`."""
        if self.address is None:
            return FileStore.open(self.path)
        return TeamStore.open(self.path, self.address, self.password, 1, machine)


@dataclass(frozen=True, slots=True)
class Asking:
    """How people ask: every so many seconds, for so long. writers: the first so many change a note as often."""

    every: float
    seconds: float
    writers: int = 0


def asked_at_once(
    people: Sequence[Where], queries: Sequence[str], asking: Asking, server_seconds: Callable[[], float]
) -> dict[str, object]:
    """What the hybrid searches of these people took, and how many failed."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(people), context) as pool, context.Manager() as manager:
        all_there = manager.Barrier(len(people) + 1)
        work = [pool.submit(_person, number, each, queries, asking, all_there) for number, each in enumerate(people)]
        all_there.wait()
        used, began = server_seconds(), time.perf_counter()
        results = [each.result() for each in work]
        took = time.perf_counter() - began
    taken = [each for asked, _, _ in results for each in asked.searches]
    written = [each for asked, _, _ in results for each in asked.writes]
    refused = [each for _, failed, _ in results for each in failed.writes]
    there = server_seconds() - used
    return {
        "people, each asks every, s": f"{len(people)}, {asking.every:g}",
        "searches": len(taken),
        "searches that failed (0)": sum(len(failed.searches) for _, failed, _ in results),
        "writes that failed (0), and why": f"{len(refused)}: {'; '.join(sorted(set(refused)))}" if refused else "0",
        "ms (p95 at most 300)": _percentiles(taken),
        "notes written by so many of them": f"{len(written)}, {asking.writers}",
        "ms to write one": _percentiles(written) if written else "",
        "of the machine's processors, the server": f"{there / took / (os.cpu_count() or 1):.0%}",
        "processor time a search, ms": (
            f"{1000 * sum(here for _, _, here in results) / max(1, len(taken)):.1f} here,"
            f" {1000 * there / max(1, len(taken)):.1f} on the server"
        ),
        "took, s": round(took),
        "programs that wait for a core (1, 5 minutes)": " ".join(f"{load:.1f}" for load in os.getloadavg()[:2]),
    }


def _percentiles(milliseconds: list[float]) -> str:
    return f"p50 {percentile(milliseconds, 0.5):.0f}, p95 {percentile(milliseconds, 0.95):.0f}"


@dataclass(frozen=True, slots=True)
class _Each(Generic[T]):
    """Something of each search, and of each write."""

    searches: list[T]
    writes: list[T]


def _person(
    number: int, where: Where, queries: Sequence[str], asking: Asking, all_there: threading.Barrier
) -> tuple[_Each[float], _Each[str], float]:
    """Milliseconds, why some failed, and seconds of processor time."""
    taken: _Each[float] = _Each([], [])
    failed: _Each[str] = _Each([], [])
    store = where.opened(f"{number:016x}" if number < asking.writers else "")
    searcher = Searcher(lambda: {"team": store}, InProcessEmbedder(BUNDLED))
    searcher.search(SearchRequest(queries[0]))
    all_there.wait()
    used, end = time.process_time(), time.monotonic() + asking.seconds

    def ask() -> None:
        rng = random.Random(number)
        time.sleep(rng.random() * asking.every)
        while time.monotonic() < end:
            began = time.perf_counter()
            try:
                found = searcher.search(SearchRequest(rng.choice(queries)))
                failed.searches.extend(str(each) for each in found.unanswered)
            except Exception as error:  # noqa: BLE001 (counted)
                failed.searches.append(str(error))
            took = time.perf_counter() - began
            taken.searches.append(1000 * took)
            time.sleep(max(0.0, asking.every - took))

    def write() -> None:
        rng = random.Random(number)
        with tempfile.TemporaryDirectory() as folder:
            note, indexer = Path(folder) / f"By {number}.md", indexer_of(store, folder)
            while time.monotonic() < end:
                note.write_text(f"# A note of {number}\n\n{' '.join(rng.choice(queries) for _ in range(100))}\n")
                began = time.perf_counter()
                try:
                    indexer.refresh(VAULT, [note.name], threading.Event())
                except StoreError as error:
                    failed.writes.append(str(error))
                taken.writes.append(1000 * (time.perf_counter() - began))
                time.sleep(asking.every)

    threads = [threading.Thread(target=each) for each in ([ask, write] if number < asking.writers else [ask])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    used = time.process_time() - used
    searcher.close()
    store.close()
    return taken, failed, used
