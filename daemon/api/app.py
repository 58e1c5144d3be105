"""The API as one ASGI application: routes, error mapping, OpenAPI, and the door in front.

Every endpoint is a value of `daemon/api/endpoints/` and a function of `daemon/api/handlers/`. What is none, and has a
route of its own here: the search page's files, the stream of events, the metrics (text, not JSON), and `/mcp`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from litestar import Litestar, Request, asgi
from litestar.exceptions import HTTPException
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin

from scrubjay.daemon.api.door import problems
from scrubjay.daemon.api.door.admission import DoorSettings
from scrubjay.daemon.api.door.gate import App, Gate, Receive, Send
from scrubjay.daemon.api.handlers import (
    check,
    clients,
    credentials,
    events,
    graph,
    journal,
    metrics,
    notes,
    page,
    pairing,
    profiles,
    search,
    sessions,
    status,
    upkeep,
)
from scrubjay.daemon.api.lanes import Lanes
from scrubjay.daemon.api.openapi import openapi_config
from scrubjay.daemon.api.routing import route
from scrubjay.daemon.api.services import Services

HANDLERS = (
    *sessions.HANDLERS,
    *search.HANDLERS,
    *notes.HANDLERS,
    *graph.HANDLERS,
    *profiles.HANDLERS,
    *status.HANDLERS,
    *credentials.HANDLERS,
    *journal.HANDLERS,
    *clients.HANDLERS,
    *pairing.HANDLERS,
    *upkeep.HANDLERS,
    *check.HANDLERS,
)


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


def create_app(services: Services, door: DoorSettings, agents: Callable[[App, DoorSettings], App] | None = None) -> App:
    """The application for one server on one port. It opens nothing itself and can be made any number of times.

    agents: makes what answers at `/mcp`, given the application itself to ask; None where nothing does.
    """
    lanes = Lanes(lambda: services.limits.concurrent_searches)

    async def whole(scope: Any, receive: Receive, send: Send) -> None:
        await gate(scope, receive, send)

    handle = problems.handler(services.places)
    own = [*page.ROUTES, events.route(services), metrics.route(services)]
    mounted = [asgi("/mcp", copy_scope=True)(agents(whole, door))] if agents else []
    litestar = _Api(
        route_handlers=[*(route(each, services, door, lanes) for each in HANDLERS), *own, *mounted],
        exception_handlers={Exception: handle, HTTPException: handle},
        request_class=_StrictRequest,
        request_max_body_size=None,  # the gate has read it, within the limit in force
        openapi_config=openapi_config(
            services.identity.version, [each.endpoint for each in HANDLERS], {"/v1/events": events.ABOUT}
        ),
        logging_config=None,
    )

    def door_now() -> DoorSettings:
        return replace(door, body_bytes=services.limits.body_bytes)

    gate = Gate(litestar, door_now, services.clients, services.sessions)
    return gate
