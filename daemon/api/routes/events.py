"""`/v1/events`: what happens, as server-sent events."""

from typing import Annotated

from litestar import get
from litestar.params import HeaderParameter
from litestar.response import Stream

from daemon.api.caller import InjectedCaller, needs
from daemon.api.events import Event
from daemon.api.services import InjectedServices
from daemon.clients.registry import Client, ClientNotFound

LastEventId = Annotated[
    str | None, HeaderParameter(name="Last-Event-ID", max_length=60, description="Go on after this event.")
]


@get("/v1/events", guards=[needs("search")], media_type="text/event-stream")
async def events(services: InjectedServices, caller: InjectedCaller, last_event_id: LastEventId = None) -> Stream:
    """Progress and changes, as they happen. Ends at once when the client is revoked."""

    def client_now() -> Client | None:
        try:
            return services.clients.get(caller.client.id)
        except ClientNotFound:
            return None

    def may_hear(event: Event) -> bool:
        client = client_now()
        return client is not None and client.may(event.scope) and (event.profile is None or client.sees(event.profile))

    stream = services.events.stream(last_event_id, may_hear, lambda: client_now() is not None)
    return Stream(stream, media_type="text/event-stream")


ROUTES = (events,)
