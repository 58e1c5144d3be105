"""`/v1/status`, `/v1/index`: what the daemon does."""

from scrubjay.daemon.api.door.scoping import chosen, visible
from scrubjay.daemon.api.endpoints.common import Accepted
from scrubjay.daemon.api.endpoints.endpoint import Nothing
from scrubjay.daemon.api.endpoints.status import INDEX, STATUS, IndexAsk, Status
from scrubjay.daemon.api.routing import Context, Handlers
from scrubjay.daemon.api.state import status_of

HANDLERS = Handlers()


@HANDLERS.answers(STATUS, lane="quick")
def status(context: Context, _: Nothing) -> Status:
    services = context.services
    seen = visible(services, context.caller.client)
    return status_of(services.engine, seen, instance=services.identity.instance, started=services.started)


@HANDLERS.answers(INDEX)
def index(context: Context, request: IndexAsk) -> Accepted:
    client = context.caller.client
    profiles, engine = chosen(context.services, client, request.profile), context.services.engine
    for profile in profiles:
        engine.supervisor.request(engine.opened_as(profile).profile.id, full=request.full)
    return Accepted(profiles=tuple(profile.name for profile in profiles))
