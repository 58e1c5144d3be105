"""Many at once: nobody is turned away, and the daemon does not grow."""

import asyncio
import sys
from pathlib import Path

import pytest

from scrubjay.daemon import transport
from scrubjay.daemon.client import AsyncScrubjayClient
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.bench.__main__ import sample_vault
from tests.bench.queries import sample_queries
from tests.bench.running import Daemon, running_daemon, wait_for
from tests.helpers.waiting import PATIENCE_SECONDS

CLIENTS, SEARCHERS = 4, 50  # httpx keeps 100 connections a client
EACH = 4  # searches of a searcher, one after the other
PATIENT = f"""
from scrubjay.daemon.cli import main
from scrubjay.daemon.server import routing
routing._LONGEST_SECONDS = {PATIENCE_SECONDS}
main()
"""


async def press(daemon: Daemon) -> list[int]:
    """The memory of the daemon and the model's process after each hundredth answer. Raises where one was refused."""
    token = own_token(ClientRegistry(daemon.home.clients), daemon.home.state).token
    queries = iter(sample_queries(daemon, CLIENTS * SEARCHERS * EACH))
    memory: list[int] = []
    answered = 0

    async def keep_searching(client: AsyncScrubjayClient) -> None:
        nonlocal answered
        for _ in range(EACH):
            await client.ask(SEARCH, SearchAsk(query=next(queries)))
            answered += 1
            if answered % 100 == 0:
                memory.append(daemon.resident_bytes())

    async def crowd() -> None:
        async with AsyncScrubjayClient(daemon.client.url, token) as client:
            await asyncio.gather(*(keep_searching(client) for _ in range(SEARCHERS)))

    await asyncio.gather(*(crowd() for _ in range(CLIENTS)))
    return memory


@pytest.mark.slow
def test_200_searches_at_once_are_all_answered_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "SECONDS", PATIENCE_SECONDS)
    with running_daemon(sample_vault(tmp_path), command=(sys.executable, "-c", PATIENT)) as daemon:
        wait_for(lambda: daemon.client.ask(STATUS).idle, seconds=600)
        memory = asyncio.run(press(daemon))
        assert daemon.client.ask(STATUS).profiles[0].state == "idle"
    settled = memory[len(memory) // 2 :]
    assert settled[-1] < settled[0] * 1.2
