"""`python -m tests.bench.load [--vault PATH] [--at-once N] [--seconds N]`: many searches at once, for a while."""

import argparse
import asyncio
import itertools
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scrubjay.daemon.client import AsyncScrubjayClient
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.errors import ScrubjayError
from tests.bench.__main__ import sample_vault
from tests.bench.queries import sample_queries
from tests.bench.running import Daemon, percentile, print_figures, running_daemon, wait_for

_SEARCHES_OF_A_CLIENT = 50  # httpx keeps 100 connections a client


@dataclass
class Pressed:
    """What came of it. Memory in bytes, of the daemon and the model's process."""

    took: list[float] = field(default_factory=list[float])  # seconds of each search that was answered
    failures: list[str] = field(default_factory=list[str])  # codes of those that were not
    memory: list[int] = field(default_factory=list[int])  # each second


def press(daemon: Daemon, queries: Sequence[str], *, at_once: int, seconds: float) -> Pressed:
    """Keep so many searches in flight for so long, each by a searcher who asks again when answered."""
    token = own_token(ClientRegistry(daemon.home.clients), daemon.home.state).token
    pressed = Pressed()
    asked = itertools.cycle(queries)

    async def main() -> None:
        until = time.monotonic() + seconds
        clients = -(-at_once // _SEARCHES_OF_A_CLIENT)
        async with asyncio.TaskGroup() as group:
            group.create_task(_watch_memory(daemon, pressed, until))
            for number in range(clients):
                searchers = min(_SEARCHES_OF_A_CLIENT, at_once - number * _SEARCHES_OF_A_CLIENT)
                group.create_task(_crowd(daemon.client.url, token, asked, pressed, searchers, until))

    asyncio.run(main())
    return pressed


async def _crowd(url: str, token: str, queries: Iterator[str], pressed: Pressed, searchers: int, until: float) -> None:
    async with AsyncScrubjayClient(url, token) as client, asyncio.TaskGroup() as group:
        for _ in range(searchers):
            group.create_task(_keep_searching(client, queries, pressed, until))


async def _keep_searching(client: AsyncScrubjayClient, queries: Iterator[str], pressed: Pressed, until: float) -> None:
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            await client.ask(SEARCH, SearchAsk(query=next(queries)))
        except ScrubjayError as error:
            pressed.failures.append(error.code)
        else:
            pressed.took.append(time.monotonic() - began)


async def _watch_memory(daemon: Daemon, pressed: Pressed, until: float) -> None:
    while time.monotonic() < until:
        pressed.memory.append(daemon.resident_bytes())
        await asyncio.sleep(1)


def main() -> None:
    """Measure one vault and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, help="a vault of your own; without it, the sample vault")
    parser.add_argument("--at-once", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_daemon(arguments.vault or sample_vault(Path(folder))) as daemon,
    ):
        wait_for(lambda: daemon.client.ask(STATUS).idle, seconds=3_600)
        pressed = press(daemon, sample_queries(daemon, 500), at_once=arguments.at_once, seconds=arguments.seconds)
    settled = pressed.memory[len(pressed.memory) // 2 :]
    print_figures(
        "load",
        {
            "searches at once": arguments.at_once,
            "searches answered": len(pressed.took),
            "a second": round(len(pressed.took) / arguments.seconds),
            "not answered": len(pressed.failures),
            "p50, s": round(percentile(pressed.took, 0.5), 2),
            "p99, s": round(percentile(pressed.took, 0.99), 2),
            "memory halfway, MB": round(settled[0] / 1e6),
            "memory at the end, MB": round(settled[-1] / 1e6),
        },
    )


if __name__ == "__main__":
    main()
