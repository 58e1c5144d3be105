"""The API without a daemon: the same application and the same calls, answered inside this process."""

import asyncio
import contextlib
from collections.abc import Generator, Sequence
from typing import TypeVar

import httpx

from daemon import __version__
from daemon.api.app import create_app
from daemon.api.calls import Call
from daemon.api.door import DoorSettings
from daemon.api.events import EventHub
from daemon.api.upkeep import Upkeep
from daemon.client import AsyncScrubjayClient, NotRunning
from daemon.clients.identity import Identity
from daemon.clients.own_token import own_token
from daemon.clients.registry import ClientRegistry
from daemon.observe.metrics import Metrics
from daemon.observe.searches import SearchLog
from daemon.runtime.assembly import services_of
from daemon.runtime.engine import Engine
from profiles.registry import Profile

T = TypeVar("T")

_NEVER_SLOW_MS = 10**9
_PORT = 8642  # only said, for the door to hear: no socket is opened


class _NoBackground:
    """Nothing goes on in the background where no daemon runs. Every method raises NotRunning."""

    def pause(self, profiles: Sequence[Profile]) -> None:
        del profiles
        raise _not_running()

    def resume(self, profiles: Sequence[Profile]) -> None:
        del profiles
        raise _not_running()

    def retry(self, profiles: Sequence[Profile]) -> None:
        del profiles
        raise _not_running()

    def hurry(self) -> None:
        raise _not_running()


class InProcess:
    """Answers calls with an engine of this process, with the rights of the user's own token."""

    def __init__(self, engine: Engine, clients: ClientRegistry, searches: SearchLog) -> None:
        identity = Identity.new(__version__)
        upkeep = Upkeep(_NoBackground(), searches, Metrics())
        services = services_of(engine, clients, EventHub(identity.instance), identity, upkeep)
        self._transport = httpx.ASGITransport(create_app(services, DoorSettings(_PORT)))
        self._token = own_token(clients, engine.home.state).token

    def send(self, call: Call[T]) -> T:
        """Make one call. Raises ApiError."""
        return asyncio.run(self._send(call))

    async def _send(self, call: Call[T]) -> T:
        async with AsyncScrubjayClient(f"http://127.0.0.1:{_PORT}", self._token, transport=self._transport) as client:
            return await client.send(call)


@contextlib.contextmanager
def in_process(engine: Engine) -> Generator[InProcess]:
    """Answer calls here while this is entered. Searches are not remembered: nobody asked for them to be."""
    with (
        contextlib.closing(ClientRegistry(engine.home.clients)) as clients,
        contextlib.closing(SearchLog(dict, engine.rules_of, lambda: _NEVER_SLOW_MS)) as searches,
    ):
        yield InProcess(engine, clients, searches)


def _not_running() -> NotRunning:
    return NotRunning("Scrubjay is not running, so nothing goes on in the background. Start it with `scrubjay start`.")
