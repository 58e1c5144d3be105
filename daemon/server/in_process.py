"""The API without a daemon: the same application, answered inside this process."""

import asyncio
import contextlib
from collections.abc import Generator

import httpx

from scrubjay.daemon import __version__
from scrubjay.daemon.api.app import create_app
from scrubjay.daemon.api.door.admission import DoorSettings
from scrubjay.daemon.api.door.gate import App
from scrubjay.daemon.api.events import EventHub
from scrubjay.daemon.api.services import services_of
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.clients.client_registry import ClientRegistry
from scrubjay.daemon.clients.identity import Identity
from scrubjay.daemon.clients.own_token import own_token
from scrubjay.daemon.observe.metrics import Metrics, SearchLog
from scrubjay.daemon.runtime.engine import Engine

_NEVER_SLOW_MS = 10**9
_PORT = 8642  # only said, for the door to hear: no socket is opened


class _InProcess(httpx.BaseTransport):
    """Carries requests to an ASGI application of this process."""

    def __init__(self, app: App) -> None:
        self._transport = httpx.ASGITransport(app)
        self._loop = asyncio.Runner()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._loop.run(self._answer(request))

    def close(self) -> None:
        self._loop.close()

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        reply = await self._transport.handle_async_request(request)
        return httpx.Response(reply.status_code, headers=reply.headers, content=await reply.aread())


@contextlib.contextmanager
def in_process(engine: Engine) -> Generator[ScrubjayClient]:
    """A client with the rights of the user's own token. Searches are not added to the history."""
    identity = Identity.new(__version__)
    with (
        contextlib.closing(ClientRegistry(engine.home.clients)) as clients,
        contextlib.closing(SearchLog(dict, engine.preparation.rules_of, lambda: _NEVER_SLOW_MS)) as searches,
    ):
        services = services_of(engine, clients, EventHub(), identity, searches, Metrics())
        app = create_app(services, DoorSettings(_PORT))
        token = own_token(clients, engine.home.state).token
        with ScrubjayClient(f"http://127.0.0.1:{_PORT}", token, _InProcess(app)) as client:
            yield client
