"""`/v1/events`: what happens, as server-sent events."""

from typing import Annotated, Any

from litestar import Request, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter
from litestar.response import Stream

from scrubjay.daemon.server.access.caller import caller_of, needs
from scrubjay.daemon.server.access.client_registry import Client, ClientNotFound
from scrubjay.daemon.server.events import Event
from scrubjay.daemon.server.services import Services

ABOUT = "Progress and changes, as they happen. Ends at once when the client is revoked."

LastEventId = Annotated[
    str | None, HeaderParameter(name="Last-Event-ID", max_length=60, description="Go on after this event.")
]


def route(services: Services) -> HTTPRouteHandler:
    """The route: a reply without an end, so that it is no endpoint."""

    @get("/v1/events", guards=[needs("search")], media_type="text/event-stream")
    async def events(request: Request[Any, Any, Any], last_event_id: LastEventId = None) -> Stream:
        client_id = caller_of(request.scope).client.id

        def client_now() -> Client | None:
            try:
                return services.clients.get(client_id)
            except ClientNotFound:
                return None

        def may_hear(event: Event) -> bool:
            client = client_now()
            may = client is not None and client.may(event.scope)
            return client is not None and may and (event.profile is None or client.sees(event.profile))

        stream = services.events.stream(client_id, last_event_id, may_hear, lambda: client_now() is not None)
        return Stream(stream, media_type="text/event-stream")

    return events
