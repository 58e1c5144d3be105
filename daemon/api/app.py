"""The API as one ASGI application: routes, error mapping, OpenAPI, and the door in front."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from litestar import Litestar, Request, asgi
from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin

from daemon.api import caller, problems
from daemon.api.door import DoorSettings
from daemon.api.gate import App, Gate, Receive, Send
from daemon.api.lane import SearchLane
from daemon.api.openapi import openapi_config
from daemon.api.routes import (
    clients,
    events,
    graph,
    health,
    index,
    journal,
    locking,
    notes,
    page,
    pairing,
    profiles,
    search,
    sessions,
    upkeep,
)
from daemon.api.services import Services

_ROUTES = (
    *page.ROUTES,
    *health.ROUTES,
    *sessions.ROUTES,
    *search.ROUTES,
    *notes.ROUTES,
    *graph.ROUTES,
    *profiles.ROUTES,
    *locking.ROUTES,
    *index.ROUTES,
    *journal.ROUTES,
    *events.ROUTES,
    *clients.ROUTES,
    *pairing.ROUTES,
    *upkeep.ROUTES,
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
    lane = SearchLane(services.searcher, lambda: services.limits.concurrent_searches)

    def get_services() -> Services:
        return services

    def get_lane() -> SearchLane:
        return lane

    def get_door() -> DoorSettings:
        return door

    def get_caller(request: ASGIConnection[Any, Any, Any, Any]) -> caller.Caller:
        return caller.caller_of(request.scope)

    async def whole(scope: Any, receive: Receive, send: Send) -> None:
        await gate(scope, receive, send)

    mounted = [asgi("/mcp", copy_scope=True)(agents(whole, door))] if agents else []
    litestar = _Api(
        route_handlers=[*_ROUTES, *mounted],
        dependencies={
            "services": Provide(get_services, sync_to_thread=False),
            "lane": Provide(get_lane, sync_to_thread=False),
            "door": Provide(get_door, sync_to_thread=False),
            "caller": Provide(get_caller, sync_to_thread=False),
        },
        exception_handlers={Exception: problems.handle, HTTPException: problems.handle},
        request_class=_StrictRequest,
        request_max_body_size=None,  # the gate has read it, within the limit in force
        openapi_config=openapi_config(services.identity.version, _ROUTES),
        logging_config=None,
    )

    def door_now() -> DoorSettings:
        return replace(door, body_bytes=services.limits.body_bytes)

    gate = Gate(litestar, door_now, services.clients, services.sessions)
    return gate
