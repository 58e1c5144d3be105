"""`python -m tests.bench.hostile --vault PATH`: the user's own searches beside a hostile client's.

The client asks 32 queries at once, again and again, each of 2,000 characters of what costs most and none twice.
Printed are the user's own median and 95th percentile without and with them, what each kind costs alone, and how long a
processor works on after all of them have hung up.
"""

import argparse
import asyncio
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from itertools import count, cycle, islice
from pathlib import Path

import httpx

from scrubjay.daemon.server.endpoints.clients import CREATE_CLIENT, ClientAsk
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from tests.bench.indexing import index_from_nothing
from tests.bench.queries import sample_queries
from tests.bench.running import PROFILE, Daemon, print_figures, running_daemon

LENGTH = 2_000
AT_ONCE = 32
HOSTILE: Mapping[str, str] = {
    "line:": " ".join(["line:(the of a) line:(to in is)"] * 100)[:LENGTH],
    "line: of many words": " ".join(f"line:(the {word})" for word in ("of", "a", "to", "in", "is", "and") * 30)[
        :LENGTH
    ],
    "section:": " ".join(["section:(a OR b)"] * 150)[:LENGTH],
    "line: OR": " OR ".join(["line:(the of)", "line:(a to)"] * 100)[:LENGTH],
    "one phrase": '"' + " ".join(["the of a to"] * 125)[: LENGTH - 2] + '"',
    "phrases": " ".join(f'"the {word}"' for word in ("of", "a", "to", "in", "is") * 60)[:LENGTH],
    "exclusions": " ".join(["-the -of -a -to"] * 200)[:LENGTH],
}
_SECONDS = 30.0
_BEST_OF = 200


def main() -> None:
    """Measure one vault and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--kept", type=Path, help="a home that is made, and used again by the next run")
    arguments = parser.parse_args()
    with running_daemon(arguments.vault, arguments.kept) as daemon:
        index_from_nothing(daemon, embed_seconds=1.0)
        queries = sample_queries(daemon, _BEST_OF)
        print_figures("hostile queries", figures(daemon, queries))


def figures(daemon: Daemon, queries: list[str]) -> dict[str, object]:
    """What is printed, by name: seconds, or milliseconds where it says so."""
    token = daemon.client.ask(CREATE_CLIENT, ClientAsk("hostile", (PROFILE,))).token
    found: dict[str, object] = {}
    for name, query in HOSTILE.items():
        before = _cpu(daemon)
        _ask(daemon, token, query)
        found[f"{name}, processor seconds alone"] = round(_cpu(daemon) - before, 2)
    idle = _owners_latencies(daemon, queries, seconds=_SECONDS / 2)
    with _flood(daemon, token):
        time.sleep(1)
        busy = _owners_latencies(daemon, queries, seconds=_SECONDS)
    time.sleep(0.5)
    before = _cpu(daemon)
    time.sleep(1)
    found |= {
        "own search idle, ms, median and p95": (_share(idle, 0.5), _share(idle, 0.95)),
        "own search beside them, ms, median and p95": (_share(busy, 0.5), _share(busy, 0.95)),
        "p95 against idle": round(_share(busy, 0.95) / _share(idle, 0.95), 2),
        "processor seconds in the second that begins 0.5 s after they hung up": round(_cpu(daemon) - before, 2),
    }
    return found


@contextmanager
def _flood(daemon: Daemon, token: str) -> Generator[None]:
    """AT_ONCE requests at once, each followed by another; on the way out all hang up at once."""
    is_over = threading.Event()
    numbers = count(1)

    async def ask() -> None:
        async with _http(daemon, token) as http:
            queries = islice(cycle(HOSTILE.values()), AT_ONCE)
            asking = [asyncio.ensure_future(again(http, query)) for query in queries]
            await asyncio.to_thread(is_over.wait)
            for each in asking:
                each.cancel()

    async def again(http: httpx.AsyncClient, query: str) -> None:
        while True:
            asked = f"-number{next(numbers)} {query}"[:LENGTH]  # what is kept of another query answers no part of it
            await http.post("/v1/search", json={"query": asked})

    asking = threading.Thread(target=lambda: asyncio.run(ask()))
    asking.start()
    try:
        yield
    finally:
        is_over.set()
        asking.join()


def _http(daemon: Daemon, token: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=AT_ONCE)
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(base_url=daemon.client.url, timeout=60, headers=headers, limits=limits, verify=False)


def _ask(daemon: Daemon, token: str, query: str) -> None:
    async def ask() -> None:
        async with _http(daemon, token) as http:
            await http.post("/v1/search", json={"query": query})

    asyncio.run(ask())


def _owners_latencies(daemon: Daemon, queries: list[str], *, seconds: float) -> list[float]:
    """Milliseconds of each search of the user's own, one after the other, sorted."""
    end = time.monotonic() + seconds
    taken: list[float] = []
    for query in cycle(queries):
        if time.monotonic() >= end:
            break
        taken.append(_milliseconds(lambda query=query: daemon.client.ask(SEARCH, SearchAsk(query, remember=False))))
    return sorted(taken)


def _milliseconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1e3


def _share(ordered: list[float], share: float) -> float:
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 1)


def _cpu(daemon: Daemon) -> float:
    return sum(daemon.cpu_by_process().values())


if __name__ == "__main__":
    main()
