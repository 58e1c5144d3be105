"""`/v1/status`, `/v1/index`: what the daemon does."""

from datetime import datetime

from msgspec.structs import replace

from scrubjay.daemon.api.door.caller import chosen, visible
from scrubjay.daemon.api.door.places import Places
from scrubjay.daemon.api.endpoints.common import Accepted
from scrubjay.daemon.api.endpoints.endpoint import Nothing
from scrubjay.daemon.api.endpoints.status import INDEX, STATUS, IndexAsk, Status
from scrubjay.daemon.api.routing import Context, Handlers
from scrubjay.daemon.api.state import status_of

HANDLERS = Handlers()


@HANDLERS.answers(STATUS, lane="quick")
def status(context: Context, _: Nothing) -> Status:
    services = context.services
    client = context.client
    seen = visible(services, client)
    state = status_of(services.engine, seen, instance=services.identity.instance, started=services.started)
    if client.profiles == "all" and client.may("manage"):
        state = replace(state, warnings=(*state.warnings, *map(_alarm, services.sessions.alarms())))
    return state if client.may("manage") else _without_places(state, services.places)


def _without_places(state: Status, places: Places) -> Status:
    profiles = (
        replace(
            profile,
            reason=places.left_out_of(profile.reason),
            failures=tuple(replace(each, reason=places.left_out_of(each.reason)) for each in profile.failures),
        )
        for profile in state.profiles
    )
    return replace(state, warnings=tuple(map(places.left_out_of, state.warnings)), profiles=tuple(profiles))


def _alarm(at: datetime) -> str:
    return (
        f"At {at.astimezone():%Y-%m-%d %H:%M} a ticket of the search page was used twice: somebody else may have it."
        " The page that it had opened was closed. `scrubjay clients list` shows the pages that are open."
    )


@HANDLERS.answers(INDEX)
def index(context: Context, request: IndexAsk) -> Accepted:
    client = context.client
    profiles, engine = chosen(context.services, client, request.profile), context.engine
    for profile in profiles:
        engine.supervisor.request(
            engine.open_profiles.same(profile).profile.id, full=request.full, forget_missing=request.forget_missing
        )
    return Accepted(profiles=tuple(profile.name for profile in profiles))
