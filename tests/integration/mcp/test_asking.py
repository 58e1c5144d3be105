"""A session over standard input and output outlives daemons: each call finds the one that runs, or nobody is told."""

import asyncio
import os
import threading
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.mcpserver.exceptions import ToolError

from scrubjay.daemon.mcp import checked_server
from scrubjay.daemon.mcp.daemon_calls import CallWithToken, ToolContext
from scrubjay.daemon.server.access.identity import write_discovery
from scrubjay.daemon.server.endpoints.profiles import LIST_PROFILES
from scrubjay.profiles.search.searcher import Searcher
from tests.integration.server.house import House, open_house
from tests.integration.server.test_client import Strange, stranger_answering

NO_CONTEXT = cast("ToolContext", None)  # over standard input and output nothing is asked of it


def announce(house: House, port: int) -> None:
    write_discovery(house.home.discovery, house.services.identity.discovery(port, os.getpid()))


def test_the_daemon_that_runs_now_is_asked_and_a_stranger_on_its_port_is_sent_no_token(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        ask = CallWithToken(house.home, house.token("agent", house.add_profile("work", {"A.md": "One."})).token)
        with pytest.raises(ToolError, match="scrubjay start"):
            asyncio.run(ask(NO_CONTEXT, LIST_PROFILES))
        announce(house, house.port)
        assert [each.name for each in asyncio.run(ask(NO_CONTEXT, LIST_PROFILES)).profiles] == ["work"]
        with stranger_answering(b'{"name": "scrubjay", "version": "1", "instance": "x"}') as port:
            announce(house, port)
            with pytest.raises(ToolError, match="Another program"):
                asyncio.run(ask(NO_CONTEXT, LIST_PROFILES))
        assert not any("sj_" in request for request in Strange.received)


def test_a_search_that_lasts_tells_of_progress_through_the_daemon_s_own_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    search = Searcher.search

    def slow(*arguments: Any) -> Any:
        assert go_on.wait(60)
        return search(*arguments)

    monkeypatch.setattr(checked_server, "PROGRESS_SECONDS", 0.01)
    monkeypatch.setattr(Searcher, "search", slow)

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        del progress, total, message
        go_on.set()

    async def main(url: str, token: str) -> str:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return str(await client.call_tool("search", {"query": "one"}, progress_callback=heard))

    with open_house(tmp_path) as house:
        token = house.token("agent", house.add_profile("work", {"A.md": "One."})).token
        assert "A.md" in asyncio.run(main(f"{house.url}/mcp", token))
    assert go_on.is_set()
