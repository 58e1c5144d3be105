"""The API as one ASGI application, with the door in front, and how uvicorn serves it."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar, Request, asgi
from litestar.exceptions import HTTPException
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from uvicorn.protocols.http.h11_impl import H11Protocol

from scrubjay.daemon.server import page
from scrubjay.daemon.server.access import problems
from scrubjay.daemon.server.access.admission import BUSY, DoorSettings, Refusal
from scrubjay.daemon.server.access.gate import App, Gate, Receive, Send
from scrubjay.daemon.server.access.problems import of_refusal, problem, respond
from scrubjay.daemon.server.handlers import (
    ask,
    check,
    clients,
    credentials,
    edit,
    events,
    hidden,
    journal,
    links,
    notes,
    pairing,
    profiles,
    read,
    review,
    review_map,
    review_writing,
    search,
    sessions,
    status,
    upkeep,
)
from scrubjay.daemon.server.openapi import openapi_config
from scrubjay.daemon.server.routing import Handler, Lanes, route
from scrubjay.daemon.server.services import Services

# How uvicorn serves the application: on the loopback, quietly, with patience that ends.

HEADER_SECONDS = 10.0
MOST_CONNECTIONS = 2_048
_HEADER_BYTES = 16_384
_KEEP_ALIVE_SECONDS = 60
_SHUTDOWN_SECONDS = 3

SLOW_HEADERS = Refusal("headers-too-slow", 408, "The request did not arrive in time.")


class PatientProtocol(H11Protocol):
    """HTTP/1.1 whose connections can't be kept open by sending slowly, and whose own errors have the API's format."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected: the clock for its first request runs."""
        super().connection_made(transport)
        found: socket.socket | None = transport.get_extra_info("socket")
        if found is not None:  # asyncio leaves this out where the listening socket names no protocol: 40 ms a reply
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if len(self.connections) > MOST_CONNECTIONS:
            self._end_with(BUSY)
            return
        self._start_clock()

    def data_received(self, data: bytes) -> None:
        """Bytes came in; once a request's headers are whole, its clock stops."""
        super().data_received(data)
        if self.conn.their_state.__name__ != "IDLE":
            self._stop_clock()
        elif self._deadline is None and self.timeout_keep_alive_task is None:
            self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._stop_clock()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what isn't HTTP, in our one shape."""
        del msg
        self._stop_clock()
        self._write(400, *respond(problem("malformed-http", 400, "This is not a well-formed HTTP request.")))

    def _start_clock(self) -> None:
        self._deadline = self.loop.call_later(HEADER_SECONDS, self._end_with, SLOW_HEADERS)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end_with(self, refusal: Refusal) -> None:
        self._deadline = None
        self._write(refusal.status, *respond(of_refusal(refusal)))

    def _write(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        """Answer outside of any request's cycle, and hang up."""
        if self.transport.is_closing():
            return
        fields = {
            **headers,
            "content-length": str(len(body)),
            "connection": "close",
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(f"HTTP/1.1 {status} Refused\r\n{head}\r\n".encode() + body)
        self.transport.close()


def uvicorn_config(app: App) -> uvicorn.Config:
    """How to serve an application on a socket that is bound to the loopback already: `Server(config).run([socket])`."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        h11_max_incomplete_event_size=_HEADER_BYTES,
    )


# The API as one ASGI application: routes, error mapping, OpenAPI, and the door in front.
#
# Every endpoint is a value of `daemon/server/endpoints/` and a function of `daemon/server/handlers/`. What is none, and
# has a route of its own here: the search page's files, the stream of events, the metrics (text, not JSON), and `/mcp`.

HANDLERS = (
    *sessions.HANDLERS,
    *search.HANDLERS,
    *ask.HANDLERS,
    *notes.HANDLERS,
    *read.HANDLERS,
    *links.HANDLERS,
    *profiles.HANDLERS,
    *status.HANDLERS,
    *credentials.HANDLERS,
    *review.HANDLERS,
    *review_map.HANDLERS,
    *review_writing.HANDLERS,
    *edit.HANDLERS,
    *journal.HANDLERS,
    *clients.HANDLERS,
    *pairing.HANDLERS,
    *upkeep.HANDLERS,
    *hidden.HANDLERS,
    *check.HANDLERS,
)


ABOUT_MCP = "The Model Context Protocol over streamable HTTP: one request, one answer, no session."


class _StrictRequest(Request[Any, Any, Any]):
    """Decodes a body straight into what the handler wants: unknown fields are refused and nothing is converted."""

    async def json(self) -> Any:
        wanted = self.route_handler.parsed_data_field
        return msgspec.json.decode(await self.body(), type=wanted.annotation if wanted else Any)


class _Api(Litestar):
    """Litestar without its plugins for pydantic and attrs: no model of theirs passes here, and they load slowly."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def create_app(
    services: Services,
    door: DoorSettings,
    agents: Callable[[App, DoorSettings], App] | None = None,
    handlers: Sequence[Handler[Any, Any]] = HANDLERS,
) -> App:
    """The application for one server on one port. It opens nothing itself and can be made any number of times.

    agents: makes what answers at `/mcp`, given the application itself to ask; None where nothing does. handlers: what
    it answers.
    """
    lanes = Lanes(lambda: services.limits.concurrent_searches)

    async def whole(scope: Any, receive: Receive, send: Send) -> None:
        await gate(scope, receive, send)

    handle = problems.handler(services.places)
    own = [*page.ROUTES, events.route(services), status.metrics_route(services)]
    mounted = [asgi("/mcp", copy_scope=True)(agents(whole, door))] if agents else []
    streams = {"/v1/events": events.ABOUT, "/metrics": status.ABOUT_METRICS} | ({"/mcp": ABOUT_MCP} if agents else {})
    litestar = _Api(
        route_handlers=[*(route(each, services, door, lanes) for each in handlers), *own, *mounted],
        exception_handlers={Exception: handle, HTTPException: handle},
        request_class=_StrictRequest,
        request_max_body_size=None,  # the gate has read it, within the limit in force
        openapi_config=openapi_config(services.identity.version, [each.endpoint for each in handlers], streams),
        logging_config=None,
    )

    def door_now() -> DoorSettings:
        return replace(door, body_bytes=services.limits.body_bytes)

    gate = Gate(litestar, door_now, services.clients, services.sessions)
    return gate
