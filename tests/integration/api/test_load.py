"""Many at once: nobody is turned away, and what is too much is told so instead of piling up."""

import asyncio
import time

import pytest

from daemon.api import calls, schemas
from daemon.client import AsyncScrubjayClient
from tests.integration.api.conftest import Residents

_CLIENTS = 5  # httpx keeps 100 connections a client
_AT_ONCE = 100  # searches of one client
_SECONDS = 60


@pytest.mark.slow
def test_500_searches_at_once_for_a_minute_are_all_answered(residents: Residents) -> None:
    took: list[float] = []

    async def keep_searching(client: AsyncScrubjayClient, until: float) -> None:
        while time.monotonic() < until:
            began = time.monotonic()
            found = await client.send(calls.search(schemas.SearchAsk(query="jackdaw budget", mode="lexical")))
            assert found.results
            took.append(time.monotonic() - began)

    async def crowd(client: AsyncScrubjayClient, until: float) -> None:
        async with client:
            await asyncio.gather(*(keep_searching(client, until) for _ in range(_AT_ONCE)))

    async def main() -> None:
        until = time.monotonic() + _SECONDS
        clients = [AsyncScrubjayClient(residents.house.url, residents.reader) for _ in range(_CLIENTS)]
        await asyncio.gather(*(crowd(client, until) for client in clients))

    asyncio.run(main())
    took.sort()
    print(f"\n{len(took)} searches, p50 {took[len(took) // 2]:.2f} s, p99 {took[len(took) * 99 // 100]:.2f} s")
    assert len(took) >= _CLIENTS * _AT_ONCE
