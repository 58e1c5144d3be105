"""The API without a daemon: the same application, answered inside this process."""

import asyncio
import contextlib
from collections.abc import Generator, Iterator
from functools import cache
from typing import Any

import httpx

from scrubjay.daemon import __version__
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.engine.search_log import SearchLog
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.gate import App, Message, Receive, Send
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.server.app import HANDLERS, create_app
from scrubjay.daemon.server.events import EventHub
from scrubjay.daemon.server.services import services_of

_NEVER_SLOW_MS = 10**9
_PORT = 8642  # only said, for the door to hear: no socket is opened


class _InProcess(httpx.BaseTransport):
    """Carries requests to an ASGI application of this process. A reply is read as it is sent, so that it may stream."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._loop = asyncio.Runner()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The reply to a request."""
        exchange = _Exchange(self._loop)
        return self._loop.run(exchange.begin(self._app, request))

    def close(self) -> None:
        """End what is under way."""
        self._loop.close()


class _Exchange(httpx.SyncByteStream):
    """One request, and the body of its reply, which comes while it is read."""

    def __init__(self, loop: asyncio.Runner) -> None:
        self._loop = loop
        self._sent: asyncio.Queue[Message] = asyncio.Queue()
        self._is_closed = asyncio.Event()
        self._answering: asyncio.Future[None] | None = None

    async def begin(self, app: App, request: httpx.Request) -> httpx.Response:
        """The reply as far as its head. Raises what the application does."""
        unread: list[Message] = [{"type": "http.request", "body": request.read(), "more_body": False}]

        async def receive() -> Message:
            if unread:
                return unread.pop()
            await self._is_closed.wait()
            return {"type": "http.disconnect"}

        self._answering = asyncio.ensure_future(app(_scope(request), receive, self._sent.put))
        self._answering.add_done_callback(lambda _: self._sent.put_nowait({"type": "ended"}))
        head = await self._next(self._answering)
        return httpx.Response(head["status"], headers=head["headers"], stream=self)

    def __iter__(self) -> Iterator[bytes]:
        goes_on = True
        while goes_on and self._answering is not None:
            part = self._loop.run(self._next(self._answering))
            goes_on = part.get("more_body", False)
            yield part.get("body", b"")

    def close(self) -> None:
        """Read no further: the application learns that who had asked is gone."""
        self._is_closed.set()
        if self._answering is not None:
            self._answering.cancel()

    async def _next(self, answering: asyncio.Future[None]) -> Message:
        """What the application sends next. Raises what it raised instead."""
        message = await self._sent.get()
        if message["type"] == "ended":
            answering.result()
        return message


def _scope(request: httpx.Request) -> dict[str, Any]:
    """A request as ASGI has it."""
    path, _, query = request.url.raw_path.partition(b"?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": (request.url.host, request.url.port),
        "client": (request.url.host, 0),
    }


def _subject(path: str) -> str:
    """What a path is about: of `/v1/profiles/{profile_id}`, `profiles`."""
    return path.removeprefix("/v1/").partition("/")[0]


@contextlib.contextmanager
def in_process(engine: Engine) -> Generator[ScrubjayClient]:
    """A client with the rights of the user's own token. Searches are not added to the history."""
    identity = Identity.new(__version__)
    with (
        contextlib.closing(ClientRegistry(engine.home.clients)) as clients,
        contextlib.closing(SearchLog(dict, engine.preparation.rules_of, lambda: _NEVER_SLOW_MS)) as searches,
    ):
        services = services_of(engine, clients, EventHub(), identity, searches, Metrics())

        @cache
        def app_of(subject: str) -> App:
            handlers = [each for each in HANDLERS if _subject(each.endpoint.path) == subject]
            return create_app(services, DoorSettings(_PORT), handlers=handlers)

        # A command asks about one subject or two: the routes of all of them take as long to make as it does.
        async def app(scope: Any, receive: Receive, send: Send) -> None:
            await app_of(_subject(scope["path"]))(scope, receive, send)

        token = own_token(clients, engine.home.state).token
        with ScrubjayClient(f"http://127.0.0.1:{_PORT}", token, _InProcess(app)) as client:
            yield client
