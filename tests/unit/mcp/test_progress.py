"""A call that lasts: its client hears of progress, and one that is taken back is given up, in both eras of MCP."""

import asyncio
import json
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any, TypeAlias

import httpx2
import pytest
import uvicorn
from mcp.client import Client

from scrubjay.daemon.mcp import checked_server
from scrubjay.daemon.mcp.http_server import HttpServer
from scrubjay.daemon.mcp.server import make_server
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.endpoints.clients import SHOW_SELF

SECONDS = 60
CALL = {"name": "search", "arguments": {"query": "otters"}}
Progress: TypeAlias = tuple[float, str | None]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_server, "PROGRESS_SECONDS", 0.01)


class Slow:
    """A daemon that never answers a question to notes, and notes that nobody waits for it any more."""

    def __init__(self) -> None:
        self.asked, self.left = threading.Event(), threading.Event()

    async def __call__(self, context: Any, endpoint: Any, request: Any = None) -> Any:
        if endpoint is SHOW_SELF:
            return SimpleNamespace(scopes=("search",))
        self.asked.set()
        try:
            await asyncio.sleep(SECONDS)
        finally:
            self.left.set()


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_call_tells_of_progress_until_it_is_taken_back(mode: str) -> None:
    slow = Slow()
    heard: list[Progress] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        del total
        heard.append((progress, message))

    async with asyncio.timeout(SECONDS), Client(make_server(slow), mode=mode) as client:
        call = asyncio.create_task(client.call_tool("search", {"query": "otters"}, progress_callback=hear))
        while len(heard) < 3:
            await asyncio.sleep(0.01)
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call
        while not slow.left.is_set():
            await asyncio.sleep(0.01)
        assert (await client.list_tools()).tools
    told = [progress for progress, _ in heard]
    assert told == sorted(set(told))
    assert {message for _, message in heard} == {"Scrubjay is still at it."}


@contextmanager
def served(slow: Slow) -> Generator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        app = HttpServer(slow, DoorSettings(listening.getsockname()[1]))
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        server.should_exit = True
        thread.join()


def test_over_http_a_call_tells_of_progress_until_its_client_hangs_up() -> None:
    slow = Slow()
    own = {"protocolVersion": "2026-07-28", "clientInfo": {"name": "t", "version": "1"}, "clientCapabilities": {}}
    meta = {f"io.modelcontextprotocol/{name}": value for name, value in own.items()} | {"progressToken": "p"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**CALL, "_meta": meta}}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "search",
    }
    with served(slow) as url, httpx2.Client(trust_env=False, timeout=SECONDS) as http:
        with http.stream("POST", url, headers=headers, json=body) as reply:
            told = next(
                json.loads(line.removeprefix("data:")) for line in reply.iter_lines() if line.startswith("data")
            )
        assert told["method"] == "notifications/progress"
        assert told["params"] == {"progressToken": "p", "progress": 0.01, "message": "Scrubjay is still at it."}
        assert slow.left.wait(SECONDS)
